import { setTimeout as pause } from 'node:timers/promises';

import { ServiceBusyError } from '../common/common.errors.js';

const MOST_ATTEMPTS = 4;
/** The pause after the first attempt in milliseconds. Each further pause is twice as long. */
const FIRST_PAUSE_MS = 500;

/**
 * Calls `work` again after a pause if the service is busy. Returns undefined if it is busy at each attempt.
 * @throws the reason of `signal` if `signal` is aborted during a pause
 */
export async function patiently<T>(
  work: () => Promise<T>,
  signal: AbortSignal,
): Promise<T | undefined> {
  for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof ServiceBusyError)) {
        throw error;
      }
    }
    if (attempt < MOST_ATTEMPTS) {
      await pause(FIRST_PAUSE_MS * 2 ** (attempt - 1), undefined, { signal });
    }
  }
  return undefined;
}
