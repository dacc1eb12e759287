import { Injectable, Logger } from '@nestjs/common';

import { MAX_ATTEMPTS, PageCompletion } from './page-completion.service.js';
import { PageQueue } from './page-queue.service.js';
import { type PageClaim, PageReader, type ReadOutcome } from './page-reader.js';

/**
 * The interval at which the lease of a page is renewed, in milliseconds. It is much shorter than a lease, because a
 * page may wait long for a free parser thread.
 */
const RENEW_EVERY_MS = 20_000;

/** Fetches and parses claimed pages. Releases unfinished claims when the service stops. */
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

  /** Fetches, parses and stores a claimed page. Returns true if the page was fetched and stored. */
  async run(claim: PageClaim): Promise<boolean> {
    const renewing = setInterval(() => void this.renew(claim), RENEW_EVERY_MS).unref();
    const job = this.readAndComplete(claim).finally(() => {
      clearInterval(renewing);
      this.running.delete(job);
    });
    this.running.add(job);
    return job;
  }

  /** Aborts the running jobs. Other instances can claim unfinished pages immediately. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await Promise.allSettled(this.running);
  }

  private async readAndComplete(claim: PageClaim): Promise<boolean> {
    const outcome = await this.outcomeOf(claim);
    if (this.stopping.signal.aborted) {
      // Releases the page when the service stops, even if it was claimed after the other jobs had ended.
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

  /**
   * Fetches and parses a claimed page, and returns the outcome. An internal error counts as a temporary failure, so the
   * page is retried.
   */
  private async outcomeOf(claim: PageClaim): Promise<ReadOutcome> {
    if (claim.attempts > MAX_ATTEMPTS) {
      // Gives up the page, because each earlier attempt ended with a crash of its process.
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
