import { Get, Req } from '@nestjs/common';
import type { Request } from 'express';

import { AuditRepository } from '../../../auth/audit/audit.repository.js';
import type { AuditEntry } from '../../../auth/entities/audit-entry.entity.js';
import { Actor } from '../../../auth/entities/audit-kinds.js';
import { User } from '../../../auth/entities/user.entity.js';
import { CurrentUser } from '../../../auth/http/auth.guards.js';
import {
  AUDIT_PAGE_SIZE,
  type AuditCard,
  auditCardOf,
  auditPageOf,
  positionIn,
} from '../../audit-cards.js';
import { Page } from '../../page.js';
import { type ShownPage, Template } from '../../template.js';

interface ActivityModel {
  readonly entries: readonly AuditCard[];
  /** The id of the last entry if another page follows. */
  readonly next: string | undefined;
}

const template = new Template<ActivityModel>('account/activity/activity', { kind: 'reader' });

/** The page on which a user sees the logins and the security changes of the account. */
@Page('account/activity')
export class ActivityPageController {
  constructor(private readonly audit: AuditRepository) {}

  @Get()
  async show(@CurrentUser() { id: userId }: User, @Req() { query }: Request): Promise<ShownPage> {
    const before = positionIn(query);
    const found = await this.audit.page({ userId, before, size: AUDIT_PAGE_SIZE + 1 });
    const { entries, next } = auditPageOf(found);
    return template.page({ entries: entries.map((entry) => cardFor(entry, userId)), next });
  }
}

/** Returns the card of an entry. Hides from where another administrator has acted. */
function cardFor(entry: AuditEntry, userId: string): AuditCard {
  const isByOther = entry.actor === Actor.Administrator && entry.actorId !== userId;
  return { ...auditCardOf(entry), ...(isByOther && { device: undefined, address: '' }) };
}
