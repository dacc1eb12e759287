import { Injectable, Logger } from '@nestjs/common';

import type { PageClaim } from './page.claim.js';
import { PageSettlement } from './page.settlement.js';
import { PageReader } from './page-reader.js';
import type { ReadOutcome } from './page-record.js';
import { ResolutionQueue } from './resolution.queue.js';

/** Reads claimed pages, and gives back what it has not finished when the service stops. */
@Injectable()
export class PageJobs {
  private readonly logger = new Logger(PageJobs.name);
  private readonly running = new Map<string, Promise<boolean>>();
  private readonly stopping = new AbortController();

  constructor(
    private readonly reader: PageReader,
    private readonly settlement: PageSettlement,
    private readonly queue: ResolutionQueue,
  ) {}

  get count(): number {
    return this.running.size;
  }

  /** Tells whether the page was read and written down. */
  async run(claim: PageClaim): Promise<boolean> {
    const job = this.readAndSettle(claim).finally(() => this.running.delete(claim.lease));
    this.running.set(claim.lease, job);
    return job;
  }

  /** Ends what runs; pages that are not settled are free for other instances at once. */
  async stop(): Promise<void> {
    const leases = [...this.running.keys()];
    this.stopping.abort();
    await Promise.allSettled(this.running.values());
    await this.queue.release(leases);
  }

  private async readAndSettle(claim: PageClaim): Promise<boolean> {
    const outcome = await this.outcomeOf(claim);
    if (this.stopping.signal.aborted) {
      return false;
    }
    return (await this.settlement.settle(claim, outcome)) && outcome.kind !== 'unread';
  }

  /** A page that makes us fail is tried again, like one that cannot be reached. */
  private async outcomeOf(claim: PageClaim): Promise<ReadOutcome> {
    try {
      return claim.isFresh
        ? { kind: 'unchanged' }
        : await this.reader.read(claim, this.stopping.signal);
    } catch (error) {
      this.logger.error(error);
      return { kind: 'unread', reason: 'internal', isTemporary: true };
    }
  }
}
