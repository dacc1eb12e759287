import { setTimeout as pause } from 'node:timers/promises';

import pLimit, { type LimitFunction } from 'p-limit';

import { ServiceBusyError } from '../common/common.errors.js';

interface QueueLimits {
  /** The maximum number of calls with the same key that run in parallel. */
  readonly concurrency: number;
  /** The maximum number of calls with the same key that are queued or running. Further calls are rejected. */
  readonly maxCalls: number;
  /**
   * The maximum time in milliseconds that a call above `maxCalls` waits for another call to end. After this time, the
   * call is rejected. The default is 0. Set this time if a client may send a request just before the service has
   * recorded the end of its previous request.
   */
  readonly patienceMs?: number;
  /** Creates the error for rejected calls. The default is ServiceBusyError. */
  readonly refusal?: () => Error;
}

/**
 * Limits that allow one call per key at a time. A second call waits for `patienceMs`, because a
 * client may send its next request just before the previous call has ended.
 */
export const ONE_CALL = { concurrency: 1, maxCalls: 1, patienceMs: 500 } as const;

interface Queue {
  readonly limit: LimitFunction;
  readonly calls: Set<Promise<unknown>>;
}

/**
 * Queues the calls with the same key in this process, for example the calls of one user. If the calls waited in the
 * database instead, each waiting call would hold a connection that other users need.
 */
export class KeyedQueue {
  private readonly queues = new Map<string, Queue>();

  private readonly limits: Required<QueueLimits>;

  constructor(limits: QueueLimits) {
    this.limits = { patienceMs: 0, refusal: () => new ServiceBusyError(), ...limits };
  }

  /**
   * Calls `work` as soon as fewer calls with this key are running than `concurrency` allows.
   *
   * @throws the error of `refusal` if `maxCalls` calls with this key are already queued or running
   */
  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const { concurrency, patienceMs, refusal } = this.limits;
    if (this.isFull(key) && patienceMs > 0) {
      await Promise.race([this.nextEnd(key), pause(patienceMs, undefined, { ref: false })]);
    }
    if (this.isFull(key)) {
      throw refusal();
    }
    const queue = this.queues.get(key) ?? { limit: pLimit(concurrency), calls: new Set() };
    this.queues.set(key, queue);
    const call = queue.limit(work);
    queue.calls.add(call);
    try {
      return await call;
    } finally {
      queue.calls.delete(call);
      if (queue.calls.size === 0) {
        this.queues.delete(key);
      }
    }
  }

  private isFull(key: string): boolean {
    return (this.queues.get(key)?.calls.size ?? 0) >= this.limits.maxCalls;
  }

  /** Resolves when a call with this key has ended, even if it has failed. */
  private async nextEnd(key: string): Promise<void> {
    const calls = [...(this.queues.get(key)?.calls ?? [])];
    await Promise.race(calls.map((call) => call.catch(() => undefined)));
  }
}
