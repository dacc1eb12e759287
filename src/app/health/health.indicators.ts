import { Injectable, Logger } from '@nestjs/common';
import { type HealthIndicatorResult, HealthIndicatorService } from '@nestjs/terminus';

import { Database } from '../../platform/database/database.js';
import { DatabasePing } from '../../platform/database/database.module.js';
import { Draining } from '../../platform/http/draining.js';
import { Metric, type Sample } from '../../platform/metrics/metric.js';

const PATIENCE_MS = 1000;

/**
 * Checks that the database answers within a second. The reason for a failure is in the log, but not in the response.
 */
@Injectable()
export class DatabaseIndicator {
  private readonly logger = new Logger(DatabaseIndicator.name);

  constructor(
    private readonly indicators: HealthIndicatorService,
    private readonly database: Database,
    private readonly ping: DatabasePing,
  ) {}

  async check(): Promise<HealthIndicatorResult> {
    const indicator = this.indicators.check('database');
    return (await this.isUp()) ? indicator.up() : indicator.down();
  }

  @Metric({
    name: 'satchel_database_up',
    help: '1 if the database answers within a second, else 0.',
    kind: 'gauge',
    aggregator: 'min',
  })
  async up(): Promise<number> {
    return Number(await this.isUp());
  }

  private isUp(): Promise<boolean> {
    return Promise.race([this.answers(), late()]);
  }

  private async answers(): Promise<boolean> {
    try {
      await this.ping.answers();
      return this.database.isOpen;
    } catch (error) {
      this.logger.error(error);
      return false;
    }
  }
}

/**
 * Resolves to false after the timeout. If the database has answered while the process was busy,
 * `setImmediate` lets Node handle this answer first.
 */
const late = (): Promise<false> =>
  new Promise((resolve) => {
    setTimeout(() => setImmediate(resolve, false), PATIENCE_MS).unref();
  });

/** Checks that the database accepts writes. The service stays ready if the disk is full, because reads still work. */
@Injectable()
export class WritesIndicator {
  private readonly logger = new Logger(WritesIndicator.name);

  constructor(
    private readonly indicators: HealthIndicatorService,
    private readonly ping: DatabasePing,
  ) {}

  async check(): Promise<HealthIndicatorResult> {
    const indicator = this.indicators.check('writes');
    const failure = await this.failure();
    return failure
      ? indicator.down({ reason: `database: cannot write: ${failure}` })
      : indicator.up();
  }

  @Metric({
    name: 'satchel_database_writable',
    help: '0 if the disk of the database is full, else 1. Missing while the database does not answer.',
    kind: 'gauge',
    aggregator: 'min',
  })
  async writable(): Promise<readonly Sample[]> {
    // The connection of the ping is opened by `answers`.
    const answers = this.ping.answers().then(
      () => true,
      () => false,
    );
    const isUp = await Promise.race([answers, late()]);
    return isUp ? [{ value: Number(!(await this.failure())) }] : [];
  }

  private failure(): Promise<string | undefined | false> {
    return Promise.race([this.findFailure(), late()]);
  }

  private async findFailure(): Promise<string | undefined> {
    try {
      return await this.ping.findWriteFailure();
    } catch (error) {
      this.logger.error(error);
      return undefined;
    }
  }
}

/** Reports a stopping service as not ready, so that load balancers send it no more requests. */
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
