import type { AuditEntry } from '../auth/entities/audit-entry.entity.js';
import { Actor } from '../auth/entities/audit-kinds.js';
import { deviceName } from '../auth/session/device.js';
import { isId, textOf } from '../platform/common/request-fields.js';
import { type Message, message } from '../platform/i18n/message.js';

/** The number of entries on a page. */
export const AUDIT_PAGE_SIZE = 50;

/** An audit entry, with the properties that a page shows. */
export interface AuditCard {
  readonly kind: Message;
  readonly at: Date;
  readonly count: number;
  /** The name of the key, the application or the format. Undefined if the entry has no name. */
  readonly name: string | undefined;
  readonly actor: Message;
  /** True if the user of the account has caused the entry. */
  readonly isByUser: boolean;
  readonly device: Message | undefined;
  readonly address: string;
}

export const auditCardOf = (entry: AuditEntry): AuditCard => ({
  kind: message(`audit.kinds.${entry.kind}`),
  at: entry.at,
  count: entry.count,
  name: entry.details.name,
  actor: message(`audit.by.${entry.actor}`),
  isByUser: entry.actor === Actor.User,
  device: entry.device === '' ? undefined : deviceName(entry.device),
  address: entry.address,
});

/** Returns the id of the last entry on the previous page, from the query string. */
export function positionIn(query: unknown): string | undefined {
  const before = textOf(query, 'before');
  return isId(before) ? before : undefined;
}

/** Returns the entries of one page, and the id of its last entry if another page follows. */
export function auditPageOf(found: readonly AuditEntry[]): {
  readonly entries: readonly AuditEntry[];
  readonly next: string | undefined;
} {
  const entries = found.slice(0, AUDIT_PAGE_SIZE);
  const next = found.length > AUDIT_PAGE_SIZE ? entries.at(-1)?.id : undefined;
  return { entries, next };
}
