import { Injectable, Logger } from '@nestjs/common';

import { Clock } from '../../platform/common/clock.js';
import { Database } from '../../platform/database/database.js';
import {
  isOneTooMany,
  leaseEndAt,
  nextAttemptAt,
  withLease,
} from '../../platform/mail/mail-attempts.js';
import { ItemNotFoundError } from '../../reading-list/reading-list.errors.js';
import {
  ListRuleMailRepository,
  type RuleMailAttempt,
} from '../../reading-list/rules/list-rule-mail.repository.js';
import { isTemporary, NoEReaderError } from './e-reader-mail.errors.js';
import { EReaderMail } from './e-reader-mail.service.js';
import { EReaderPost } from './e-reader-post.js';

/** Mails the articles that rules of saved lists send to e-readers, at least once each (docs/decisions/0121). */
@Injectable()
export class RuleMails {
  private readonly logger = new Logger(RuleMails.name);

  constructor(
    private readonly database: Database,
    private readonly mail: EReaderMail,
    private readonly post: EReaderPost,
    private readonly clock: Clock,
  ) {}

  /**
   * Sends the mail that is due first, and waits for the result. If this fails, stores the reason, which the user can
   * see. Returns false if no mail is due or mail to e-readers is off.
   */
  async sendNext(): Promise<boolean> {
    const attempt = this.post.isOn ? await this.claim() : undefined;
    if (attempt === undefined) {
      return false;
    }
    try {
      await withLease(
        () => this.renew(attempt),
        () => this.work(attempt),
      );
      await this.queue.finish(attempt);
    } catch (error) {
      await this.noteFailed(attempt, error);
    }
    return true;
  }

  private async work(attempt: RuleMailAttempt): Promise<void> {
    if (isOneTooMany(attempt.attempts)) {
      throw new Error('The process ended in each attempt to send an article to an e-reader.');
    }
    await this.mail.deliverArticle(attempt, () => this.renew(attempt));
  }

  /** Never throws an error. If the result cannot be stored, the mail is sent again after its lease. */
  private async noteFailed(attempt: RuleMailAttempt, error: unknown): Promise<void> {
    const { userId, attempts } = attempt;
    if (!(error instanceof ItemNotFoundError || error instanceof NoEReaderError)) {
      await this.post.noteFailed(userId, error);
    }
    const next = isTemporary(error) ? nextAttemptAt(attempts, this.clock.now()) : undefined;
    try {
      await (next === undefined ? this.queue.finish(attempt) : this.queue.postpone(attempt, next));
    } catch (failure) {
      this.logger.warn(failure);
    }
  }

  /** Returns false if another process has claimed the mail. */
  private renew(attempt: RuleMailAttempt): Promise<boolean> {
    return this.queue.postpone(attempt, leaseEndAt(this.clock.now()));
  }

  private claim(): Promise<RuleMailAttempt | undefined> {
    const now = this.clock.now();
    return this.database.transaction((manager) =>
      ListRuleMailRepository.in(manager).claim(now, leaseEndAt(now)),
    );
  }

  private get queue(): ListRuleMailRepository {
    return ListRuleMailRepository.in(this.database.manager);
  }
}
