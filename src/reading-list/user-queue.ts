import pLimit, { type LimitFunction } from 'p-limit';

import { ServiceBusyError } from '../platform/common/common.errors.js';

interface QueueLimits {
  /** The maximum number of calls of one user that run in parallel. */
  readonly concurrency: number;
  /**
   * The maximum number of calls of one user that are queued or running. The clients of one user usually make fewer
   * calls.
   */
  readonly maxCalls: number;
}

interface Queue {
  calls: number;
  readonly limit: LimitFunction;
}

/**
 * Queues the calls of each user in this process. In the database, each waiting call would hold a connection that the
 * calls of other users need.
 */
export class UserQueue {
  private readonly queues = new Map<string, Queue>();

  constructor(private readonly limits: QueueLimits) {}

  /**
   * Calls `work` when fewer calls of the user are running than allowed.
   *
   * @throws ServiceBusyError if `maxCalls` calls of the user are already queued or running.
   */
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
