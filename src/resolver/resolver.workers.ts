import {
  type BeforeApplicationShutdown,
  Injectable,
  type OnApplicationBootstrap,
} from '@nestjs/common';

import { WorkLoops } from '../common/work-loops.js';
import { Config } from '../config/config.js';
import { PageDelivery } from './page.delivery.js';
import { PageJobs } from './page-jobs.js';
import { ResolutionQueue } from './resolution.queue.js';

/** How long nobody looks when there was nothing to do; other instances and a restart leave work behind. */
const LOOK_EVERY_MS = 1000;

/** Takes pages from the queue and reads them, some at a time, as long as the service runs. */
@Injectable()
export class ResolverWorkers implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly loops = new WorkLoops(ResolverWorkers.name);

  constructor(
    private readonly config: Config,
    private readonly queue: ResolutionQueue,
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

  /** At most once in a while, so that the clock of a list does not run ahead while thousands of pages come in. */
  private async deliverReady(): Promise<false> {
    await this.delivery.deliverAll();
    return false;
  }
}
