import {
  Check,
  Column,
  Entity,
  Index,
  JoinColumn,
  ManyToOne,
  PrimaryColumn,
  type Relation,
  Unique,
} from 'typeorm';

import { columnsOf, type RowOf } from '../../platform/database/entity-columns.js';
import { FACET_OF_ROW } from '../facet.js';
import { List } from './list.entity.js';

/** The authors, images and videos of the page of an item. */
export interface ItemMedia {
  readonly authors: readonly { readonly id: string; readonly name: string; readonly url: string }[];
  readonly images: readonly {
    readonly src: string;
    readonly width: number;
    readonly height: number;
    readonly credit: string;
    readonly caption: string;
  }[];
  readonly videos: readonly {
    readonly src: string;
    readonly width: number;
    readonly height: number;
    readonly type: number;
    readonly vid: string;
    readonly length: number;
  }[];
}

/**
 * The columns of an item that clients see. A column that is declared here is selected with every item. Times are unix
 * seconds; "0" means never.
 */
export abstract class ShownItem {
  /** A hash of the URL in its normal form (list/address.ts). */
  @PrimaryColumn('bigint')
  itemId!: string;

  /** 0 unread, 1 archived; a deleted item is a tombstone. */
  @Column('smallint', { default: 0 })
  status!: number;

  @Column('smallint', { default: 0 })
  favorite!: number;

  @Column('bigint')
  timeAdded!: string;

  @Column('bigint')
  timeUpdated!: string;

  @Column('bigint', { default: 0 })
  timeRead!: string;

  @Column('bigint', { default: 0 })
  timeFavorited!: string;

  @Column('text')
  givenUrl!: string;

  @Column('text', { default: '' })
  givenTitle!: string;

  /** The title that the user gave wins over the title of the page (docs/decisions/0016). */
  @Column('boolean', { default: false })
  prefersGivenTitle!: boolean;

  /** "0" until the page is resolved. */
  @Column('bigint', { default: 0 })
  resolvedId!: string;

  @Column('text', { default: '' })
  resolvedUrl!: string;

  @Column('text', { default: '' })
  resolvedTitle!: string;

  @Column('text', { default: '' })
  excerpt!: string;

  @Column('text', { default: '' })
  lang!: string;

  @Column('smallint', { default: 0 })
  isArticle!: number;

  @Column('smallint', { default: 0 })
  isIndex!: number;

  /** 0: no images; 1: has images; 2: the page is an image. */
  @Column('smallint', { default: 0 })
  hasImage!: number;

  /** 0: no videos; 1: has videos; 2: the page is a video. */
  @Column('smallint', { default: 0 })
  hasVideo!: number;

  @Column('integer', { default: 0 })
  wordCount!: number;

  @Column('text', { default: '' })
  topImageUrl!: string;

  /** Null until the page is resolved. */
  @Column('json', { nullable: true })
  media!: ItemMedia | null;

  /** The tag names as shown. `item_tags` contains the same tags by id. */
  @Column('text', { array: true, default: [] })
  tags!: string[];
}

/** A shown item by the names of its columns. Bigint columns are decimal text, as in responses. */
export interface ItemRow extends RowOf<ShownItem> {
  /** Present only where the query selects notes (docs/decisions/0093). */
  readonly note?: string;
}

/** The columns of `items` that an ItemRow has. */
export const ITEM_COLUMNS: readonly string[] = columnsOf(ShownItem).map(({ name }) => name);

const GENERATED = { generatedType: 'STORED', insert: false, update: false } as const;

/**
 * A saved URL in the list of a user. Only migrations can create most of its indexes;
 * test/integration/schema-drift.int-spec.ts lists them.
 */
@Entity('items')
@Unique(['userId', 'number'])
@Index('items_facet_idx', ['userId', 'facet', 'addedOrder', 'itemId'])
@Check('items_status_check', `status IN (0, 1)`)
export class Item extends ShownItem {
  @PrimaryColumn('bigint')
  userId!: string;

  @ManyToOne(() => List, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id' })
  list!: Relation<List>;

  /** The id for clients with ids of 31 bits: one sequence per list, never assigned twice (docs/decisions/0069). */
  @Column('integer')
  number!: number;

  /** The version of the latest change, which is compared with `since` (docs/decisions/0042). */
  @Column('bigint', { name: 'stamp' })
  version!: string;

  /** The sequence number of the addition, which orders items of the same second (docs/decisions/0035). */
  @Column('integer', { default: 0 })
  addedSequence!: number;

  /** The time and the sequence of the addition in one number, by which `newest` and `oldest` sort. */
  @Column({
    type: 'bigint',
    ...GENERATED,
    asExpression: 'time_added * 1073741824 + added_sequence',
  })
  addedOrder!: string;

  /** The time of the imported state, "0" if unknown; null once the user has changed the item in Satchel. */
  @Column('bigint', { nullable: true })
  importedAsOf!: string | null;

  /** Which of the 64 counters of the list counts the item (facet.ts). */
  @Column({ type: 'smallint', ...GENERATED, asExpression: FACET_OF_ROW })
  facet!: number;

  /** The key for sorting by title. */
  @Column({ type: 'text', collation: 'C' })
  titleKey!: string;

  /** The key for sorting by site and for filtering by domain. */
  @Column({ type: 'text', collation: 'C' })
  urlKey!: string;

  /** The reversed domain, so that a prefix matches a domain and its subdomains. */
  @Column({
    type: 'text',
    ...GENERATED,
    collation: 'C',
    asExpression: `reverse(split_part(url_key, '/', 1)) || '/'`,
  })
  site!: string;

  /** The text that search matches. */
  @Column({ type: 'text', collation: 'C' })
  searchText!: string;

  /** The note of the user about the page; empty if there is none (docs/decisions/0093). */
  @Column('text', { default: '' })
  note!: string;
}
