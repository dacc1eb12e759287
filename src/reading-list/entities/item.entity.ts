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

/** What the page of an item has beside its text. */
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
 * What clients are told of an item: a column declared here is read with every item. Times are unix seconds, "0" is
 * never.
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

  /** 0 none, 1 has some, 2 is one. */
  @Column('smallint', { default: 0 })
  hasImage!: number;

  /** 0 none, 1 has some, 2 is one. */
  @Column('smallint', { default: 0 })
  hasVideo!: number;

  @Column('integer', { default: 0 })
  wordCount!: number;

  @Column('text', { default: '' })
  topImageUrl!: string;

  /** Null until the page is resolved. */
  @Column('json', { nullable: true })
  media!: ItemMedia | null;

  /** The names as they are shown; `item_tags` has the same by id. */
  @Column('text', { array: true, default: [] })
  tags!: string[];
}

/** The same by the names of the columns: bigint columns are decimal text, as in answers. */
export interface ItemRow extends RowOf<ShownItem> {
  /** Present only where the query selects notes (docs/decisions/0093). */
  readonly note?: string;
}

/** The columns of `items` that an ItemRow has. */
export const ITEM_COLUMNS: readonly string[] = columnsOf(ShownItem).map(({ name }) => name);

const GENERATED = { generatedType: 'STORED', insert: false, update: false } as const;

/** A saved URL in the list of a user. Most of its indexes only the migrations can make: test/integration/schema-drift.int-spec.ts lists them. */
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

  /** By which clients know it that hold ids of 31 bits: one sequence a list, never given twice (docs/decisions/0069). */
  @Column('integer')
  number!: number;

  /** Of its latest change: what `since` is compared with (docs/decisions/0042). */
  @Column('bigint', { name: 'stamp' })
  version!: string;

  /** Which addition to the list it was: what decides between items of one second (docs/decisions/0035). */
  @Column('integer', { default: 0 })
  addedSequence!: number;

  /** The time and the sequence of its addition in one number: what `newest` and `oldest` go by. */
  @Column({
    type: 'bigint',
    ...GENERATED,
    asExpression: 'time_added * 1073741824 + added_sequence',
  })
  addedOrder!: string;

  /** When the state was so that imports gave it, "0" for unknown; null once the user has changed the item here. */
  @Column('bigint', { nullable: true })
  importedAsOf!: string | null;

  /** Which of the 64 counters of its list counts it (facet.ts). */
  @Column({ type: 'smallint', ...GENERATED, asExpression: FACET_OF_ROW })
  facet!: number;

  /** What sort by title compares. */
  @Column({ type: 'text', collation: 'C' })
  titleKey!: string;

  /** What sort by site and the filter by domain compare. */
  @Column({ type: 'text', collation: 'C' })
  urlKey!: string;

  /** The domain backwards, so that a prefix is a domain with its subdomains. */
  @Column({
    type: 'text',
    ...GENERATED,
    collation: 'C',
    asExpression: `reverse(split_part(url_key, '/', 1)) || '/'`,
  })
  site!: string;

  /** What search looks through. */
  @Column({ type: 'text', collation: 'C' })
  searchText!: string;

  /** What the user wrote about the page, empty if nothing (docs/decisions/0093). */
  @Column('text', { default: '' })
  note!: string;
}
