import { randomInt } from 'node:crypto';

import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  Module,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
  type OnModuleInit,
} from '@nestjs/common';

import { Config } from '../../platform/config/config.js';
import { BackgroundWork } from '../../platform/jobs/background-work.js';
import { Every } from '../../platform/jobs/every.js';
import type { WorkLoops } from '../../platform/jobs/work-loops.js';
import { PageCompletion } from './page-completion.service.js';
import { PageDelivery } from './page-delivery.service.js';
import { PageJobs } from './page-jobs.js';
import { PageQueue } from './page-queue.service.js';
import { ResolutionAdministrationService } from './resolution-administration.service.js';
import { SentPages } from './sent-pages.service.js';

/**
 * The pause in milliseconds after the queue was found empty. Polling also finds pages that other
 * instances have queued.
 */
const LOOK_EVERY_MS = 1000;
const REST_OF_OTHERS_MS = 60_000;
const LOOK_FOR_ABANDONED_EVERY_MS = 5000;

/** Runs the loops that fetch queued pages concurrently and write them to the items. */
@Injectable()
class ResolverWorkers implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly loops: WorkLoops;

  // eslint-disable-next-line @typescript-eslint/max-params -- the container passes them, by their types
  constructor(
    work: BackgroundWork,
    private readonly config: Config,
    private readonly queue: PageQueue,
    private readonly jobs: PageJobs,
    private readonly delivery: PageDelivery,
  ) {
    this.loops = work.add(ResolverWorkers.name);
  }

  onApplicationBootstrap(): void {
    const { resolverConcurrency } = this.config;
    if (resolverConcurrency > 0) {
      for (let reader = 0; reader < resolverConcurrency; reader += 1) {
        // In a quiet process, one loop looks for pages. The others continue when it has found one.
        const restMs = reader === 0 ? {} : { restMs: REST_OF_OTHERS_MS };
        this.loops.start(() => this.readNext(), { everyMs: LOOK_EVERY_MS, ...restMs });
      }
      this.loops.start(() => this.deliverReady(), { everyMs: LOOK_EVERY_MS });
    }
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.loops.stop();
    await this.jobs.stop();
    await this.loops.ended();
  }

  private async readNext(): Promise<boolean> {
    const claim = await this.queue.claim();
    if (claim !== undefined) {
      await this.jobs.run(claim);
    }
    return claim !== undefined;
  }

  /**
   * Writes ready pages to their items. Returns false, so that the loop pauses after each call. More
   * pages become ready during the pause, and the next call writes them with one new version per
   * list.
   */
  private async deliverReady(): Promise<false> {
    await this.delivery.deliverAll();
    return false;
  }
}

/**
 * Parses pages that clients have sent to a process that has ended or was too busy to parse them.
 */
@Injectable()
class SentPageWorker implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly loops: WorkLoops;

  constructor(
    work: BackgroundWork,
    private readonly sentPages: SentPages,
  ) {
    this.loops = work.add(SentPageWorker.name);
  }

  /**
   * Starts the loop even if this instance fetches no pages, because clients may send pages to it.
   */
  onApplicationBootstrap(): void {
    this.loops.start(() => this.sentPages.keepAbandoned(), {
      everyMs: LOOK_FOR_ABANDONED_EVERY_MS,
    });
  }

  /**
   * Stops the loop without waiting for a page that is being parsed. After the restart, another
   * process can parse this page.
   */
  onModuleDestroy(): void {
    this.loops.stop();
  }
}

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/**
 * The random delay in milliseconds between the start of the service and the first purge of unused
 * pages. It is short, so that a service that restarts every day still purges pages. It is random,
 * so that instances that start together do not purge at the same time.
 */
const FIRST_PURGE_MS = { least: 5 * MINUTE_MS, spread: 25 * MINUTE_MS } as const;

/**
 * Logs counts of completed and waiting pages every minute. Purges unused pages soon after the
 * start, and then daily.
 */
@Injectable()
export class PageSchedule implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger(PageSchedule.name);
  private readonly purges: WorkLoops;

  constructor(
    work: BackgroundWork,
    private readonly config: Config,
    private readonly completion: PageCompletion,
    private readonly administration: ResolutionAdministrationService,
  ) {
    this.purges = work.add(`${PageSchedule.name}.purge`);
  }

  @Every(MINUTE_MS)
  logCounts(): Promise<void> {
    return this.completion.logCounts();
  }

  onModuleInit(): void {
    if (this.config.resolverConcurrency > 0) {
      const firstMs = FIRST_PURGE_MS.least + randomInt(FIRST_PURGE_MS.spread);
      this.purges.start(() => this.purge(), { everyMs: DAY_MS, firstMs });
    }
  }

  /** Logs the pages that were completed since the last call of `logCounts`. */
  async onModuleDestroy(): Promise<void> {
    this.purges.stop();
    await this.completion.logCounts().catch((error: unknown) => {
      this.logger.warn(error);
    });
  }

  private async purge(): Promise<false> {
    await this.administration.purge();
    return false;
  }
}

/**
 * The loops and timers that fetch pages in the background. The command line does not import this
 * module, so it fetches no queued pages.
 */
@Module({ providers: [ResolverWorkers, SentPageWorker, PageSchedule] })
export class ResolverWorkersModule {}
