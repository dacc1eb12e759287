import { Injectable } from '@nestjs/common';

import { Clock } from '../platform/common/clock.js';
import { Config } from '../platform/config/config.js';
import { Every } from '../platform/jobs/every.js';
import { TombstoneRepository } from './list/tombstone.repository.js';

const EVERY_MS = 60 * 60 * 1000;
/**
 * Records of deleted items are deleted this many seconds after clients can no longer request them.
 * The delay covers running requests and differences between clocks.
 */
const GRACE_SECONDS = 24 * 60 * 60;

/** Deletes records of deleted items (tombstones) that clients can no longer request. */
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
