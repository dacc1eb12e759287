import { setTimeout as pause } from 'node:timers/promises';

import { ServiceBusyError } from '../common/common.errors.js';

/** How long to wait before refusing: a client may send the next request before this process has cleared the finished one. */
const GRACE_MS = 500;

/** Lets one work of a user go on at a time, in this process. */
export class OnePerUser {
  private readonly users = new Map<string, Promise<unknown>>();

  constructor(private readonly refusal: () => Error = () => new ServiceBusyError()) {}

  /** Throws the refusal while another work of the user goes on. */
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

/** Lets so many works of all users go on at a time, in this process. */
export class FewAtOnce {
  private current = 0;

  constructor(private readonly most: number) {}

  /** Throws ServiceBusyError while enough others go on. */
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
