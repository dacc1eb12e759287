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

/** An item that waits for its page: the queue of the resolver. */
@Entity('page_requests')
@Index('page_requests_queue_idx', ['priority', 'turn', 'requestedAt'], {
  where: 'page_id IS NULL AND retry_at IS NULL',
})
@Index('page_requests_retry_idx', ['priority', 'retryAt'], {
  where: 'page_id IS NULL AND retry_at IS NOT NULL',
})
@Index('page_requests_ready_idx', ['userId'], { where: 'page_id IS NOT NULL' })
@Index('page_requests_page_key_idx', ['pageKey'])
export class PageRequest {
  @PrimaryColumn('bigint')
  userId!: string;

  @ManyToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id' })
  user!: Relation<User>;

  @PrimaryColumn('bigint')
  itemId!: string;

  @Column('bytea')
  pageKey!: Buffer;

  @Column('text')
  url!: string;

  @Column('text')
  host!: string;

  @Column('smallint')
  priority!: number;

  /** How many pages of the user are read before. */
  @Column('integer')
  turn!: number;

  /** The page that is ready for the item; null while it is to be read. */
  @Column('bigint', { nullable: true })
  pageId!: string | null;

  @Column('timestamptz', { default: () => 'now()' })
  requestedAt!: Date;

  @Column('timestamptz', { nullable: true })
  retryAt!: Date | null;
}
