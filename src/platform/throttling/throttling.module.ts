import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';

import { provideRepository } from '../database/provide-repository.js';
import { CallCounterRepository } from './call-counter.repository.js';
import { CallLeases } from './call-leases.js';
import { CallLimits } from './call-limits.js';
import { CallCounter } from './entities/call-counter.entity.js';
import { ThrottleCounter } from './entities/throttle-counter.entity.js';
import { ThrottleStorage } from './throttle-storage.js';

@Module({
  imports: [TypeOrmModule.forFeature([ThrottleCounter])],
  providers: [
    provideRepository(CallCounterRepository, CallCounter),
    ThrottleStorage,
    CallLeases,
    CallLimits,
  ],
  exports: [ThrottleStorage, CallLimits],
})
export class ThrottlingModule {}
