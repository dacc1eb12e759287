import { setTimeout as pause } from 'node:timers/promises';

import { ServiceBusyError } from '../../common/common.errors.js';

/** Each holds a connection of the pool while it reads. */
const READERS = 2;
/** A client has the last byte of an export before this process has put its file away, and may ask for the next. */
const GRACE_MS = 500;

/** Keeps one person, and all together, from having too many exports made at once by this process. */
export class ExportTurns {
  private readonly people = new Map<string, Promise<unknown>>();
  private readers = 0;

  /** Throws ServiceBusyError while another export of the person is made or sent. */
  async ofPerson<T>(userId: string, work: () => Promise<T>): Promise<T> {
    const current = this.people.get(userId);
    if (current !== undefined) {
      await Promise.race([current, pause(GRACE_MS, undefined, { ref: false })]);
    }
    if (this.people.has(userId)) {
      throw new ServiceBusyError();
    }
    const working = work().finally(() => this.people.delete(userId));
    this.people.set(
      userId,
      working.catch(() => undefined),
    );
    return working;
  }

  /** Throws ServiceBusyError while others read the database. */
  async ofReader<T>(work: () => Promise<T>): Promise<T> {
    if (this.readers >= READERS) {
      throw new ServiceBusyError();
    }
    this.readers += 1;
    try {
      return await work();
    } finally {
      this.readers -= 1;
    }
  }
}
