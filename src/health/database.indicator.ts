import { Injectable } from '@nestjs/common';
import { type HealthIndicatorResult, HealthIndicatorService } from '@nestjs/terminus';

import { Database } from '../database/database.js';

const PATIENCE_MS = 1000;

/** Tells whether the database answers within a second; why it does not is for the log alone. */
@Injectable()
export class DatabaseIndicator {
  constructor(
    private readonly indicators: HealthIndicatorService,
    private readonly database: Database,
  ) {}

  async check(): Promise<HealthIndicatorResult> {
    const indicator = this.indicators.check('database');
    const answer = this.database.read((manager) => manager.query('SELECT 1'));
    const isUp = await Promise.race([
      answer.then(
        () => true,
        () => false,
      ),
      late(),
    ]);
    return isUp ? indicator.up() : indicator.down();
  }
}

const late = (): Promise<false> =>
  new Promise((resolve) => {
    setTimeout(resolve, PATIENCE_MS, false).unref();
  });
