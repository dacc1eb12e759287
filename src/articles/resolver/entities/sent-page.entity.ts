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

  /** Changes with each page that is sent for the item. Only the latest version is parsed. */
  @Column('uuid')
  version!: string;

  @Column('text')
  url!: string;

  /** The compressed HTML. */
  @Column('bytea')
  html!: Buffer;

  @Column('smallint', { default: 1 })
  attempts!: number;

  @Column('timestamptz')
  leasedUntil!: Date;
}
