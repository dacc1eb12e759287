import { setTimeout as pause } from 'node:timers/promises';

import { Injectable, Logger } from '@nestjs/common';

import { ServiceBusyError } from '../../platform/common/common.errors.js';
import type { SentPage } from '../../reading-list/list/page-requests.js';
import { PageResolver, type PageToResolve } from '../../reading-list/page-resolver.js';
import { PageDelivery } from './page-delivery.service.js';
import { PageJobs } from './page-jobs.js';
import { PageQueue, type WaitingState } from './page-queue.service.js';
import { SentPages } from './sent-pages.service.js';

/** How many pages are read before their turn at once; further calls wait. */
const MAX_READING = 8;
/** Less than all places, so that one user leaves some for others. */
const MAX_PER_USER = 4;
const LOOK_EVERY_MS = 100;

const logger = new Logger('WaitingPageResolver');

/** Reads the page of an item that was just added, while its client waits. */
@Injectable()
export class WaitingPageResolver extends PageResolver {
  /** The users whose pages are being read before their turn. */
  private readonly reading: string[] = [];

  constructor(
    private readonly queue: PageQueue,
    private readonly jobs: PageJobs,
    private readonly delivery: PageDelivery,
    private readonly sentPages: SentPages,
  ) {
    super();
  }

  /** Throws ServiceBusyError. */
  override async resolve(page: PageToResolve, budgetMs: number): Promise<boolean> {
    const { sent } = page;
    if (sent !== undefined) {
      return this.keep({ ...page, ...sent }, budgetMs);
    }
    const read = async (): Promise<boolean> => this.read(page, performance.now() + budgetMs);
    return budgetMs > 0 && within(budgetMs, read().catch(later));
  }

  /** Where no client waits for the answer, a page without a place stays stored, and is found when its lease ends. */
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

  private async attempt(page: PageToResolve): Promise<WaitingState | 'unread'> {
    if (!this.hasPlaceFor(page.userId)) {
      return 'busy';
    }
    const claim = await this.queue.claimFor(page);
    if (typeof claim === 'string') {
      return claim;
    }
    this.reading.push(page.userId);
    try {
      return (await this.jobs.run(claim)) ? 'ready' : 'unread';
    } finally {
      this.reading.splice(this.reading.indexOf(page.userId), 1);
    }
  }

  private hasPlaceFor(userId: string): boolean {
    const own = this.reading.filter((reader) => reader === userId).length;
    return this.reading.length < MAX_READING && own < MAX_PER_USER;
  }

  /** An item that no longer waits has got its page from another worker. */
  private async arrive(
    { userId, itemId }: PageToResolve,
    state: WaitingState | 'unread',
  ): Promise<boolean> {
    if (state === 'ready' || state === 'unread') {
      await this.delivery.deliverTo(userId, itemId);
    }
    return state === 'ready' || state === 'gone';
  }
}

/** The item is saved and the queue tries again, so the client need not learn of the error. */
function later(error: unknown): false {
  logger.warn(error);
  return false;
}

/** False when the time is up; the work continues in the background. */
async function within(budgetMs: number, work: Promise<boolean>): Promise<boolean> {
  const timeUp = new AbortController();
  try {
    return await Promise.race([work, pause(budgetMs, false, { signal: timeUp.signal })]);
  } finally {
    timeUp.abort();
    // A failure after the time is up is ignored; the queue tries again.
    work.catch(() => undefined);
  }
}
