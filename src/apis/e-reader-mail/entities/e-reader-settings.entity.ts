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

/** Where articles of a user are mailed to, when a digest is due, and what became of the latest mails. */
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

  /** What was delivered is archived. */
  @Column('boolean')
  archives!: boolean;

  /** When the digest is due, on the clock of the time zone. */
  @Column('smallint')
  minuteOfDay!: number;

  /** A name of the IANA database. */
  @Column('text')
  timeZone!: string;

  /** 1 is Monday, 7 is Sunday (ISO 8601). */
  @Column('smallint', { array: true })
  weekdays!: number[];

  /** Of one digest. */
  @Column('smallint')
  mostArticles!: number;

  /** A digest has what was added since the one before. */
  @Column('boolean')
  onlyNew!: boolean;

  /** The number up to which digests have brought the items of the list (docs/decisions/0069). */
  @Column('integer', { default: 0 })
  lastNumber!: number;

  /** Null where there is no digest. */
  @Column('timestamptz', { nullable: true })
  nextDigestAt!: Date | null;

  @Column('timestamptz', { nullable: true })
  lastSentAt!: Date | null;

  /** In words for the user. */
  @Column('text', { default: '' })
  lastSent!: string;

  @Column('timestamptz', { nullable: true })
  lastFailedAt!: Date | null;

  /** Why, in words for the user. */
  @Column('text', { default: '' })
  lastError!: string;
}
