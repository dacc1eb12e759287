import {
  Check,
  Column,
  Entity,
  Index,
  JoinColumn,
  ManyToOne,
  PrimaryGeneratedColumn,
  type Relation,
  Unique,
} from 'typeorm';

import { User } from '../../../auth/entities/user.entity.js';

/**
 * A stored web page. All items with the same URL share a fetched page. A page that a client sent for an item belongs
 * only to this item.
 */
@Entity('pages')
@Unique(['pageKey'])
@Check('pages_owner_check', `(owner_id IS NULL) = (item_id IS NULL)`)
@Index('pages_owner_idx', ['ownerId', 'itemId'], { where: 'owner_id IS NOT NULL' })
@Index('pages_leased_idx', ['host'], { where: 'leased_until IS NOT NULL' })
@Index('pages_check_idx', ['checkAt'], { where: 'owner_id IS NULL AND fetched_at IS NOT NULL' })
@Index('pages_gone_idx', ['pageId'], { where: 'gone_since IS NOT NULL' })
export class Page {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  pageId!: string;

  /**
   * The unique key of the page: the SHA-256 of its normalised URL, or of the user and item ids if a client has sent the
   * page.
   */
  @Column('bytea')
  pageKey!: Buffer;

  @Column('text')
  url!: string;

  @Column('text')
  host!: string;

  /** The user whose client sent the page. Null for a fetched page, which all users share. */
  @Column('bigint', { nullable: true })
  ownerId!: string | null;

  @ManyToOne(() => User, { onDelete: 'CASCADE', nullable: true })
  @JoinColumn({ name: 'owner_id' })
  owner!: Relation<User> | null;

  @Column('bigint', { nullable: true })
  itemId!: string | null;

  /**
   * The number of attempts to fetch the page. Reset to 0 after a success, when the service gives
   * up, and when a user requests another attempt.
   */
  @Column('smallint', { default: 0 })
  attempts!: number;

  /** The earliest time of the next attempt to fetch the page. */
  @Column('timestamptz', { nullable: true })
  retryAt!: Date | null;

  /** The end of the lease. Until this time, only the worker that holds the lease may fetch the page. */
  @Column('timestamptz', { nullable: true })
  leasedUntil!: Date | null;

  @Column('uuid', { nullable: true })
  lease!: string | null;

  /** The reason why the last attempt to fetch the page failed. */
  @Column('text', { nullable: true })
  failure!: string | null;

  /** The HTTP status of the last failed attempt to fetch the page. Null if the attempt returned no response. */
  @Column('smallint', { nullable: true })
  failureStatus!: number | null;

  @Column('timestamptz', { nullable: true })
  fetchedAt!: Date | null;

  @Column('timestamptz', { nullable: true })
  firstFetchedAt!: Date | null;

  /**
   * The time until which the stored page is fresh. After this time, a new page request makes the
   * service fetch the page again. Saving a URL again creates no page request if the item already
   * has its page.
   */
  @Column('timestamptz', { nullable: true })
  freshUntil!: Date | null;

  /** The value of `fetchedAt` when the pictures of the page were listed. Null if they were never listed. */
  @Column('timestamptz', { nullable: true })
  picturesAt!: Date | null;

  /** The time of the next check of whether the page still exists. Null if no check is planned. */
  @Column('timestamptz', { nullable: true })
  checkAt!: Date | null;

  /** The time of the first of the latest checks that did not find the page. Null if the page was found. */
  @Column('timestamptz', { nullable: true })
  missingSince!: Date | null;

  /** The value of `missingSince`, as soon as a second check has not found the page either. */
  @Column('timestamptz', { nullable: true })
  goneSince!: Date | null;

  @Column('text', { nullable: true })
  etag!: string | null;

  @Column('text', { nullable: true })
  lastModified!: string | null;

  /**
   * The data extracted from the page (a `PageRecord`): the data that items show, and the data that
   * only `/v3/add` returns.
   */
  @Column('json', { nullable: true })
  content!: object | null;

  /** The compressed HTML of the article. */
  @Column('bytea', { nullable: true })
  article!: Buffer | null;
}
