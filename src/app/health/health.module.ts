import { Module } from '@nestjs/common';
import { TerminusModule } from '@nestjs/terminus';

import { HealthController } from './health.controller.js';
import { DatabaseIndicator, DrainingIndicator, WritesIndicator } from './health.indicators.js';

@Module({
  imports: [TerminusModule.forRoot({ logger: false })],
  controllers: [HealthController],
  providers: [DatabaseIndicator, DrainingIndicator, WritesIndicator],
})
export class HealthModule {}
