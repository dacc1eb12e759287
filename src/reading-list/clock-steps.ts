import { Logger } from '@nestjs/common';
import type { DataSource } from 'typeorm';

import { allowLongStatements, queryRows } from '../platform/database/query-rows.js';
import { BEGIN_ERA, PREPARE_ERA, RAISE_VERSIONS } from './list/list.sql.js';

/**
 * The clock may be behind the latest known time by this many seconds. The `since` of a list that does not change is one
 * minute behind the clock, so a smaller step hides no change.
 */
const TOLERATED_SECONDS = 50;
/** Other instances may have seen a slightly later time, and need no further era. */
const AHEAD_SECONDS = 60;
/** The time for the update of all lists. */
const LONGEST_UPDATE_SECONDS = 60;

/**
 * Notices that the clock of the database was set back. Clients may then have a `since` that later changes do not
 * exceed. A new era makes these values invalid (docs/decisions/0143).
 */
export class ClockSteps {
  private static readonly all = new WeakMap<DataSource, ClockSteps>();

  private readonly logger = new Logger(ClockSteps.name);
  private latestSeconds = -Infinity;
  private beginning: Promise<void> | undefined;

  private constructor(private readonly dataSource: DataSource) {}

  static of(dataSource: DataSource): ClockSteps {
    const steps = ClockSteps.all.get(dataSource) ?? new ClockSteps(dataSource);
    ClockSteps.all.set(dataSource, steps);
    return steps;
  }

  /** The latest time of the database, in seconds. A statement that is sent now must not begin earlier. */
  get latest(): number {
    return this.latestSeconds;
  }

  /**
   * Notes the time of a statement. Begins an era and returns true if the clock was set back before it. `known` is
   * `latest` when the statement was sent: a slow statement may return an earlier time than statements after it.
   */
  async note(seconds: number, known = this.latest): Promise<boolean> {
    if (seconds >= Math.min(known, this.latest) - TOLERATED_SECONDS) {
      this.latestSeconds = Math.max(this.latest, seconds);
      return false;
    }
    this.beginning ??= this.begin(seconds).finally(() => (this.beginning = undefined));
    await this.beginning;
    return true;
  }

  private async begin(seconds: number): Promise<void> {
    const { latest } = this;
    const era = latest + AHEAD_SECONDS;
    await this.dataSource.transaction(async (manager) => {
      await allowLongStatements(manager, LONGEST_UPDATE_SECONDS);
      await manager.query(PREPARE_ERA);
      const begun = await queryRows(manager, BEGIN_ERA, [era, latest]);
      if (begun.length > 0) {
        await manager.query(RAISE_VERSIONS, [era]);
      }
    });
    this.logger.warn(
      `the clock of the database was set back by ${latest - seconds} s: clients fetch whole lists`,
    );
    this.latestSeconds = seconds;
  }
}
