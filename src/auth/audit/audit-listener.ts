import type { DataSource, EntityManager } from 'typeorm';

import type { AuditEntry } from '../entities/audit-entry.entity.js';
import type { Origin } from '../entities/origin.js';
import type { User } from '../entities/user.entity.js';

/** The email address of an account, and when it was confirmed. */
export type AccountAddress = Pick<User, 'email' | 'emailVerifiedAt'>;

/** An event that the audit log has recorded. */
export type RecordedEvent = Pick<
  AuditEntry,
  'userId' | 'actor' | 'actorId' | 'kind' | 'details'
> & {
  readonly origin: Origin;
  /** The email address of the account before the event. Undefined if the event has not changed the address. */
  readonly previous?: AccountAddress | undefined;
};

/** Reacts to events in the transactions that record them. If it fails, the change of the transaction fails too. */
export interface AuditListener {
  recorded(manager: EntityManager, event: RecordedEvent): Promise<void>;
}

const listeners = new WeakMap<DataSource, AuditListener>();

/** Registers the listener of a data source. A registry is needed because repositories get no providers. */
export function listenToAudit(dataSource: DataSource, listener: AuditListener): void {
  listeners.set(dataSource, listener);
}

export const auditListenerOf = ({ dataSource }: EntityManager): AuditListener | undefined =>
  listeners.get(dataSource);
