import { Injectable, Logger } from '@nestjs/common';

import { MAX_ATTEMPTS, PageCompletion } from './page-completion.service.js';
import { PageQueue } from './page-queue.service.js';
import { type AttemptOutcome, type PageClaim, PageReader } from './page-reader.js';

/**
 * The interval in milliseconds at which the lease of a page is renewed. It is much shorter than the
 * lease, because a page may wait a long time for a free parser thread.
 */
const RENEW_EVERY_MS = 20_000;

/** Fetches and parses pages that this instance has leased. Releases unfinished pages when the service stops. */
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

  /** Fetches, parses and stores a leased page. Returns false if the attempt failed. */
  async run(claim: PageClaim): Promise<boolean> {
    const renewing = setInterval(() => void this.renew(claim), RENEW_EVERY_MS).unref();
    const job = this.readAndComplete(claim).finally(() => {
      clearInterval(renewing);
      this.running.delete(job);
    });
    this.running.add(job);
    return job;
  }

  /** Aborts all jobs and releases their pages, so that other instances can lease them immediately. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await Promise.allSettled(this.running);
  }

  private async readAndComplete(claim: PageClaim): Promise<boolean> {
    const outcome = await this.outcomeOf(claim);
    if (this.stopping.signal.aborted) {
      // Releases the lease during a shutdown, because the fetch was aborted and its outcome is
      // invalid.
      await this.queue.release(claim.lease);
      return false;
    }
    return (await this.completion.complete(claim, outcome)) && outcome.kind !== 'failed';
  }

  private async renew({ lease }: PageClaim): Promise<void> {
    await this.queue.renew(lease).catch((error: unknown) => {
      this.logger.warn(error);
    });
  }

  /**
   * Fetches and parses a leased page, and returns the outcome. An internal error counts as a temporary failure, so
   * another attempt to fetch the page follows.
   */
  private async outcomeOf(claim: PageClaim): Promise<AttemptOutcome> {
    if (claim.attempts > MAX_ATTEMPTS) {
      // The process has crashed during the last allowed attempt, so the page is given up.
      return { kind: 'failed', reason: 'crash', isTemporary: false };
    }
    try {
      return claim.isFresh
        ? { kind: 'unchanged' }
        : await this.reader.read(claim, this.stopping.signal);
    } catch (error) {
      this.logger.error(error);
      return { kind: 'failed', reason: 'internal', isTemporary: true };
    }
  }
}
