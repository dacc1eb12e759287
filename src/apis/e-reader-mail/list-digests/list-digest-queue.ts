import { Injectable } from '@nestjs/common';

import { UserRepository } from '../../../auth/user.repository.js';
import { languageOfUser } from '../../../auth/user-language.js';
import { Clock } from '../../../platform/common/clock.js';
import { Database } from '../../../platform/database/database.js';
import type { Message } from '../../../platform/i18n/message.js';
import { english, translatorTo } from '../../../platform/i18n/translator.js';
import {
  isOneTooMany,
  leaseEndAt,
  nextAttemptAt,
  withLease,
} from '../../../platform/mail/mail-attempts.js';
import {
  type ClaimedDigest,
  ListDigestRepository,
} from '../../../reading-list/saved-lists/list-digest.repository.js';
import { nextDigestAt } from '../digest-times.js';
import { failureOf, skipReasonOf } from './list-digest.errors.js';

const NO_FAILURE = { lastFailedAt: null, lastError: '' };

/** Claims digests that are due, and stores the results of the attempts to send them (docs/decisions/0122). */
@Injectable()
export class ListDigestQueue {
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
  withLease<T>(digest: ClaimedDigest, work: () => Promise<T>): Promise<T> {
    return withLease(() => this.isStillClaimed(digest), work);
  }

  /** Returns false if the user has changed the digest since it was claimed. It must not be sent then. */
  isStillClaimed(digest: ClaimedDigest): Promise<boolean> {
    return this.digests.renew(digest, this.leaseEnd());
  }

  /** Stores that a digest with these items was sent, in one transaction. */
  async noteSent(digest: ClaimedDigest, itemIds: readonly string[]): Promise<void> {
    const sent = { lastSentAt: this.clock.now(), lastCount: itemIds.length };
    await this.database.transaction(async (manager) => {
      const digests = ListDigestRepository.in(manager);
      await digests.addItems(digest, itemIds);
      await digests.noteSent(digest, sent);
      await digests.finish(digest, { ...this.onTime(digest), ...NO_FAILURE });
    });
  }

  /** Stores that there was nothing to send. */
  async noteNothing(digest: ClaimedDigest): Promise<void> {
    await this.digests.finish(digest, { ...this.onTime(digest), ...NO_FAILURE });
  }

  /**
   * Stores why a digest was not sent, for the user to see. Tries again after a pause, or at the next time of the digest
   * if an earlier attempt would fail too. Turns off the digest after too many attempts.
   */
  async noteFailed(digest: ClaimedDigest, error: unknown): Promise<void> {
    const skipReason = skipReasonOf(error);
    const reason = skipReason ?? failureOf(error);
    const lastError = await this.translated(digest.userId, reason);
    const next = skipReason === undefined ? this.afterFailure(digest) : this.onTime(digest);
    const lastFailedAt = this.clock.now();
    await this.digests.finish(digest, { ...next, lastError, lastFailedAt });
  }

  /** True if processes have died or failed in all attempts that a digest has. */
  hasNoAttemptLeft({ attempts }: ClaimedDigest): boolean {
    return isOneTooMany(attempts);
  }

  private onTime(digest: ClaimedDigest) {
    return { nextAt: nextDigestAt(digest, this.clock.now()) ?? null, attempts: 0 };
  }

  private afterFailure({ attempts }: ClaimedDigest) {
    const nextAt = nextAttemptAt(attempts, this.clock.now());
    return nextAt === undefined ? { nextAt: null, attempts: 0, isGivenUp: true } : { nextAt };
  }

  private leaseEnd(): Date {
    return leaseEndAt(this.clock.now());
  }

  private async translated(userId: string, reason: Message): Promise<string> {
    const user = await this.users.findOneBy({ id: userId });
    return (user === null ? english : translatorTo(languageOfUser(user))).text(reason);
  }
}
