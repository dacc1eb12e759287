import { LessThanOrEqual, Repository } from 'typeorm';

import { nextDigestAt } from './digest-times.js';
import type { EReaderSettings } from './entities/e-reader-settings.entity.js';

/** What a user chooses. */
export type EReaderChoice = Readonly<
  Pick<
    EReaderSettings,
    'address' | 'archives' | 'minuteOfDay' | 'timeZone' | 'mostArticles' | 'onlyNew'
  >
> & { readonly weekdays: readonly number[]; readonly hasDigest: boolean };

/** Where articles of users are mailed to, and which digests are due. */
export class EReaderSettingsRepository extends Repository<EReaderSettings> {
  /** Undefined for a user who has chosen nothing. */
  async of(userId: string): Promise<EReaderSettings | undefined> {
    return (await this.findOneBy({ userId })) ?? undefined;
  }

  /** In the place of an earlier choice; what became of earlier mails stays. */
  async keep(userId: string, { hasDigest, ...choice }: EReaderChoice, now: Date): Promise<void> {
    const weekdays = [...choice.weekdays];
    const next = hasDigest ? nextDigestAt(choice, now) : undefined;
    await this.upsert({ userId, ...choice, weekdays, nextDigestAt: next ?? null }, ['userId']);
  }

  /** Ends all of it, also a mail that is being made. */
  async forget(userId: string): Promise<void> {
    await this.delete({ userId });
  }

  /**
   * Takes a digest that is due, for a transaction: the next one is on another day before this one is made, so that no
   * instance makes it again, whatever becomes of it. Undefined when none is due, or others hold those that are.
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

  /** `lastNumber` is told by a digest. */
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
