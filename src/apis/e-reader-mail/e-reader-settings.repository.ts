import { LessThanOrEqual, Repository } from 'typeorm';

import { nextDigestAt } from './digest-times.js';
import type { EReaderSettings } from './entities/e-reader-settings.entity.js';

/** The settings of e-reader mail that a user can change. */
export type EReaderChoice = Readonly<
  Pick<
    EReaderSettings,
    'address' | 'archives' | 'minuteOfDay' | 'timeZone' | 'mostArticles' | 'onlyNew'
  >
> & { readonly weekdays: readonly number[]; readonly hasDigest: boolean };

/** Queries the e-reader settings of users and the digests that are due. */
export class EReaderSettingsRepository extends Repository<EReaderSettings> {
  /** Returns the e-reader settings of a user, or undefined if there are none. */
  async of(userId: string): Promise<EReaderSettings | undefined> {
    return (await this.findOneBy({ userId })) ?? undefined;
  }

  /** Stores the settings that a user has chosen. The stored results of earlier mails stay unchanged. */
  async keep(userId: string, { hasDigest, ...choice }: EReaderChoice, now: Date): Promise<void> {
    const weekdays = [...choice.weekdays];
    const next = hasDigest ? nextDigestAt(choice, now) : undefined;
    await this.upsert({ userId, ...choice, weekdays, nextDigestAt: next ?? null }, ['userId']);
  }

  /** Deletes the e-reader settings of a user. A mail that is being prepared is not sent. */
  async forget(userId: string): Promise<void> {
    await this.delete({ userId });
  }

  /**
   * Claims a digest that is due. Returns undefined if no digest is due, or if other instances have locked all of them.
   * Requires a transaction. The next due time is stored before the digest is created, so no instance creates the digest
   * again, even after a failure.
   */
  async claim(now: Date): Promise<EReaderSettings | undefined> {
    const settings = await this.findOne({
      where: { nextDigestAt: LessThanOrEqual(now) },
      order: { nextDigestAt: 'ASC' },
      lock: { mode: 'pessimistic_write', onLocked: 'skip_locked' },
    });
    if (settings === null) {
      return undefined;
    }
    const { userId } = settings;
    await this.update({ userId }, { nextDigestAt: nextDigestAt(settings, now) ?? null });
    return settings;
  }

  /** Stores the result of a sent mail. `lastNumber`, the highest item number in the list, is set only for a digest. */
  async noteSent(
    userId: string,
    sent: Readonly<{ lastSent: string; lastNumber?: number }>,
    lastSentAt: Date,
  ): Promise<void> {
    await this.update({ userId }, { ...sent, lastSentAt });
  }

  async noteFailed(userId: string, lastError: string, lastFailedAt: Date): Promise<void> {
    await this.update({ userId }, { lastError, lastFailedAt });
  }
}
