import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';

import { Mailer } from '../../platform/mail/mailer.js';
import { type AuditListener, listenToAudit, type RecordedEvent } from '../audit/audit-listener.js';
import { Actor, AuditKind } from '../entities/audit-kinds.js';
import { Audience } from '../entities/security-mail.entity.js';
import { SecurityMailRepository } from './security-mail.repository.js';

/** The changes about which a user gets a mail. The mail names a change with the text of the account activity. */
const MAILED_TO_OWNER: ReadonlySet<AuditKind> = new Set([
  ...[AuditKind.PasswordChanged, AuditKind.PasswordReset, AuditKind.EmailChanged],
  ...[AuditKind.SecondFactorOn, AuditKind.SecondFactorOff],
  ...[AuditKind.RecoveryCodesRenewed, AuditKind.RecoveryCodeUsed],
  ...[AuditKind.PasskeyAdded, AuditKind.PasskeyRemoved, AuditKind.PasskeyRefused],
  ...[AuditKind.KeyCreated, AuditKind.FeedCreated, AuditKind.ConsentGiven],
  ...[AuditKind.AdministratorAppointed, AuditKind.AccountDeleted],
]);

/** Queues mails about changes of security, in the transactions that record the changes in the audit log. */
@Injectable()
export class SecurityMails implements AuditListener {
  constructor(
    dataSource: DataSource,
    private readonly mailer: Mailer,
  ) {
    listenToAudit(dataSource, this);
  }

  async recorded(manager: EntityManager, event: RecordedEvent): Promise<void> {
    for (const audience of this.mailer.isOn ? audiencesOf(event) : []) {
      await SecurityMailRepository.in(manager).queue(event, audience);
    }
  }
}

function audiencesOf(event: RecordedEvent): Audience[] {
  return [
    ...(event.userId !== null && MAILED_TO_OWNER.has(event.kind) ? [Audience.Owner] : []),
    ...(event.previous === undefined ? [] : [Audience.PreviousAddress]),
    ...(concernsAdministrators(event) ? [Audience.Administrators] : []),
  ];
}

/** Returns true for a new administrator, and for a new key of the installation. The service creates the first key. */
const concernsAdministrators = ({ kind, userId, actor }: RecordedEvent): boolean =>
  kind === AuditKind.AdministratorAppointed ||
  (kind === AuditKind.KeyCreated && userId === null && actor !== Actor.Service);
