import { Injectable, Logger } from '@nestjs/common';

import type { PageClaim } from './page.claim.js';
import { MAX_ATTEMPTS, PageSettlement } from './page.settlement.js';
import { PageReader } from './page-reader.js';
import type { ReadOutcome } from './page-record.js';
import { ResolutionQueue } from './resolution.queue.js';

/** Well before a lease ends: a page may wait long for a thread that parses it. */
const RENEW_EVERY_MS = 20_000;

/** Reads claimed pages, and gives back what it has not finished when the service stops. */
@Injectable()
export class PageJobs {
  private readonly logger = new Logger(PageJobs.name);
  private readonly running = new Set<Promise<boolean>>();
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
    const renewing = setInterval(() => void this.renew(claim), RENEW_EVERY_MS).unref();
    const job = this.readAndSettle(claim).finally(() => {
      clearInterval(renewing);
      this.running.delete(job);
    });
    this.running.add(job);
    return job;
  }

  /** Ends what runs; pages that are not settled are free for other instances at once. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await Promise.allSettled(this.running);
  }

  private async readAndSettle(claim: PageClaim): Promise<boolean> {
    const outcome = await this.outcomeOf(claim);
    if (this.stopping.signal.aborted) {
      // Also of a claim that was made at the last moment, and begun after the others had ended.
      await this.queue.release(claim.lease);
      return false;
    }
    return (await this.settlement.settle(claim, outcome)) && outcome.kind !== 'unread';
  }

  private async renew({ lease }: PageClaim): Promise<void> {
    await this.queue.renew(lease).catch((error: unknown) => {
      this.logger.warn(error);
    });
  }

  /** A page that makes us fail is tried again, like one that cannot be reached. */
  private async outcomeOf(claim: PageClaim): Promise<ReadOutcome> {
    if (claim.attempts > MAX_ATTEMPTS) {
      // Nobody lived to tell how the attempts ended.
      return { kind: 'unread', reason: 'crash', isTemporary: false };
    }
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
