import { Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';

import { Clock } from '../common/clock.js';
import { Config } from '../config/config.js';
import { Database } from '../database/database.js';
import { purgeTombstones } from './list/tombstone-purge.js';

const EVERY_MS = 60 * 60 * 1000;
/** A reader who was just in time, and an instance whose clock is behind, still find what they may ask for. */
const GRACE_SECONDS = 24 * 60 * 60;

/** Forgets deletions when no client may ask for them any more. */
@Injectable()
export class TombstoneSweep implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger(TombstoneSweep.name);
  private sweeping: NodeJS.Timeout | undefined;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  /** Gives the number of deletions that were forgotten. */
  async sweep(): Promise<number> {
    const stamp = this.clock.seconds() - this.config.tombstoneTtlSeconds - GRACE_SECONDS;
    return this.database.read((manager) => purgeTombstones(manager, stamp));
  }

  onModuleInit(): void {
    const warn = (error: unknown): void => {
      this.logger.warn(error);
    };
    const sweep = (): void => void this.sweep().catch(warn);
    this.sweeping = setInterval(sweep, EVERY_MS).unref();
  }

  onModuleDestroy(): void {
    clearInterval(this.sweeping);
  }
}
