import { LessThanOrEqual } from 'typeorm';

import { CustomRepository } from '../../platform/database/custom-repository.js';
import { OVER_ALL } from '../../platform/database/query-rows.js';
import { ListRuleMail } from './list-rule-mail.entity.js';

/** An attempt to send a mail. Another process that claims the mail begins the next attempt. */
export type RuleMailAttempt = Pick<ListRuleMail, 'userId' | 'itemId' | 'attempts'>;

/** Stores the mails to e-readers that rules send (docs/decisions/0121). */
export class ListRuleMailRepository extends CustomRepository<ListRuleMail> {
  static readonly entity = ListRuleMail;

  /** Queues mails to the e-reader. An item that is queued already is ignored. */
  async queue(userId: string, itemIds: readonly string[]): Promise<void> {
    if (itemIds.length > 0) {
      const mails = itemIds.map((itemId) => ({ userId, itemId }));
      await this.createQueryBuilder().insert().values(mails).orIgnore().execute();
    }
  }

  /**
   * Claims the mail that is due first until `leaseEnd`. If the process dies, the mail is due again then. Returns
   * undefined if no mail is due, or if other instances have locked all due mails. Requires a transaction.
   */
  async claim(now: Date, leaseEnd: Date): Promise<RuleMailAttempt | undefined> {
    const mail = await this.findOne({
      comment: OVER_ALL,
      where: { dueAt: LessThanOrEqual(now) },
      order: { dueAt: 'ASC' },
      lock: { mode: 'pessimistic_write', onLocked: 'skip_locked' },
    });
    if (mail === null) {
      return undefined;
    }
    const { userId, itemId } = mail;
    const attempts = mail.attempts + 1;
    await this.update({ userId, itemId }, { attempts, dueAt: leaseEnd });
    return { userId, itemId, attempts };
  }

  /** Moves the end of the lease, or the time of the next attempt. Returns false if another attempt has begun. */
  async postpone({ userId, itemId, attempts }: RuleMailAttempt, dueAt: Date): Promise<boolean> {
    const { affected } = await this.update({ userId, itemId, attempts }, { dueAt });
    return affected === 1;
  }

  /** Removes a mail from the queue. Does nothing if another attempt has begun. */
  async finish({ userId, itemId, attempts }: RuleMailAttempt): Promise<void> {
    await this.delete({ userId, itemId, attempts });
  }
}
