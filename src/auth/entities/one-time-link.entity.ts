import {
  Check,
  Column,
  Entity,
  Index,
  JoinColumn,
  ManyToOne,
  PrimaryColumn,
  type Relation,
} from 'typeorm';

import { User } from './user.entity.js';

/** The action that a one-time link allows. */
export enum LinkPurpose {
  /** Allows a person to create an account even if registration is not open. */
  Invitation = 'invitation',
  PasswordReset = 'password-reset',
  EmailVerification = 'email-verification',
  /** Replaces the email address of the account with the address to which the link was mailed. */
  EmailChange = 'email-change',
}

/** A link that works once, until it expires. */
@Entity('one_time_links')
@Index(['userId'])
@Index(['createdBy'])
@Index(['expiresAt'])
@Check(
  'one_time_links_purpose_check',
  `purpose IN ('invitation', 'password-reset', 'email-verification', 'email-change')`,
)
export class OneTimeLink {
  /** The SHA-256 of the token in the link. The token itself is not stored. */
  @PrimaryColumn('bytea')
  tokenHash!: Buffer;

  @Column('text')
  purpose!: LinkPurpose;

  /** The user whose account the link affects. Null for an invitation. */
  @Column('bigint', { nullable: true })
  userId!: string | null;

  @ManyToOne(() => User, { onDelete: 'CASCADE', nullable: true })
  @JoinColumn()
  user!: Relation<User> | null;

  /**
   * The canonical form of the only email address that may use the link. Null if every address may
   * use it.
   */
  @Column('text', { nullable: true })
  email!: string | null;

  /**
   * The administrator who created the link. Null if the service created the link, or if the
   * administrator's account is deleted.
   */
  @Column('bigint', { nullable: true })
  createdBy!: string | null;

  @ManyToOne(() => User, { onDelete: 'SET NULL', nullable: true })
  @JoinColumn({ name: 'created_by' })
  creator!: Relation<User> | null;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;

  @Column('timestamptz')
  expiresAt!: Date;
}
