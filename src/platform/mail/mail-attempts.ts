import { Logger } from '@nestjs/common';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** The time after which another process may send a mail whose process has died. */
const LEASE_MS = 5 * MINUTE_MS;
const RENEW_EVERY_MS = MINUTE_MS;
/** The pauses after failed attempts. One more failed attempt is the last one. */
const PAUSES_MS = [
  ...[5 * MINUTE_MS, 20 * MINUTE_MS, HOUR_MS, 4 * HOUR_MS],
  ...[12 * HOUR_MS, 24 * HOUR_MS, 24 * HOUR_MS],
];

const logger = new Logger('MailAttempts');

/** Returns the end of a lease that begins or is extended now. */
export const leaseEndAt = (now: Date): Date => new Date(now.getTime() + LEASE_MS);

/** Returns the time of the next attempt after this number of attempts has failed. Undefined after the last attempt. */
export function nextAttemptAt(attempts: number, now: Date): Date | undefined {
  const pauseMs = PAUSES_MS[attempts - 1];
  return pauseMs === undefined ? undefined : new Date(now.getTime() + pauseMs);
}

/** Returns true if this attempt is one too many, because processes have died in earlier attempts. */
export const isOneTooMany = (attempts: number): boolean => attempts > PAUSES_MS.length + 1;

/** Does the work on a claimed mail, and calls `renew` every minute meanwhile, so that its lease does not end. */
export async function withLease<T>(
  renew: () => Promise<unknown>,
  work: () => Promise<T>,
): Promise<T> {
  const tryToRenew = async (): Promise<void> => {
    try {
      await renew();
    } catch (error) {
      logger.warn(error);
    }
  };
  const renewing = setInterval(() => void tryToRenew(), RENEW_EVERY_MS).unref();
  try {
    return await work();
  } finally {
    clearInterval(renewing);
  }
}
