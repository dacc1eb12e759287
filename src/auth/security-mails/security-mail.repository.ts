import { LessThan, LessThanOrEqual } from 'typeorm';

import { CustomRepository } from '../../platform/database/custom-repository.js';
import { deleteInBatches } from '../../platform/database/delete-in-batches.js';
import { OVER_ALL, queryRows } from '../../platform/database/query-rows.js';
import type { RecordedEvent } from '../audit/audit-listener.js';
import { Actor } from '../entities/audit-kinds.js';
import { type Origin, UNKNOWN_ORIGIN } from '../entities/origin.js';
import { Audience, SecurityMail } from '../entities/security-mail.entity.js';
import { QUEUE } from './security-mail.sql.js';

/** An attempt to send a mail. Another process that claims the mail begins the next attempt. */
export type SecurityMailAttempt = Pick<SecurityMail, 'id' | 'attempts'>;

/** The maximum number of mails in an hour about one kind of change of an account. */
const MOST_IN_AN_HOUR = 10;

/** The outbox of mails about changes of security (docs/decisions/0131). */
export class SecurityMailRepository extends CustomRepository<SecurityMail> {
  static readonly entity = SecurityMail;

  /** Queues mails about an event, in the transaction of the event. Recipients without a confirmed address get none. */
  async queue(event: RecordedEvent, audience: Audience): Promise<void> {
    const { userId, kind, actor, details, previous } = event;
    const { address, device } = originFor(event, audience);
    const values = [userId, kind, actor, address, device, JSON.stringify(details), MOST_IN_AN_HOUR];
    const email = audience === Audience.PreviousAddress ? [previous?.email] : [];
    await queryRows(this.manager, QUEUE[audience], [...values, ...email]);
  }

  /**
   * Claims the mail that is due first until `leaseEnd`. If the process dies, the mail is due again then. Returns
   * undefined if no mail is due, or if other instances have locked all due mails. Requires a transaction.
   */
  async claim(now: Date, leaseEnd: Date): Promise<SecurityMail | undefined> {
    const mail = await this.findOne({
      comment: OVER_ALL,
      where: { dueAt: LessThanOrEqual(now) },
      order: { dueAt: 'ASC' },
      lock: { mode: 'pessimistic_write', onLocked: 'skip_locked' },
    });
    if (mail === null) {
      return undefined;
    }
    const attempts = mail.attempts + 1;
    await this.update({ id: mail.id }, { attempts, dueAt: leaseEnd });
    return Object.assign(mail, { attempts });
  }

  /** Moves the end of the lease, or the time of the next attempt. Does nothing if another attempt has begun. */
  async postpone({ id, attempts }: SecurityMailAttempt, dueAt: Date): Promise<void> {
    await this.update({ id, attempts }, { dueAt });
  }

  /** Removes a mail from the outbox. Does nothing if another attempt has begun. */
  async finish({ id, attempts }: SecurityMailAttempt): Promise<void> {
    await this.delete({ id, attempts });
  }

  /** Deletes the mails about changes before `time`. Returns their number. */
  deleteOlderThan(time: Date): Promise<number> {
    return deleteInBatches(this, { at: LessThan(time) });
  }
}

/**
 * Hides from the user of an account from where an administrator has acted, as the account activity does. A previous
 * address that was never confirmed may belong to a stranger. The client chooses the name of the device, so such a mail
 * does not contain it.
 */
function originFor(event: RecordedEvent, audience: Audience): Origin {
  const { actor, actorId, userId, origin, previous } = event;
  if (audience === Audience.Administrators) {
    return origin;
  }
  if (actor === Actor.Administrator && actorId !== userId) {
    return UNKNOWN_ORIGIN;
  }
  const isStranger = audience === Audience.PreviousAddress && previous?.emailVerifiedAt === null;
  return isStranger ? { address: origin.address, device: '' } : origin;
}
