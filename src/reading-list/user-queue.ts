import pLimit, { type LimitFunction } from 'p-limit';

import { ServiceBusyError } from '../platform/common/common.errors.js';

interface QueueLimits {
  /** The maximum number of calls of one user that run at the same time. */
  readonly concurrency: number;
  /** The maximum number of calls of one user that wait or run. The clients of one user usually make fewer calls. */
  readonly maxCalls: number;
}

interface Queue {
  calls: number;
  readonly limit: LimitFunction;
}

/**
 * A queue for each user, in which the calls of the user wait for each other in this process. Without a queue, these
 * calls would wait in the database. Each waiting call would then hold a connection that the calls of other users need.
 */
export class UserQueue {
  private readonly queues = new Map<string, Queue>();

  constructor(private readonly limits: QueueLimits) {}

  /**
   * Runs the work when the queue of the user allows it.
   *
   * @throws ServiceBusyError if the user already has `maxCalls` calls that wait or run.
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
