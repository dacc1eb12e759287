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

/** `noCache: false` because Terminus would otherwise replace the `Cache-Control` header of each response. */
@Public()
@Controller()
export class HealthController {
  constructor(
    private readonly health: HealthCheckService,
    private readonly database: DatabaseIndicator,
    private readonly draining: DrainingIndicator,
    private readonly writes: WritesIndicator,
  ) {}

  /** Shows that the process answers. A supervisor restarts the process if this fails. */
  @Get('health')
  @Describes(LIVE)
  @HealthCheck({ noCache: false })
  live(): Promise<HealthCheckResult> {
    return this.health.check([]);
  }

  /**
   * Shows that requests can be served. A load balancer skips this instance if it fails. A full disk is only reported.
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

/** Adds the state of writes to the result without changing its status. */
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
