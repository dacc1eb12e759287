import { Logger } from '@nestjs/common';

import { reasonOf } from '../../lib/util/reason.js';
import { isDiskFull } from './database.errors.js';

const LOG_EVERY_MS = 60_000;

const logger = new Logger('Database');
const loggedAtMs = new Map<string, number>();

/**
 * Runs a write that is not essential, such as storing when a session was last used. Returns undefined if the disk
 * of the database is full, so that a call that otherwise only reads still succeeds. Throws all other errors.
 */
export async function optionalWrite<T>(
  what: string,
  write: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await write();
  } catch (error) {
    if (!isDiskFull(error)) {
      throw error;
    }
    logSometimes(what, error);
    return undefined;
  }
}

/** Logs only one error about a full disk per minute and kind of write, because the log may be on the same disk. */
function logSometimes(what: string, error: unknown): void {
  const now = performance.now();
  const before = loggedAtMs.get(what);
  if (before === undefined || now - before > LOG_EVERY_MS) {
    loggedAtMs.set(what, now);
    logger.error(`${what} is not stored: ${reasonOf(error)}`);
  }
}
