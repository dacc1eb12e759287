import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';

import { provideRepository } from '../database/custom-repository.js';
import { CallCounterRepository } from './call-counter.repository.js';
import { CallLeases } from './call-leases.js';
import { CallLimits } from './call-limits.js';
import { ThrottleCounter } from './entities/throttle-counter.entity.js';
import { ThrottleStorage } from './throttle-storage.js';

@Module({
  imports: [TypeOrmModule.forFeature([ThrottleCounter])],
  providers: [provideRepository(CallCounterRepository), ThrottleStorage, CallLeases, CallLimits],
  exports: [ThrottleStorage, CallLimits],
})
export class ThrottlingModule {}
