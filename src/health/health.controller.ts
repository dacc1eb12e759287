import { Controller, Get, ServiceUnavailableException } from '@nestjs/common';
import { HealthCheck, type HealthCheckResult, HealthCheckService } from '@nestjs/terminus';

import { Public } from '../common/http/public.js';
import { Describes } from '../common/openapi/operation.js';
import { DatabaseIndicator } from './database.indicator.js';
import { DrainingIndicator } from './draining.indicator.js';
import { NotReadyError } from './health.errors.js';
import { LIVE, READY } from './health.operations.js';

/** Terminus would write a `Cache-Control` of its own over that of every answer. */
@Public()
@Controller()
export class HealthController {
  constructor(
    private readonly health: HealthCheckService,
    private readonly database: DatabaseIndicator,
    private readonly draining: DrainingIndicator,
  ) {}

  /** Tells that the process answers: whoever supervises it restarts it when this fails. */
  @Get('health')
  @Describes(LIVE)
  @HealthCheck({ noCache: false })
  live(): Promise<HealthCheckResult> {
    return this.health.check([]);
  }

  /** Tells that requests can be served: whoever distributes them leaves this instance out when it fails. */
  @Get('ready')
  @Describes(READY)
  @HealthCheck({ noCache: false })
  async ready(): Promise<HealthCheckResult> {
    try {
      return await this.health.check([() => this.draining.check(), () => this.database.check()]);
    } catch (error) {
      throw error instanceof ServiceUnavailableException
        ? new NotReadyError(failing(error))
        : error;
    }
  }
}

function failing(error: ServiceUnavailableException): string[] {
  const result = error.getResponse();
  const isResult =
    typeof result === 'object' && 'error' in result && typeof result.error === 'object';
  return isResult ? Object.keys(result.error ?? {}) : [];
}
