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
 * A web page. A fetched page is shared by all items with its URL. A page that was sent for an item belongs only to this
 * item.
 */
@Entity('pages')
@Unique(['pageKey'])
@Check('pages_owner_check', `(owner_id IS NULL) = (item_id IS NULL)`)
@Index('pages_owner_idx', ['ownerId', 'itemId'], { where: 'owner_id IS NOT NULL' })
@Index('pages_leased_idx', ['host'], { where: 'leased_until IS NOT NULL' })
export class Page {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  pageId!: string;

  /** The key of the page: SHA-256 of the normal form of the URL, or of the owner and item ids. */
  @Column('bytea')
  pageKey!: Buffer;

  @Column('text')
  url!: string;

  @Column('text')
  host!: string;

  /** The user who sent the page. Null for a shared page. */
  @Column('bigint', { nullable: true })
  ownerId!: string | null;

  @ManyToOne(() => User, { onDelete: 'CASCADE', nullable: true })
  @JoinColumn({ name: 'owner_id' })
  owner!: Relation<User> | null;

  @Column('bigint', { nullable: true })
  itemId!: string | null;

  /** The number of attempts since the page was last fetched or given up. */
  @Column('smallint', { default: 0 })
  attempts!: number;

  /** The page is not fetched before this time. */
  @Column('timestamptz', { nullable: true })
  retryAt!: Date | null;

  /** The end of the lease. Until then, only the worker with the lease may fetch the page. */
  @Column('timestamptz', { nullable: true })
  leasedUntil!: Date | null;

  @Column('uuid', { nullable: true })
  lease!: string | null;

  /** The reason for the last failure. */
  @Column('text', { nullable: true })
  failure!: string | null;

  /** The HTTP status of the last failed attempt. Null if there was no response. */
  @Column('smallint', { nullable: true })
  failureStatus!: number | null;

  @Column('timestamptz', { nullable: true })
  fetchedAt!: Date | null;

  @Column('timestamptz', { nullable: true })
  firstFetchedAt!: Date | null;

  /** The time until which the page is fresh. If its URL is saved after this time, the page is fetched again. */
  @Column('timestamptz', { nullable: true })
  freshUntil!: Date | null;

  @Column('text', { nullable: true })
  etag!: string | null;

  @Column('text', { nullable: true })
  lastModified!: string | null;

  /** A PageRecord: the data of the page that items show, and the data that only `/v3/add` returns. */
  @Column('json', { nullable: true })
  content!: object | null;

  /** The compressed HTML of the article. */
  @Column('bytea', { nullable: true })
  article!: Buffer | null;
}
