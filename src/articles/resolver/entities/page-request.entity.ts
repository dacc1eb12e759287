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

/** A request to fetch the page of one item. The requests form the queue of pages. */
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

  /**
   * The position of this page among the queued pages of the same user. Within a priority, the queue
   * is sorted by this position. The first page of each user is therefore fetched before the second
   * page of any user.
   */
  @Column('integer')
  turn!: number;

  /** The id of the page whose result can be written to the item. Null until the page was fetched or given up. */
  @Column('bigint', { nullable: true })
  pageId!: string | null;

  @Column('timestamptz', { default: () => 'now()' })
  requestedAt!: Date;

  @Column('timestamptz', { nullable: true })
  retryAt!: Date | null;
}
