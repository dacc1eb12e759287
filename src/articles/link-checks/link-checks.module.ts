import { randomInt } from 'node:crypto';

import {
  type BeforeApplicationShutdown,
  Injectable,
  Module,
  type OnApplicationBootstrap,
} from '@nestjs/common';

import { Config } from '../../platform/config/config.js';
import { provideRepository } from '../../platform/database/custom-repository.js';
import { BackgroundWork } from '../../platform/jobs/background-work.js';
import type { WorkLoops } from '../../platform/jobs/work-loops.js';
import { GoneItems } from './gone-items.service.js';
import { LinkCheckRepository } from './link-check.repository.js';
import { LinkChecker } from './link-checker.service.js';
import { LinkProber } from './link-prober.js';

/** The pause after each batch of checks. It also is the least pause between two checks of pages of one host. */
const CHECK_EVERY_MS = 10_000;
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** The random delay of the first marking of items, so that instances that start together do not mark them together. */
const FIRST_MARKING_MS = { least: 5 * MINUTE_MS, spread: 25 * MINUTE_MS } as const;

/** Checks saved pages, and marks the items of gone pages daily. */
@Injectable()
class LinkCheckWorkers implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly checks: WorkLoops;
  private readonly marks: WorkLoops;

  constructor(
    work: BackgroundWork,
    private readonly config: Config,
    private readonly checker: LinkChecker,
    private readonly items: GoneItems,
  ) {
    this.checks = work.add(LinkChecker.name);
    this.marks = work.add(GoneItems.name);
  }

  onApplicationBootstrap(): void {
    if (this.config.checksLinks && this.config.resolverConcurrency > 0) {
      const firstMs = FIRST_MARKING_MS.least + randomInt(FIRST_MARKING_MS.spread);
      this.checks.start(() => this.check(), { everyMs: CHECK_EVERY_MS });
      this.marks.start(() => this.mark(), { everyMs: DAY_MS, firstMs });
    }
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.checks.stop();
    this.marks.stop();
    await Promise.all([this.checks.ended(), this.marks.ended()]);
  }

  /** Returns false, so that the loop pauses even if more pages are due. The checks are not urgent. */
  private async check(): Promise<false> {
    await this.checker.checkNext(this.checks.signal);
    return false;
  }

  private async mark(): Promise<false> {
    await this.items.mark(this.marks.signal);
    return false;
  }
}

/** The checks of whether saved pages still exist. Only the process that does the background work imports this module. */
@Module({
  providers: [
    provideRepository(LinkCheckRepository),
    LinkProber,
    LinkChecker,
    GoneItems,
    LinkCheckWorkers,
  ],
})
export class LinkChecksModule {}
