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

/** A web page as it was read, shared by all items with its URL, or owned by the one item it was sent for. */
@Entity('pages')
@Unique(['pageKey'])
@Check('pages_owner_check', `(owner_id IS NULL) = (item_id IS NULL)`)
@Index('pages_owner_idx', ['ownerId', 'itemId'], { where: 'owner_id IS NOT NULL' })
@Index('pages_leased_idx', ['host'], { where: 'leased_until IS NOT NULL' })
export class Page {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  pageId!: string;

  /** SHA-256 of the normal form of the URL, or of the owner and the item. */
  @Column('bytea')
  pageKey!: Buffer;

  @Column('text')
  url!: string;

  @Column('text')
  host!: string;

  /** The user who sent the page; null for a shared page. */
  @Column('bigint', { nullable: true })
  ownerId!: string | null;

  @ManyToOne(() => User, { onDelete: 'CASCADE', nullable: true })
  @JoinColumn({ name: 'owner_id' })
  owner!: Relation<User> | null;

  @Column('bigint', { nullable: true })
  itemId!: string | null;

  /** To read it, since it was last read or given up. */
  @Column('smallint', { default: 0 })
  attempts!: number;

  /** Not read again before. */
  @Column('timestamptz', { nullable: true })
  retryAt!: Date | null;

  /** The worker with the lease reads the page until then. */
  @Column('timestamptz', { nullable: true })
  leasedUntil!: Date | null;

  @Column('uuid', { nullable: true })
  lease!: string | null;

  /** Why the last attempt failed. */
  @Column('text', { nullable: true })
  failure!: string | null;

  /** The HTTP status of the last attempt that failed; null if there was no answer. */
  @Column('smallint', { nullable: true })
  failureStatus!: number | null;

  @Column('timestamptz', { nullable: true })
  fetchedAt!: Date | null;

  @Column('timestamptz', { nullable: true })
  firstFetchedAt!: Date | null;

  /** Saving the URL after this time has the page read again. */
  @Column('timestamptz', { nullable: true })
  freshUntil!: Date | null;

  @Column('text', { nullable: true })
  etag!: string | null;

  @Column('text', { nullable: true })
  lastModified!: string | null;

  /** A PageRecord: what items show and what only add tells. */
  @Column('json', { nullable: true })
  content!: object | null;

  /** The compressed HTML of the article. */
  @Column('bytea', { nullable: true })
  article!: Buffer | null;
}
