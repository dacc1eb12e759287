import { Column, Entity, Index, PrimaryGeneratedColumn, Unique } from 'typeorm';

import type { Actor, AuditKind } from './audit-kinds.js';

/**
 * The record of a login, a refused login or a change of security (docs/decisions/0126). It has no foreign key to the
 * users, because some entries outlive their accounts.
 */
@Entity('audit_entries')
@Unique(['slot'])
@Index(['userId', 'isRefusal', 'id'])
@Index(['actorId', 'id'], { where: 'actor_id IS NOT NULL' })
@Index(['kind', 'id'])
@Index(['at'])
export class AuditEntry {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  id!: string;

  /** The account that the entry is about. Null for a refused login to an unknown account, and for the operator. */
  @Column('bigint', { nullable: true })
  userId!: string | null;

  @Column('text')
  actor!: Actor;

  /** The administrator who has caused the entry. Null for other actors. */
  @Column('bigint', { nullable: true })
  actorId!: string | null;

  @Column('text')
  kind!: AuditKind;

  /** The time of the first of the counted events. */
  @Column('timestamptz', { default: () => 'now()' })
  at!: Date;

  /** The network address of the client. Empty if it is unknown. */
  @Column('text')
  address!: string;

  /** A short name of the browser or program, such as `Firefox on Linux`. Empty if it is unknown. */
  @Column('text')
  device!: string;

  /** Further properties, such as the name of a key. Never contains secrets. */
  @Column('jsonb')
  details!: AuditDetails;

  @Column('boolean')
  isRefusal!: boolean;

  /** The number of equal events in the hour of `slot`. */
  @Column('integer', { default: 1 })
  count!: number;

  /** Identifies equal events of one hour, which share this row. Null for an event with a row of its own. */
  @Column('text', { nullable: true })
  slot!: string | null;
}

/** Properties of an event that only some kinds have. */
export interface AuditDetails {
  /** The name of the key or the application, or the format of the export. */
  readonly name?: string;
  /** The id of the key. */
  readonly key?: string;
  /** True if a new password also ended the access of all applications, keys and feed readers. */
  readonly hasEndedAccess?: boolean;
}
