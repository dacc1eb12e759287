import {
  Column,
  Entity,
  Index,
  JoinColumn,
  ManyToOne,
  PrimaryColumn,
  type Relation,
} from 'typeorm';

import type { AuditDetails } from './audit-entry.entity.js';
import type { Actor, AuditKind } from './audit-kinds.js';
import { User } from './user.entity.js';

/** Who gets a mail about a change of security. The values are stored, so a value never changes. */
export enum Audience {
  /** The user of the changed account. */
  Owner = 'owner',
  /** The user of the changed account, at the email address before the change. */
  PreviousAddress = 'previous_address',
  /** An administrator of the installation. */
  Administrators = 'administrators',
}

/** A mail about a change of security in the outbox (docs/decisions/0131). The row is deleted after the mail. */
@Entity('security_mails')
@Index(['dueAt'])
@Index(['userId'])
export class SecurityMail {
  /** The mail has this id in each attempt, so that mail programs detect a mail that was sent twice. */
  @PrimaryColumn('uuid', { default: () => 'gen_random_uuid()' })
  id!: string;

  /** The user who gets the mail. Null if the account was deleted after the change. */
  @Column('bigint', { nullable: true })
  userId!: string | null;

  @ManyToOne(() => User, { onDelete: 'SET NULL' })
  @JoinColumn({ name: 'user_id' })
  user!: Relation<User> | null;

  /** The address of the user at the time of the change. */
  @Column('text')
  email!: string;

  /** The language of the user. Null for the default language. */
  @Column('text', { nullable: true })
  language!: string | null;

  /** The time zone of the user. Null for UTC. */
  @Column('text', { nullable: true })
  timeZone!: string | null;

  /** The date format of the user. Null for the default format. */
  @Column('text', { nullable: true })
  dateFormat!: string | null;

  /** False if the user logs in only through an issuer or a proxy. */
  @Column('boolean')
  hasPassword!: boolean;

  @Column('text')
  audience!: Audience;

  @Column('text')
  kind!: AuditKind;

  @Column('text')
  actor!: Actor;

  /** The network address of the client. Empty if it is unknown, or if the user must not see it. */
  @Column('text')
  address!: string;

  /** The name of the client. Empty if it is unknown, or if the user must not see it. */
  @Column('text')
  device!: string;

  @Column('jsonb')
  details!: SecurityMailDetails;

  /** The time of the change. */
  @Column('timestamptz', { default: () => 'now()' })
  at!: Date;

  /** The time of the next attempt, or the end of the lease. */
  @Column('timestamptz', { default: () => 'now()' })
  dueAt!: Date;

  /** The number of attempts to send the mail. It identifies the attempt that has the lease. */
  @Column('smallint', { default: 0 })
  attempts!: number;
}

/** Properties of a change. Never contains secrets. */
export interface SecurityMailDetails extends AuditDetails {
  /** The present email address of the changed account, if the mail goes elsewhere. */
  readonly account?: string;
  /** True in the last mail before further changes of this kind cause no mail for a while. */
  readonly isLast?: boolean;
}
