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
 * The pause after a check that found no work, in milliseconds. The checks find work that other instances or a restart
 * have left.
 */
const LOOK_EVERY_MS = 1000;
const LOOK_FOR_ABANDONED_EVERY_MS = 5000;

/** Fetches requested pages concurrently, and delivers them, while the service runs. */
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
   * Delivers ready pages to items. Always returns false, so that a pause follows. Without the pause, thousands of pages
   * would increment the version of a list too often.
   */
  private async deliverReady(): Promise<false> {
    await this.delivery.deliverAll();
    return false;
  }
}

/** Parses pages that clients have sent, if the process that received the page ended too early or had no capacity. */
@Injectable()
class SentPageWorker implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly loops = new WorkLoops(SentPageWorker.name);

  constructor(private readonly sentPages: SentPages) {}

  /** Starts the loop even in an instance that fetches no pages, because clients still send pages to it. */
  onApplicationBootstrap(): void {
    this.loops.start(() => this.sentPages.keepAbandoned(), LOOK_FOR_ABANDONED_EVERY_MS);
  }

  /** Stops the loop without waiting for the page that is being parsed. Another process can claim this page again. */
  onModuleDestroy(): void {
    this.loops.stop();
  }
}

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/**
 * The delay of the first purge of unused pages after the start. The delay is short, so that a service that restarts
 * daily purges too. It is not zero, because the start causes other work. It is random, so that instances that start
 * together purge at different times.
 */
const FIRST_PURGE_MS = { least: 5 * MINUTE_MS, spread: 25 * MINUTE_MS } as const;

/** Logs page counts every minute. Purges unused pages soon after the start and then once a day. */
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

  /** Logs the page counts once more. A call of `logCounts` that is still running does not include the latest counts. */
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

/** The background loops and timers that fetch pages. The command line does not import this module. */
@Module({ providers: [ResolverWorkers, SentPageWorker, PageSchedule] })
export class ResolverWorkersModule {}
