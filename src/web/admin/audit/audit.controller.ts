import { Get, Req, UseGuards } from '@nestjs/common';
import type { Request } from 'express';

import { AuditRepository } from '../../../auth/audit/audit.repository.js';
import { canonicalEmail } from '../../../auth/email-address.js';
import type { AuditEntry } from '../../../auth/entities/audit-entry.entity.js';
import { AuditKind } from '../../../auth/entities/audit-kinds.js';
import { UserRepository } from '../../../auth/user.repository.js';
import { clean, cut } from '../../../lib/util/clean-text.js';
import { isId, textOf } from '../../../platform/common/request-fields.js';
import { type Message, message } from '../../../platform/i18n/message.js';
import {
  AUDIT_PAGE_SIZE,
  type AuditCard,
  auditCardOf,
  auditPageOf,
  positionIn,
} from '../../audit-cards.js';
import { Page } from '../../page.js';
import { type ShownPage, Template } from '../../template.js';
import { AdministratorGuard } from '../administrator.guard.js';

/** An account of an entry. A deleted account has only its number. */
interface AccountName {
  readonly id: string;
  readonly email: string | undefined;
}

interface AdminAuditCard extends AuditCard {
  readonly user: AccountName | undefined;
  /** The administrator who has caused the entry. */
  readonly administrator: AccountName | undefined;
}

interface AuditModel {
  /** The account that the entries must concern, as the administrator has typed it. */
  readonly user: string;
  readonly kinds: readonly {
    readonly value: string;
    readonly label: Message;
    readonly isChosen: boolean;
  }[];
  readonly entries: readonly AdminAuditCard[];
  readonly nextHref: string | undefined;
}

const auditPage = new Template<AuditModel>('admin/audit/audit', { kind: 'reader' });
const LONGEST_ACCOUNT = 254;
const KINDS = new Map(Object.values(AuditKind).map((kind): [string, AuditKind] => [kind, kind]));
/** The number of an account that does not exist. */
const NO_ACCOUNT = '0';

/** The page on which administrators see the audit entries of all users. */
@UseGuards(AdministratorGuard)
@Page('admin/audit')
export class AdminAuditController {
  constructor(
    private readonly audit: AuditRepository,
    private readonly users: UserRepository,
  ) {}

  @Get()
  async list(@Req() { query }: Request): Promise<ShownPage> {
    const user = cut(clean(textOf(query, 'user')), LONGEST_ACCOUNT).trim();
    const kind = KINDS.get(textOf(query, 'kind'));
    const wanted = { userId: await this.idOf(user), kind, before: positionIn(query) };
    const found = await this.audit.page({ ...wanted, size: AUDIT_PAGE_SIZE + 1 });
    const { entries, next } = auditPageOf(found);
    const filter = { user, kind: kind ?? '' };
    return auditPage.page({
      user,
      kinds: [...KINDS.values()].map((value) => ({
        value,
        label: message(`audit.kinds.${value}`),
        isChosen: value === kind,
      })),
      entries: await this.withAccounts(entries),
      nextHref:
        next && `/admin/audit?${new URLSearchParams({ ...filter, before: next }).toString()}`,
    });
  }

  /** Returns the number of an account from its number or its email address. An empty text stands for all accounts. */
  private async idOf(typed: string): Promise<string | undefined> {
    if (typed === '' || isId(typed)) {
      return typed || undefined;
    }
    const user = await this.users.findOneBy({ email: canonicalEmail(typed) });
    return user?.id ?? NO_ACCOUNT;
  }

  private async withAccounts(entries: readonly AuditEntry[]): Promise<AdminAuditCard[]> {
    const emails = await this.users.emailsOf(
      entries.flatMap(({ userId, actorId }) => [userId, actorId].filter((id) => id !== null)),
    );
    const nameOf = (id: string | null): AccountName | undefined =>
      id === null ? undefined : { id, email: emails.get(id) };
    return entries.map((entry) => ({
      ...auditCardOf(entry),
      user: nameOf(entry.userId),
      administrator: nameOf(entry.actorId),
    }));
  }
}
