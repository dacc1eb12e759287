import { Module } from '@nestjs/common';

import { CallLeases } from './call-leases.js';
import { CallLimits } from './call-limits.js';
import { CounterStore } from './counter.store.js';

@Module({ providers: [CounterStore, CallLeases, CallLimits], exports: [CounterStore, CallLimits] })
export class ThrottlingModule {}
