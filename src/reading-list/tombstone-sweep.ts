import { Injectable } from '@nestjs/common';

import { Clock } from '../platform/common/clock.js';
import { Config } from '../platform/config/config.js';
import { Every } from '../platform/jobs/every.js';
import { TombstoneRepository } from './list/tombstone.repository.js';

const EVERY_MS = 60 * 60 * 1000;
/**
 * The number of seconds for which records of deleted items stay in the database after clients can no longer request
 * these records. The extra time covers calls that are still running, and clocks that differ.
 */
const GRACE_SECONDS = 24 * 60 * 60;

/**
 * Deletes records of deleted items (tombstones) after the end of the time in which clients can request these records.
 */
@Injectable()
export class TombstoneSweep {
  constructor(
    private readonly tombstones: TombstoneRepository,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  /** Deletes the expired tombstones (records of deleted items), and returns the number of deleted tombstones. */
  @Every(EVERY_MS)
  async sweep(): Promise<number> {
    const version = this.clock.seconds() - this.config.tombstoneTtlSeconds - GRACE_SECONDS;
    return this.tombstones.purge(version);
  }
}
