import { Injectable } from '@nestjs/common';

import { Clock } from '../platform/common/clock.js';
import { Config } from '../platform/config/config.js';
import { Every } from '../platform/jobs/every.js';
import { TombstoneRepository } from './list/tombstone.repository.js';

const EVERY_MS = 60 * 60 * 1000;
/** Keeps tombstones longer than clients may ask for them: a call may be in progress, or a clock may be slow. */
const GRACE_SECONDS = 24 * 60 * 60;

/** Deletes the tombstones that no client may ask for any more. */
@Injectable()
export class TombstoneSweep {
  constructor(
    private readonly tombstones: TombstoneRepository,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  /** Returns the number of deleted tombstones. */
  @Every(EVERY_MS)
  async sweep(): Promise<number> {
    const version = this.clock.seconds() - this.config.tombstoneTtlSeconds - GRACE_SECONDS;
    return this.tombstones.purge(version);
  }
}
