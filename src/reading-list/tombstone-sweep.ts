import { Injectable } from '@nestjs/common';

import { Clock } from '../platform/common/clock.js';
import { Config } from '../platform/config/config.js';
import { Every } from '../platform/jobs/every.js';
import { TombstoneRepository } from './list/tombstone.repository.js';

const EVERY_MS = 60 * 60 * 1000;
/** Deletions stay a little longer than clients may ask for them: a call may be under way, a clock may be behind. */
const GRACE_SECONDS = 24 * 60 * 60;

/** Forgets deletions when no client may ask for them any more. */
@Injectable()
export class TombstoneSweep {
  constructor(
    private readonly tombstones: TombstoneRepository,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  /** Gives the number of deletions that were forgotten. */
  @Every(EVERY_MS)
  async sweep(): Promise<number> {
    const version = this.clock.seconds() - this.config.tombstoneTtlSeconds - GRACE_SECONDS;
    return this.tombstones.purge(version);
  }
}
