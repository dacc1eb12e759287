import { Injectable, Logger } from '@nestjs/common';

import { UserRepository } from '../../../auth/user.repository.js';
import { languageOfUser } from '../../../auth/user-language.js';
import { Clock } from '../../../platform/common/clock.js';
import { Database } from '../../../platform/database/database.js';
import type { Message } from '../../../platform/i18n/message.js';
import { english, translatorTo } from '../../../platform/i18n/translator.js';
import {
  type ClaimedDigest,
  ListDigestRepository,
} from '../../../reading-list/saved-lists/list-digest.repository.js';
import { nextDigestAt } from '../digest-times.js';
import { failureOf, skipReasonOf } from './list-digest.errors.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** The time after which another process may send a digest whose process has died. */
const LEASE_MS = 5 * MINUTE_MS;
const RENEW_EVERY_MS = MINUTE_MS;
/** The pauses after failed attempts. After one more failed attempt, the digest is turned off. */
const PAUSES_MS = [
  ...[5 * MINUTE_MS, 20 * MINUTE_MS, HOUR_MS, 4 * HOUR_MS],
  ...[12 * HOUR_MS, 24 * HOUR_MS, 24 * HOUR_MS],
];
const NO_FAILURE = { lastFailedAt: null, lastError: '' };

/** Claims digests that are due, and stores the results of the attempts to send them (docs/decisions/0122). */
@Injectable()
export class ListDigestQueue {
  private readonly logger = new Logger(ListDigestQueue.name);

  constructor(
    private readonly digests: ListDigestRepository,
    private readonly users: UserRepository,
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** Claims a digest that is due. Returns undefined if there is none. */
  claim(): Promise<ClaimedDigest | undefined> {
    return this.database.transaction((manager) =>
      ListDigestRepository.in(manager).claim(this.clock.now(), this.leaseEnd()),
    );
  }

  /** Does the work on a claimed digest, and extends its lease meanwhile. */
  async withLease<T>(digest: ClaimedDigest, work: () => Promise<T>): Promise<T> {
    const renewing = setInterval(() => void this.tryToRenew(digest), RENEW_EVERY_MS).unref();
    try {
      return await work();
    } finally {
      clearInterval(renewing);
    }
  }

  /** Returns false if the user has changed the digest since it was claimed. It must not be sent then. */
  isStillClaimed(digest: ClaimedDigest): Promise<boolean> {
    return this.digests.renew(digest, this.leaseEnd());
  }

  /** Stores that a digest with these items was sent, in one transaction. */
  async noteSent(digest: ClaimedDigest, itemIds: readonly string[]): Promise<void> {
    const result = { ...NO_FAILURE, lastSentAt: this.clock.now(), lastCount: itemIds.length };
    await this.database.transaction(async (manager) => {
      const digests = ListDigestRepository.in(manager);
      await digests.addItems(digest, itemIds);
      await digests.finish(digest, { next: this.onTime(digest), result });
    });
  }

  /** Stores that there was nothing to send. */
  async noteNothing(digest: ClaimedDigest): Promise<void> {
    await this.digests.finish(digest, { next: this.onTime(digest), result: NO_FAILURE });
  }

  /**
   * Stores why a digest was not sent, for the user to see. Tries again after a pause, or at the next time of the digest
   * if an earlier attempt would fail too. Turns off the digest after too many attempts.
   */
  async noteFailed(digest: ClaimedDigest, error: unknown): Promise<void> {
    const skipReason = skipReasonOf(error);
    const reason = skipReason ?? failureOf(error);
    const lastError = await this.translated(digest.userId, reason);
    await this.digests.finish(digest, {
      next: skipReason === undefined ? this.afterFailure(digest) : this.onTime(digest),
      result: { lastError, lastFailedAt: this.clock.now() },
    });
  }

  /** True if processes have died or failed in all attempts that a digest has. */
  hasNoAttemptLeft({ attempts }: ClaimedDigest): boolean {
    return attempts > PAUSES_MS.length + 1;
  }

  private onTime(digest: ClaimedDigest) {
    return { nextAt: nextDigestAt(digest, this.clock.now()) ?? null, attempts: 0 };
  }

  private afterFailure({ attempts }: ClaimedDigest) {
    const pauseMs = PAUSES_MS[attempts - 1];
    return pauseMs === undefined
      ? { nextAt: null, attempts: 0, isGivenUp: true }
      : { nextAt: new Date(this.clock.now().getTime() + pauseMs) };
  }

  private leaseEnd(): Date {
    return new Date(this.clock.now().getTime() + LEASE_MS);
  }

  private async tryToRenew(digest: ClaimedDigest): Promise<void> {
    try {
      await this.digests.renew(digest, this.leaseEnd());
    } catch (error) {
      this.logger.warn(error);
    }
  }

  private async translated(userId: string, reason: Message): Promise<string> {
    const user = await this.users.findOneBy({ id: userId });
    return (user === null ? english : translatorTo(languageOfUser(user))).text(reason);
  }
}
