import {
  Check,
  Column,
  Entity,
  Index,
  JoinColumn,
  OneToOne,
  PrimaryColumn,
  type Relation,
} from 'typeorm';

import { User } from '../../../auth/entities/user.entity.js';

/** The e-reader address of a user, the schedule of digests, and the results of the latest mails. */
@Entity('e_reader_settings')
@Index('e_reader_settings_due_idx', ['nextDigestAt'], { where: 'next_digest_at IS NOT NULL' })
@Check('e_reader_settings_time_check', `minute_of_day BETWEEN 0 AND 1439`)
@Check('e_reader_settings_weekdays_check', `weekdays <@ '{1,2,3,4,5,6,7}'`)
@Check('e_reader_settings_most_articles_check', `most_articles BETWEEN 1 AND 100`)
export class EReaderSettings {
  @PrimaryColumn('bigint')
  userId!: string;

  @OneToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn()
  user!: Relation<User>;

  /** The email address of the e-reader. */
  @Column('text')
  address!: string;

  /** True if the user's items are archived after they were mailed to the e-reader. */
  @Column('boolean')
  archives!: boolean;

  /** The local time at which the digest is sent, in minutes after midnight. */
  @Column('smallint')
  minuteOfDay!: number;

  /** The name of an IANA time zone, such as Europe/Zurich. */
  @Column('text')
  timeZone!: string;

  /** The weekdays of the digest: 1 is Monday, 7 is Sunday (ISO 8601). */
  @Column('smallint', { array: true })
  weekdays!: number[];

  /** The maximum number of articles in one digest. */
  @Column('smallint')
  mostArticles!: number;

  /** True if a digest contains only items added since the previous digest. */
  @Column('boolean')
  onlyNew!: boolean;

  /**
   * The highest number of an item in the user's list at the time of the previous digest. Items with higher numbers were
   * added later (docs/decisions/0069).
   */
  @Column('integer', { default: 0 })
  lastNumber!: number;

  /** The time of the next digest. Null if no digest is scheduled. */
  @Column('timestamptz', { nullable: true })
  nextDigestAt!: Date | null;

  @Column('timestamptz', { nullable: true })
  lastSentAt!: Date | null;

  /** The description of the last mail that was sent, for the settings page of the user. */
  @Column('text', { default: '' })
  lastSent!: string;

  @Column('timestamptz', { nullable: true })
  lastFailedAt!: Date | null;

  /** The reason why the last failed mail was not sent, as shown to the user. */
  @Column('text', { default: '' })
  lastError!: string;
}
