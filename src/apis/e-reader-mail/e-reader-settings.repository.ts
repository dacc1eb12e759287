import { LessThanOrEqual, Repository } from 'typeorm';

import { nextDigestAt } from './digest-times.js';
import type { EReaderSettings } from './entities/e-reader-settings.entity.js';

/** The settings that a user chooses. */
export type EReaderChoice = Readonly<
  Pick<
    EReaderSettings,
    'address' | 'archives' | 'minuteOfDay' | 'timeZone' | 'mostArticles' | 'onlyNew'
  >
> & { readonly weekdays: readonly number[]; readonly hasDigest: boolean };

/** Queries over the e-reader settings of users and the digests that are due. */
export class EReaderSettingsRepository extends Repository<EReaderSettings> {
  /** Returns the settings of a user, or undefined if the user has none. */
  async of(userId: string): Promise<EReaderSettings | undefined> {
    return (await this.findOneBy({ userId })) ?? undefined;
  }

  /** Stores the settings that a user chooses. The results of earlier mails stay. */
  async keep(userId: string, { hasDigest, ...choice }: EReaderChoice, now: Date): Promise<void> {
    const weekdays = [...choice.weekdays];
    const next = hasDigest ? nextDigestAt(choice, now) : undefined;
    await this.upsert({ userId, ...choice, weekdays, nextDigestAt: next ?? null }, ['userId']);
  }

  /** Deletes the settings of a user. A mail that is being prepared is not sent. */
  async forget(userId: string): Promise<void> {
    await this.delete({ userId });
  }

  /**
   * Claims a digest that is due. Requires a transaction. Sets the next due time before the digest is created, so that
   * no instance creates this digest again, even after a failure. Returns undefined if no digest is due, or if other
   * instances have locked all due digests.
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

  /** Stores that a mail was sent. Only digests pass `lastNumber`. */
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
