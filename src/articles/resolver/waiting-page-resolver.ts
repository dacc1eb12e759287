import { setTimeout as pause } from 'node:timers/promises';

import { Injectable, Logger } from '@nestjs/common';

import { ServiceBusyError } from '../../platform/common/common.errors.js';
import type { SentPage } from '../../reading-list/pages/page-requests.js';
import { PageResolver, type PageToResolve } from '../../reading-list/pages/page-resolver.js';
import { PageDelivery } from './page-delivery.service.js';
import { PageJobs } from './page-jobs.js';
import { PageQueue, type WaitingState } from './page-queue.service.js';
import { SentPages } from './sent-pages.service.js';

/**
 * The maximum number of pages that are fetched ahead of the queue at the same time. Further calls
 * wait for a free slot.
 */
const MAX_READING = 8;
/**
 * The maximum number of pages of one user that are fetched ahead of the queue. It is smaller than
 * MAX_READING, so that one user cannot occupy all slots.
 */
const MAX_PER_USER = 4;
const LOOK_EVERY_MS = 100;

const logger = new Logger('WaitingPageResolver');

/** Fetches the page of a new item ahead of the queue, while the client waits for the response. */
@Injectable()
export class WaitingPageResolver extends PageResolver {
  /**
   * The user ids of the pages that are being fetched ahead of the queue. Contains a user id once
   * for each page of this user.
   */
  private readonly reading: string[] = [];

  constructor(
    private readonly queue: PageQueue,
    private readonly jobs: PageJobs,
    private readonly delivery: PageDelivery,
    private readonly sentPages: SentPages,
  ) {
    super();
  }

  /**
   * Fetches the page of an item, or parses the HTML that the client has sent. Waits at most `budgetMs` milliseconds.
   *
   * @throws ServiceBusyError if the client waits for the page that it has sent, and the parser
   * queue is full
   */
  override async resolve(page: PageToResolve, budgetMs: number): Promise<boolean> {
    const { sent } = page;
    if (sent !== undefined) {
      return this.keep({ ...page, ...sent }, budgetMs);
    }
    const read = async (): Promise<boolean> => this.read(page, performance.now() + budgetMs);
    return budgetMs > 0 && within(budgetMs, read().catch(later));
  }

  /**
   * Parses a page that a client has sent. If the parser queue is full and the client does not wait,
   * the page stays stored, and a background loop parses it after its lease has expired.
   */
  private async keep(page: PageToResolve & SentPage, budgetMs: number): Promise<boolean> {
    if (!this.sentPages.isFullFor(page.userId)) {
      return within(budgetMs, this.sentPages.keep(page));
    }
    if (budgetMs > 0 && (await this.sentPages.discard(page))) {
      throw new ServiceBusyError();
    }
    return false;
  }

  private async read(page: PageToResolve, endMs: number): Promise<boolean> {
    while (performance.now() < endMs) {
      const state = await this.attempt(page);
      if (state !== 'busy') {
        return this.arrive(page, state);
      }
      await pause(LOOK_EVERY_MS);
    }
    return false;
  }

  /**
   * Fetches the page if it can be leased now, and returns its state. `failed` means that this attempt failed: the page
   * was postponed or given up.
   */
  private async attempt(page: PageToResolve): Promise<WaitingState | 'failed'> {
    if (!this.hasPlaceFor(page.userId)) {
      return 'busy';
    }
    const claim = await this.queue.claimFor(page);
    if (typeof claim === 'string') {
      return claim;
    }
    this.reading.push(page.userId);
    try {
      return (await this.jobs.run(claim)) ? 'ready' : 'failed';
    } finally {
      this.reading.splice(this.reading.indexOf(page.userId), 1);
    }
  }

  private hasPlaceFor(userId: string): boolean {
    const own = this.reading.filter((reader) => reader === userId).length;
    return this.reading.length < MAX_READING && own < MAX_PER_USER;
  }

  /**
   * Writes the result of an ended fetch to the item: the page, or that the page was given up. Returns true if the item
   * no longer waits for its page, even if another worker has written the result. Returns false if this attempt failed.
   */
  private async arrive(
    { userId, itemId }: PageToResolve,
    state: WaitingState | 'failed',
  ): Promise<boolean> {
    if (state === 'ready' || state === 'failed') {
      await this.delivery.deliverTo(userId, itemId);
    }
    return state === 'ready' || state === 'gone';
  }
}

/**
 * Logs an error and returns false. The client sees no error, because the item is saved and its page
 * stays in the queue.
 */
function later(error: unknown): false {
  logger.warn(error);
  return false;
}

/**
 * Returns the result of `work`. If `work` takes longer than `budgetMs` milliseconds, returns false, and `work`
 * continues in the background.
 */
async function within(budgetMs: number, work: Promise<boolean>): Promise<boolean> {
  const timeUp = new AbortController();
  try {
    return await Promise.race([work, pause(budgetMs, false, { signal: timeUp.signal })]);
  } finally {
    timeUp.abort();
    // Ignores a failure after the time limit, because the page stays in the queue.
    work.catch(() => undefined);
  }
}
