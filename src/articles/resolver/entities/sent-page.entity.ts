import {
  Column,
  Entity,
  Index,
  JoinColumn,
  ManyToOne,
  PrimaryColumn,
  type Relation,
} from 'typeorm';

import { User } from '../../../auth/entities/user.entity.js';

/** A page that a client has sent and that is not parsed yet. */
@Entity('sent_pages')
@Index('sent_pages_leased_idx', ['leasedUntil'])
export class SentPage {
  @PrimaryColumn('bigint')
  userId!: string;

  @ManyToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id' })
  user!: Relation<User>;

  @PrimaryColumn('bigint')
  itemId!: string;

  /**
   * The version of the page. Each page that is sent for the item has a new version, and only the latest version is
   * parsed.
   */
  @Column('uuid')
  version!: string;

  @Column('text')
  url!: string;

  /** The compressed HTML of the page. */
  @Column('bytea')
  html!: Buffer;

  @Column('smallint', { default: 1 })
  attempts!: number;

  @Column('timestamptz')
  leasedUntil!: Date;
}
