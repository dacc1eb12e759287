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
import { Every } from '../../platform/jobs/every.js';
import { WorkLoops } from '../../platform/jobs/work-loops.js';
import { PageCompletion } from './page-completion.service.js';
import { PageDelivery } from './page-delivery.service.js';
import { PageJobs } from './page-jobs.js';
import { PageQueue } from './page-queue.service.js';
import { ResolutionAdministrationService } from './resolution-administration.service.js';
import { SentPages } from './sent-pages.service.js';

/**
 * The pause in milliseconds after a check that found no page to fetch. The checks also find pages that another instance
 * or a restart has left.
 */
const LOOK_EVERY_MS = 1000;
const LOOK_FOR_ABANDONED_EVERY_MS = 5000;

/** Runs the loops that fetch queued pages concurrently and write them to the items. */
@Injectable()
class ResolverWorkers implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly loops = new WorkLoops(ResolverWorkers.name);

  constructor(
    private readonly config: Config,
    private readonly queue: PageQueue,
    private readonly jobs: PageJobs,
    private readonly delivery: PageDelivery,
  ) {}

  onApplicationBootstrap(): void {
    const { resolverConcurrency } = this.config;
    if (resolverConcurrency > 0) {
      for (let reader = 0; reader < resolverConcurrency; reader += 1) {
        this.loops.start(() => this.readNext(), LOOK_EVERY_MS);
      }
      this.loops.start(() => this.deliverReady(), LOOK_EVERY_MS);
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
   * Writes ready pages to their items. Always returns false, so that the loop pauses after each call. With no pause,
   * each of thousands of pages could increase the version of its list.
   */
  private async deliverReady(): Promise<false> {
    await this.delivery.deliverAll();
    return false;
  }
}

/** Parses pages that clients have sent to a process that ended before it parsed them, or that had no capacity. */
@Injectable()
class SentPageWorker implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly loops = new WorkLoops(SentPageWorker.name);

  constructor(private readonly sentPages: SentPages) {}

  /** The loop runs even in an instance that fetches no pages, because clients send pages to this instance too. */
  onApplicationBootstrap(): void {
    this.loops.start(() => this.sentPages.keepAbandoned(), LOOK_FOR_ABANDONED_EVERY_MS);
  }

  /**
   * Stops the loop, but does not wait for the page that is being parsed, because another process can lease this page
   * later.
   */
  onModuleDestroy(): void {
    this.loops.stop();
  }
}

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/**
 * The delay in milliseconds between the start of the service and the first purge of unused pages. It is short, so that
 * a service that restarts daily purges too. Because of its random part, instances that start together purge at
 * different times.
 */
const FIRST_PURGE_MS = { least: 5 * MINUTE_MS, spread: 25 * MINUTE_MS } as const;

/** Logs the number of pages in each state every minute. Purges unused pages soon after the start, and then daily. */
@Injectable()
export class PageSchedule implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger(PageSchedule.name);
  private nextPurge: NodeJS.Timeout | undefined;

  constructor(
    private readonly config: Config,
    private readonly completion: PageCompletion,
    private readonly administration: ResolutionAdministrationService,
  ) {}

  @Every(MINUTE_MS)
  logCounts(): Promise<void> {
    return this.completion.logCounts();
  }

  onModuleInit(): void {
    if (this.config.resolverConcurrency > 0) {
      this.purgeAfter(FIRST_PURGE_MS.least + randomInt(FIRST_PURGE_MS.spread));
    }
  }

  /**
   * Logs the counts again, because a call of `logCounts` that is still running does not include the latest outcomes.
   */
  onModuleDestroy(): Promise<void> {
    clearTimeout(this.nextPurge);
    return this.orWarn(this.completion.logCounts());
  }

  private purgeAfter(ms: number): void {
    const purge = (): void => {
      this.purgeAfter(DAY_MS);
      void this.orWarn(this.administration.purge());
    };
    this.nextPurge = setTimeout(purge, ms).unref();
  }

  private async orWarn(work: Promise<unknown>): Promise<void> {
    await work.catch((error: unknown) => {
      this.logger.warn(error);
    });
  }
}

/**
 * The loops and timers that fetch pages in the background. The command line does not import this module, so it fetches
 * no queued pages.
 */
@Module({ providers: [ResolverWorkers, SentPageWorker, PageSchedule] })
export class ResolverWorkersModule {}
