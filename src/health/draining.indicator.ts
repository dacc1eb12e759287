import { Injectable } from '@nestjs/common';
import { type HealthIndicatorResult, HealthIndicatorService } from '@nestjs/terminus';

import { Draining } from '../common/http/draining.js';

/** Tells a load balancer to send nothing more to a service that is stopping. */
@Injectable()
export class DrainingIndicator {
  constructor(
    private readonly indicators: HealthIndicatorService,
    private readonly draining: Draining,
  ) {}

  check(): HealthIndicatorResult {
    const indicator = this.indicators.check('accepting');
    return this.draining.isDraining ? indicator.down() : indicator.up();
  }
}
