import { Injectable } from '@nestjs/common';

import { Database } from '../../platform/database/database.js';
import { ItemNotFoundError } from '../../reading-list/reading-list.errors.js';
import { ListRuleMail } from '../../reading-list/rules/list-rule-mail.entity.js';
import { NoEReaderError } from './e-reader-mail.errors.js';
import { EReaderMail } from './e-reader-mail.service.js';
import { EReaderPost } from './e-reader-post.js';

/** Mails the articles that rules of saved lists send to e-readers. Never sends a mail twice (docs/decisions/0121). */
@Injectable()
export class RuleMails {
  constructor(
    private readonly database: Database,
    private readonly mail: EReaderMail,
    private readonly post: EReaderPost,
  ) {}

  /**
   * Sends the mail that was queued first, and waits for the result. If this fails, stores the reason, which the user can
   * see. Returns false if no mail is queued or mail to e-readers is off.
   */
  async sendNext(): Promise<boolean> {
    // A mail that is claimed and then waits for other mails would be lost in a crash.
    await this.mail.idle();
    const queued = this.post.isOn ? await this.claim() : undefined;
    if (queued === undefined) {
      return false;
    }
    const { userId, itemId } = queued;
    try {
      await this.mail.sendArticle({ userId }, itemId);
    } catch (error) {
      if (!(error instanceof ItemNotFoundError || error instanceof NoEReaderError)) {
        await this.post.noteFailed(userId, error);
      }
    }
    return true;
  }

  /** Deletes the row of a mail before it is sent, so that no other process sends it. */
  private claim(): Promise<ListRuleMail | undefined> {
    return this.database.transaction(async (manager) => {
      const queued = await manager.findOne(ListRuleMail, {
        where: {},
        order: { queuedAt: 'ASC' },
        lock: { mode: 'pessimistic_write', onLocked: 'skip_locked' },
      });
      if (queued === null) {
        return undefined;
      }
      const { userId, itemId } = queued;
      await manager.delete(ListRuleMail, { userId, itemId });
      return queued;
    });
  }
}
