import { Injectable, Logger } from '@nestjs/common';

import { Clock } from '../../platform/common/clock.js';
import { Database } from '../../platform/database/database.js';
import { Every } from '../../platform/jobs/every.js';
import {
  isOneTooMany,
  leaseEndAt,
  nextAttemptAt,
  withLease,
} from '../../platform/mail/mail-attempts.js';
import { Mailer, type MailFailure } from '../../platform/mail/mailer.js';
import { Metric, type Sample } from '../../platform/metrics/metric.js';
import { Tally } from '../../platform/metrics/tally.js';
import type { SecurityMail } from '../entities/security-mail.entity.js';
import { SecurityLetters } from './security-letters.js';
import { SecurityMailRepository } from './security-mail.repository.js';

const SWEEP_EVERY_MS = 60 * 60 * 1000;
/** Older mails are deleted. Mails get as old if the operator has turned mail off. */
const MOST_AGE_MS = 7 * 24 * 60 * 60 * 1000;

/**
 * Sends the mails of the outbox, at least once each (docs/decisions/0131). A mail is sent twice only if its process dies
 * after the mail server has accepted it. Both copies then have the same Message-ID.
 */
@Injectable()
export class SecurityMailSender {
  private readonly logger = new Logger(SecurityMailSender.name);
  private readonly results = new Tally(['sent', 'postponed', 'given-up']);

  constructor(
    private readonly database: Database,
    private readonly letters: SecurityLetters,
    private readonly mailer: Mailer,
    private readonly clock: Clock,
  ) {}

  /** False if no mail server is configured. */
  get isOn(): boolean {
    return this.mailer.isOn;
  }

  @Metric({
    name: 'satchel_security_mails_total',
    help: 'Mails about changes of security by result, and postponed attempts.',
    kind: 'counter',
    labels: ['result'],
  })
  resultCounts(): readonly Sample[] {
    return this.results.samples('result');
  }

  /** Sends the mail that is due first, and waits for the result. Returns false if no mail is due or mail is off. */
  async sendNext(): Promise<boolean> {
    const mail = this.isOn ? await this.claim() : undefined;
    if (mail === undefined) {
      return false;
    }
    if (isOneTooMany(mail.attempts)) {
      await this.giveUp(mail, 'the process ended in each attempt');
      return true;
    }
    const failure = await withLease(
      () => this.outbox.postpone(mail, leaseEndAt(this.clock.now())),
      () => this.send(mail),
    );
    await (failure === undefined ? this.outbox.finish(mail) : this.noteFailed(mail, failure));
    return true;
  }

  /** Deletes mails that were not sent for a week. */
  @Every(SWEEP_EVERY_MS)
  async sweep(): Promise<void> {
    const oldest = new Date(this.clock.now().getTime() - MOST_AGE_MS);
    const deleted = await this.outbox.deleteOlderThan(oldest);
    if (deleted > 0) {
      this.results.add('given-up', deleted);
      this.logger.error(
        `${deleted} mails about changes of security are too old: they are not sent`,
      );
    }
  }

  private async send(mail: SecurityMail): Promise<MailFailure | undefined> {
    const failure = await this.mailer.send(() => Promise.resolve(this.letters.write(mail)));
    if (failure === undefined) {
      this.results.add('sent');
    }
    return failure;
  }

  private async noteFailed(mail: SecurityMail, failure: MailFailure): Promise<void> {
    const next = failure === 'refused' ? undefined : nextAttemptAt(mail.attempts, this.clock.now());
    if (next === undefined) {
      await this.giveUp(mail, failure);
      return;
    }
    this.results.add('postponed');
    await this.outbox.postpone(mail, next);
  }

  private async giveUp(mail: SecurityMail, reason: string): Promise<void> {
    const { userId, kind } = mail;
    this.results.add('given-up');
    const msg = 'a mail about a change of security could not be sent';
    this.logger.error({ userId, kind, reason, msg });
    await this.outbox.finish(mail);
  }

  private claim(): Promise<SecurityMail | undefined> {
    const now = this.clock.now();
    return this.database.transaction((manager) =>
      SecurityMailRepository.in(manager).claim(now, leaseEndAt(now)),
    );
  }

  private get outbox(): SecurityMailRepository {
    return SecurityMailRepository.in(this.database.manager);
  }
}
