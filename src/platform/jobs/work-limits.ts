import { setTimeout as pause } from 'node:timers/promises';

import { ServiceBusyError } from '../common/common.errors.js';

/**
 * The time to wait before a user's second task is rejected. A client may send its next request just before the service
 * has noted the end of the previous one.
 */
const GRACE_MS = 500;

/** Limits each user to one running task in this process. */
export class OnePerUser {
  private readonly users = new Map<string, Promise<unknown>>();

  constructor(private readonly refusal: () => Error = () => new ServiceBusyError()) {}

  /**
   * Runs the task of a user.
   *
   * @throws the error of `refusal` if another task of the user is still running
   */
  async run<T>(userId: string, work: () => Promise<T>): Promise<T> {
    const current = this.users.get(userId);
    if (current !== undefined) {
      await Promise.race([current, pause(GRACE_MS, undefined, { ref: false })]);
    }
    if (this.users.has(userId)) {
      throw this.refusal();
    }
    const working = work().finally(() => this.users.delete(userId));
    this.users.set(
      userId,
      working.catch(() => undefined),
    );
    return working;
  }
}

/** Limits the number of tasks that run in parallel in this process, for all users together. */
export class FewAtOnce {
  private current = 0;

  constructor(private readonly most: number) {}

  /**
   * Runs the task if fewer than the maximum number are running.
   *
   * @throws ServiceBusyError if the maximum number of tasks is running
   */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.current >= this.most) {
      throw new ServiceBusyError();
    }
    this.current += 1;
    try {
      return await work();
    } finally {
      this.current -= 1;
    }
  }
}
