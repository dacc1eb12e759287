import { randomInt } from 'node:crypto';

import { Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';

import { Config } from '../config/config.js';
import { Database } from '../database/database.js';
import { purgePages } from './page-purge.js';

const MINUTE_MS = 60_000;
const EVERY_MS = 24 * 60 * MINUTE_MS;
/** After the start, when there is other work; instances that start together do not sweep together. */
const FIRST_MS = { least: 5 * MINUTE_MS, spread: 25 * MINUTE_MS } as const;

/** Forgets pages that nobody has any more, once a day. */
@Injectable()
export class PageSweep implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger(PageSweep.name);
  private next: NodeJS.Timeout | undefined;

  constructor(
    private readonly database: Database,
    private readonly config: Config,
  ) {}

  /** Gives the number of pages that were forgotten. */
  async sweep(): Promise<number> {
    const purged = await purgePages(this.database);
    if (purged > 0) {
      this.logger.log({ msg: 'pages purged', purged });
    }
    return purged;
  }

  onModuleInit(): void {
    if (this.config.resolverConcurrency > 0) {
      this.sweepAfter(FIRST_MS.least + randomInt(FIRST_MS.spread));
    }
  }

  onModuleDestroy(): void {
    clearTimeout(this.next);
  }

  private sweepAfter(ms: number): void {
    const sweep = (): void => {
      this.sweepAfter(EVERY_MS);
      void this.sweep().catch((error: unknown) => {
        this.logger.warn(error);
      });
    };
    this.next = setTimeout(sweep, ms).unref();
  }
}
