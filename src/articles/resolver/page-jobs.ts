import { Injectable, Logger } from '@nestjs/common';

import { MAX_ATTEMPTS, PageCompletion } from './page-completion.service.js';
import { PageQueue } from './page-queue.service.js';
import { type PageClaim, PageReader, type ReadOutcome } from './page-reader.js';

/** Well before a lease ends: a page may wait long for a thread that parses it. */
const RENEW_EVERY_MS = 20_000;

/** Reads claimed pages, and releases those it has not finished when the service stops. */
@Injectable()
export class PageJobs {
  private readonly logger = new Logger(PageJobs.name);
  private readonly running = new Set<Promise<boolean>>();
  private readonly stopping = new AbortController();

  constructor(
    private readonly reader: PageReader,
    private readonly completion: PageCompletion,
    private readonly queue: PageQueue,
  ) {}

  /** Whether the page was read and stored. */
  async run(claim: PageClaim): Promise<boolean> {
    const renewing = setInterval(() => void this.renew(claim), RENEW_EVERY_MS).unref();
    const job = this.readAndComplete(claim).finally(() => {
      clearInterval(renewing);
      this.running.delete(job);
    });
    this.running.add(job);
    return job;
  }

  /** Ends what runs; pages that are not completed can be claimed by other instances at once. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await Promise.allSettled(this.running);
  }

  private async readAndComplete(claim: PageClaim): Promise<boolean> {
    const outcome = await this.outcomeOf(claim);
    if (this.stopping.signal.aborted) {
      // Also a claim that was made during the stop, whose job began after the others had ended.
      await this.queue.release(claim.lease);
      return false;
    }
    return (await this.completion.complete(claim, outcome)) && outcome.kind !== 'unread';
  }

  private async renew({ lease }: PageClaim): Promise<void> {
    await this.queue.renew(lease).catch((error: unknown) => {
      this.logger.warn(error);
    });
  }

  /** A page that makes the service fail is tried again, as one that cannot be reached. */
  private async outcomeOf(claim: PageClaim): Promise<ReadOutcome> {
    if (claim.attempts > MAX_ATTEMPTS) {
      // Each attempt ended with its process.
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
