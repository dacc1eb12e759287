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

/** A row of the queue of pages to fetch: an item that waits for its page. */
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

  /** The number of pages of the same user that are fetched before this page. */
  @Column('integer')
  turn!: number;

  /** The id of the page, which is ready for the item. Null until the page has been fetched. */
  @Column('bigint', { nullable: true })
  pageId!: string | null;

  @Column('timestamptz', { default: () => 'now()' })
  requestedAt!: Date;

  @Column('timestamptz', { nullable: true })
  retryAt!: Date | null;
}
