import { Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';

import { Database } from '../database/database.js';
import { run } from '../database/statements.js';

const EVERY_MS = 60_000;

/** `unchanged`: asked for again, and still as it was; `postponed`: failed, to be tried again. */
export type PageFate = 'read' | 'unchanged' | 'postponed' | 'givenUp';

const WAITING = `SELECT count(*)::int AS waiting FROM page_requests WHERE page_id IS NULL`;

/** Tells the log once a minute what became of pages in this instance, and how many requests wait in all. */
@Injectable()
export class PageTally implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger(PageTally.name);
  private telling: NodeJS.Timeout | undefined;
  private counts = none();

  constructor(private readonly database: Database) {}

  count(fate: PageFate): void {
    this.counts[fate] += 1;
  }

  /** Counts begin anew; nothing is told of a time without pages. */
  async tell(): Promise<void> {
    const { counts } = this;
    if (Object.values(counts).every((count) => count === 0)) {
      return;
    }
    this.counts = none();
    const [row] = await this.database.read((manager) =>
      run<{ waiting: number }>(manager, { text: WAITING, values: [] }),
    );
    this.logger.log({ ...counts, ...row, msg: 'pages' });
  }

  onModuleInit(): void {
    this.telling = setInterval(() => void this.tellOrWarn(), EVERY_MS).unref();
  }

  async onModuleDestroy(): Promise<void> {
    clearInterval(this.telling);
    await this.tellOrWarn();
  }

  private async tellOrWarn(): Promise<void> {
    await this.tell().catch((error: unknown) => {
      this.logger.warn(error);
    });
  }
}

const none = (): Record<PageFate, number> => ({ read: 0, unchanged: 0, postponed: 0, givenUp: 0 });
