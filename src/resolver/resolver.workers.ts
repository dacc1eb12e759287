import { setTimeout as pause } from 'node:timers/promises';

import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';

import { Config } from '../config/config.js';
import { PageDelivery } from './page.delivery.js';
import { PageJobs } from './page-jobs.js';
import { ResolutionQueue } from './resolution.queue.js';

/** How long nobody looks when there was nothing to do; other instances and a restart leave work behind. */
const LOOK_EVERY_MS = 1000;

/** Takes pages from the queue and reads them, some at a time, as long as the service runs. */
@Injectable()
export class ResolverWorkers implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(ResolverWorkers.name);
  private readonly stopping = new AbortController();
  private loops: readonly Promise<void>[] = [];

  constructor(
    private readonly config: Config,
    private readonly queue: ResolutionQueue,
    private readonly jobs: PageJobs,
    private readonly delivery: PageDelivery,
  ) {}

  onApplicationBootstrap(): void {
    const { resolverConcurrency } = this.config;
    if (resolverConcurrency > 0) {
      const readers = Array.from({ length: resolverConcurrency }, () =>
        this.loop(() => this.readNext()),
      );
      this.loops = [...readers, this.loop(() => this.deliverReady())];
    }
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    await this.jobs.stop();
    await Promise.all(this.loops);
  }

  /** Works while there is work, and looks again after a while. */
  private async loop(work: () => Promise<boolean>): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      if (!(await this.attempt(work))) {
        await pause(LOOK_EVERY_MS, undefined, { signal, ref: false }).catch(() => undefined);
      }
    }
  }

  private async attempt(work: () => Promise<boolean>): Promise<boolean> {
    try {
      return await work();
    } catch (error) {
      this.logger.warn(error);
      return false;
    }
  }

  private async readNext(): Promise<boolean> {
    const claim = await this.queue.claim();
    if (claim !== undefined) {
      await this.jobs.run(claim);
    }
    return claim !== undefined;
  }

  /** At most once in a while, so that the clock of a list does not run ahead while thousands of pages come in. */
  private async deliverReady(): Promise<false> {
    await this.delivery.deliverAll();
    return false;
  }
}
