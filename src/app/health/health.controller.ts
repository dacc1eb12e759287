import { Controller, Get, ServiceUnavailableException } from '@nestjs/common';
import {
  HealthCheck,
  type HealthCheckResult,
  HealthCheckService,
  type HealthIndicatorResult,
} from '@nestjs/terminus';

import { DomainError } from '../../platform/common/common.errors.js';
import { Describes } from '../../platform/common/openapi.js';
import { Public } from '../../platform/http/public.js';
import { DatabaseIndicator, DrainingIndicator, WritesIndicator } from './health.indicators.js';
import { LIVE, READY } from './health.operations.js';

/**
 * Serves the health checks. `noCache: false` stops Terminus from replacing the `Cache-Control` header of the response.
 */
@Public()
@Controller()
export class HealthController {
  constructor(
    private readonly health: HealthCheckService,
    private readonly database: DatabaseIndicator,
    private readonly draining: DrainingIndicator,
    private readonly writes: WritesIndicator,
  ) {}

  /** Reports that the process answers HTTP requests. If this check fails, a supervisor restarts the process. */
  @Get('health')
  @Describes(LIVE)
  @HealthCheck({ noCache: false })
  live(): Promise<HealthCheckResult> {
    return this.health.check([]);
  }

  /**
   * Reports whether the instance can serve requests. A load balancer skips an instance that is not ready. A full disk
   * is reported, but the instance stays ready.
   */
  @Get('ready')
  @Describes(READY)
  @HealthCheck({ noCache: false })
  async ready(): Promise<HealthCheckResult> {
    try {
      const parts = [() => this.draining.check(), () => this.database.check()];
      return withWrites(await this.health.check(parts), await this.writes.check());
    } catch (error) {
      throw error instanceof ServiceUnavailableException
        ? new NotReadyError(failing(error))
        : error;
    }
  }
}

/**
 * Adds the result of the write check to the health result. A failed write check does not change the status of the
 * health result.
 */
function withWrites(result: HealthCheckResult, writes: HealthIndicatorResult): HealthCheckResult {
  const isUp = Object.values(writes).every(({ status }) => status === 'up');
  return {
    ...result,
    info: { ...result.info, ...(isUp && writes) },
    error: { ...result.error, ...(!isUp && writes) },
    details: { ...result.details, ...writes },
  };
}

function failing(error: ServiceUnavailableException): string[] {
  const result = error.getResponse();
  const isResult =
    typeof result === 'object' && 'error' in result && typeof result.error === 'object';
  return isResult ? Object.keys(result.error ?? {}) : [];
}

class NotReadyError extends DomainError {
  override readonly code = 'not_ready';
  override readonly retryAfterSeconds = 1;

  constructor(failing: readonly string[]) {
    super(`The service is not ready: ${failing.join(', ')}.`);
  }
}
