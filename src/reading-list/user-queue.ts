import pLimit, { type LimitFunction } from 'p-limit';

import { ServiceBusyError } from '../platform/common/common.errors.js';

interface QueueLimits {
  /** How many calls of one user run at the same time. */
  readonly concurrency: number;
  /** How many calls of one user wait or run; more than its clients make. */
  readonly maxCalls: number;
}

interface Queue {
  calls: number;
  readonly limit: LimitFunction;
}

/**
 * A queue per user: the calls of one user wait for each other in this process. In the database they would wait for each
 * other, or for the processor, all the same, each with a connection that the calls of other users need.
 */
export class UserQueue {
  private readonly queues = new Map<string, Queue>();

  constructor(private readonly limits: QueueLimits) {}

  /** Throws ServiceBusyError when too many wait already. */
  async run<T>(userId: string, work: () => Promise<T>): Promise<T> {
    const queue = this.queues.get(userId) ?? { calls: 0, limit: pLimit(this.limits.concurrency) };
    if (queue.calls >= this.limits.maxCalls) {
      throw new ServiceBusyError();
    }
    this.queues.set(userId, queue);
    queue.calls += 1;
    try {
      return await queue.limit(work);
    } finally {
      queue.calls -= 1;
      if (queue.calls === 0) {
        this.queues.delete(userId);
      }
    }
  }
}
