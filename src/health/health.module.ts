import { Module } from '@nestjs/common';
import { TerminusModule } from '@nestjs/terminus';

import { DatabaseIndicator } from './database.indicator.js';
import { DrainingIndicator } from './draining.indicator.js';
import { HealthController } from './health.controller.js';

@Module({
  imports: [TerminusModule.forRoot({ logger: false })],
  controllers: [HealthController],
  providers: [DatabaseIndicator, DrainingIndicator],
})
export class HealthModule {}
