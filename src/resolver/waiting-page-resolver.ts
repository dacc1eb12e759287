import { setTimeout as pause } from 'node:timers/promises';

import { Injectable, Logger } from '@nestjs/common';

import { PageResolver, type PageToResolve } from '../reading-list/page-resolver.js';
import { OwnPages } from './own-pages.js';
import { PageDelivery } from './page.delivery.js';
import { PageJobs } from './page-jobs.js';
import { ResolutionQueue, type WaitingState } from './resolution.queue.js';

/** Pages read out of turn at a time; whoever comes then waits for the queue. */
const AT_ONCE = 8;
/** Whoever adds many at once leaves places for others. */
const MOST_OF_ONE = 4;
const LOOK_EVERY_MS = 100;

const logger = new Logger('WaitingPageResolver');

/** Reads the page of an item that was added just now, while its client waits. */
@Injectable()
export class WaitingPageResolver extends PageResolver {
  /** Whose pages are being read out of turn. */
  private readonly reading: string[] = [];

  constructor(
    private readonly queue: ResolutionQueue,
    private readonly jobs: PageJobs,
    private readonly delivery: PageDelivery,
    private readonly ownPages: OwnPages,
  ) {
    super();
  }

  override async resolve(page: PageToResolve, budgetMs: number): Promise<boolean> {
    const { sent } = page;
    if (sent !== undefined) {
      return within(budgetMs, this.ownPages.keep({ ...page, ...sent }));
    }
    const read = async (): Promise<boolean> => this.read(page, performance.now() + budgetMs);
    return budgetMs > 0 && within(budgetMs, read().catch(later));
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
    return this.reading.length < AT_ONCE && own < MOST_OF_ONE;
  }

  /** Who no longer waits was served by somebody else. */
  private async arrive(
    { userId, itemId }: PageToResolve,
    state: WaitingState | 'unread',
  ): Promise<boolean> {
    if (state === 'ready') {
      await this.delivery.deliverTo(userId, itemId);
    }
    return state === 'ready' || state === 'gone';
  }
}

/** The item is saved, and the queue tries again: a fault of ours is nothing that the client could do better. */
function later(error: unknown): false {
  logger.warn(error);
  return false;
}

/** What takes longer goes on by itself. */
async function within(budgetMs: number, work: Promise<boolean>): Promise<boolean> {
  const timeUp = new AbortController();
  try {
    return await Promise.race([work, pause(budgetMs, false, { signal: timeUp.signal })]);
  } finally {
    timeUp.abort();
    // Nobody hears of a failure that comes after the time; the queue tries again.
    work.catch(() => undefined);
  }
}
