import { Controller, Get, ServiceUnavailableException } from '@nestjs/common';
import {
  HealthCheck,
  type HealthCheckResult,
  HealthCheckService,
  type HealthIndicatorResult,
} from '@nestjs/terminus';
import type { SchemaObject } from 'openapi3-ts/oas31';

import { DomainError } from '../../platform/common/common.errors.js';
import { Describes, type Operation, ref } from '../../platform/common/openapi.js';
import { Public } from '../../platform/http/public.js';
import { BackgroundWork } from '../../platform/jobs/background-work.js';
import { DatabaseIndicator, DrainingIndicator, WritesIndicator } from './health.indicators.js';

const PARTS: SchemaObject = {
  type: 'object',
  additionalProperties: {
    type: 'object',
    properties: {
      status: { enum: ['up', 'down'] },
      reason: { type: 'string', description: 'The reason why the part is down.' },
      last_success_at: {
        type: ['string', 'null'],
        format: 'date-time',
        description:
          'The time at which this background work last succeeded. Null if it has not succeeded yet.',
      },
    },
    required: ['status'],
  },
};

const HEALTH: SchemaObject = {
  type: 'object',
  properties: {
    status: { const: 'ok' },
    info: { ...PARTS, description: 'The parts that are up, by name.' },
    error: { ...PARTS, description: 'The parts that are down, by name.' },
    details: { ...PARTS, description: 'All parts, by name.' },
  },
  required: ['status', 'info', 'error', 'details'],
};

const UP = { accepting: { status: 'up' }, database: { status: 'up' }, writes: { status: 'up' } };

const healthOperation = (
  facts: Pick<Operation, 'id' | 'summary' | 'description' | 'errors'>,
  parts: Readonly<Record<string, unknown>>,
): Operation => ({
  ...facts,
  tag: 'Service',
  security: [],
  answer: {
    status: 200,
    description: 'The check succeeded.',
    content: { 'application/json': ref('Health') },
    example: { status: 'ok', info: parts, error: {}, details: parts },
  },
  dialect: 'account',
  schemas: { Health: HEALTH },
});

const LIVE = healthOperation(
  {
    id: 'health',
    summary: 'Check that the process responds',
    description:
      'If this check fails, the supervisor should restart the process. The parts are the kinds of background work that this process does. If such work fails, the check still returns 200, the part is in `error`, and the reason is in the log.',
    errors: [],
  },
  { ImportWorkers: { status: 'up', last_success_at: '2026-11-26T09:00:00.000Z' } },
);

const READY = healthOperation(
  {
    id: 'ready',
    summary: 'Check that the service can answer requests',
    description:
      'If this check fails, the load balancer should skip this instance. While the disk of the database is full, the service can still read lists. In this case, the check returns 200, and `error.writes` contains the reason.',
    errors: ['not_ready'],
  },
  UP,
);

/**
 * Serves the health checks. `noCache: false` keeps the `Cache-Control` header of the response,
 * which Terminus would otherwise replace.
 */
@Public()
@Controller()
export class HealthController {
  // eslint-disable-next-line @typescript-eslint/max-params -- the container passes them, by their types
  constructor(
    private readonly health: HealthCheckService,
    private readonly work: BackgroundWork,
    private readonly database: DatabaseIndicator,
    private readonly draining: DrainingIndicator,
    private readonly writes: WritesIndicator,
  ) {}

  /**
   * Reports that the process answers HTTP requests. If this check fails, a supervisor restarts the process. The
   * response lists the background work of the process. Failed background work does not change the HTTP status, because
   * the process retries the work.
   */
  @Get('health')
  @Describes(LIVE)
  @HealthCheck({ noCache: false })
  async live(): Promise<HealthCheckResult> {
    return withParts(await this.health.check([]), this.work.reports());
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
      return withParts(await this.health.check(parts), await this.writes.check());
    } catch (error) {
      throw error instanceof ServiceUnavailableException
        ? new NotReadyError(failing(error))
        : error;
    }
  }
}

/**
 * Adds the results of further checks to a health result. A failed further check does not change the
 * status of the health result.
 */
function withParts(result: HealthCheckResult, parts: HealthIndicatorResult): HealthCheckResult {
  const those = (wanted: 'up' | 'down'): HealthIndicatorResult =>
    Object.fromEntries(Object.entries(parts).filter(([, { status }]) => status === wanted));
  return {
    ...result,
    info: { ...result.info, ...those('up') },
    error: { ...result.error, ...those('down') },
    details: { ...result.details, ...parts },
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
