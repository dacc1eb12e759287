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

import { User } from '../../auth/entities/user.entity.js';

/** The recipient of a digest: the email address of the account, or the e-reader of the user. */
export type DigestTarget = 'email' | 'e-reader';

/**
 * The digest of a saved list: its schedule, and the result of the latest mails (docs/decisions/0122). No foreign key
 * refers to the list, because the list may be on another database server.
 */
@Entity('list_digests')
@Index('list_digests_due_idx', ['nextAt'], { where: 'next_at IS NOT NULL' })
@Check('list_digests_target_check', `target IN ('email', 'e-reader')`)
@Check('list_digests_time_check', `minute_of_day BETWEEN 0 AND 1439`)
@Check('list_digests_weekdays_check', `weekdays <@ '{1,2,3,4,5,6,7}'`)
@Check('list_digests_most_items_check', `most_items BETWEEN 1 AND 100`)
export class ListDigest {
  @PrimaryColumn('bigint')
  userId!: string;

  @ManyToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id' })
  user!: Relation<User>;

  @PrimaryColumn('uuid')
  listId!: string;

  @Column('text')
  target!: DigestTarget;

  /** The local time at which the digest is sent, in minutes after midnight. */
  @Column('smallint')
  minuteOfDay!: number;

  /** The name of an IANA time zone, such as Europe/Zurich. */
  @Column('text')
  timeZone!: string;

  /** The weekdays of the digest: 1 is Monday, 7 is Sunday (ISO 8601). */
  @Column('smallint', { array: true })
  weekdays!: number[];

  /** The maximum number of items in one digest. */
  @Column('smallint')
  mostItems!: number;

  /** The time of the next digest, of the next attempt, or of the end of the lease. Null if the digest is off. */
  @Column('timestamptz', { nullable: true })
  nextAt!: Date | null;

  /** The id of the attempt that is running or that was interrupted. Null if there is none. */
  @Column('uuid', { nullable: true })
  claimId!: string | null;

  /** The number of attempts since a digest was last sent or skipped. */
  @Column('smallint', { default: 0 })
  attempts!: number;

  /** True if the digest was turned off because too many attempts failed. */
  @Column('boolean', { default: false })
  isGivenUp!: boolean;

  @Column('timestamptz', { nullable: true })
  lastSentAt!: Date | null;

  /** The number of items in the latest digest. */
  @Column('smallint', { default: 0 })
  lastCount!: number;

  @Column('timestamptz', { nullable: true })
  lastFailedAt!: Date | null;

  /** The reason why the last failed digest was not sent, as shown to the user. */
  @Column('text', { default: '' })
  lastError!: string;
}
