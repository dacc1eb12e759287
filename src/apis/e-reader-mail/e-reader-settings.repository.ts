import { LessThanOrEqual } from 'typeorm';

import { CustomRepository } from '../../platform/database/custom-repository.js';
import { nextDigestAt } from './digest-times.js';
import { EReaderSettings } from './entities/e-reader-settings.entity.js';

/** The settings of e-reader mail that a user can change. */
export type EReaderChoice = Readonly<
  Pick<
    EReaderSettings,
    'address' | 'archives' | 'minuteOfDay' | 'timeZone' | 'mostArticles' | 'onlyNew'
  >
> & { readonly weekdays: readonly number[]; readonly hasDigest: boolean };

/** Queries the e-reader settings of users and the digests that are due. */
export class EReaderSettingsRepository extends CustomRepository<EReaderSettings> {
  static readonly entity = EReaderSettings;

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

  /** Deletes the e-reader settings of a user. If a mail to the e-reader is still queued, the mail is not sent. */
  async forget(userId: string): Promise<void> {
    await this.delete({ userId });
  }

  /**
   * Finds a user whose digest is due, stores the time of the user's next digest, and returns the
   * user's settings. Stores the time before the digest is sent, so that no instance sends the
   * digest again, even after a failure. Returns undefined if no digest is due, or if other
   * instances have locked all due digests. Requires a transaction.
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

  /**
   * Stores the description and the time of a sent mail. For a digest, also stores the highest item number in the list.
   */
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
