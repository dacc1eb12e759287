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

/** A page that a client has sent with an item, and that has not been parsed yet. */
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
   * The random id of this sent page. If a client sends a page for the same item again, the id changes, and only the
   * latest page is parsed.
   */
  @Column('uuid')
  version!: string;

  @Column('text')
  url!: string;

  /** The compressed HTML that the client has sent. */
  @Column('bytea')
  html!: Buffer;

  @Column('smallint', { default: 1 })
  attempts!: number;

  @Column('timestamptz')
  leasedUntil!: Date;
}
