import { Module } from '@nestjs/common';

import { CounterStore } from './counter.store.js';

@Module({ providers: [CounterStore], exports: [CounterStore] })
export class ThrottlingModule {}
