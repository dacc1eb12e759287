import { Injectable } from '@nestjs/common';

import { Clock } from '../platform/common/clock.js';
import { Config } from '../platform/config/config.js';
import { Every } from '../platform/jobs/every.js';
import { TombstoneRepository } from './list/tombstone.repository.js';

const EVERY_MS = 60 * 60 * 1000;
/**
 * How many seconds records of deletions stay stored after clients can no longer request them. The additional time
 * covers calls that are still running and slow clocks.
 */
const GRACE_SECONDS = 24 * 60 * 60;

/** Removes the records of deleted items that clients may no longer request. */
@Injectable()
export class TombstoneSweep {
  constructor(
    private readonly tombstones: TombstoneRepository,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  /** Returns the number of removed records. */
  @Every(EVERY_MS)
  async sweep(): Promise<number> {
    const version = this.clock.seconds() - this.config.tombstoneTtlSeconds - GRACE_SECONDS;
    return this.tombstones.purge(version);
  }
}
