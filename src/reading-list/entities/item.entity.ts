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
import { PageColumns } from './page-columns.js';

/**
 * The columns of an item that clients see. They are selected with every item. Times are Unix seconds, and "0" means
 * never.
 */
export abstract class ShownItem extends PageColumns {
  /** The id of the item: a hash of the normalized URL (list/address.ts). */
  @PrimaryColumn('bigint')
  itemId!: string;

  /** The status: 0 is unread, 1 is archived. A deleted item has no row. */
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

  /** True if the user's title is shown instead of the title of the page (docs/decisions/0016). */
  @Column('boolean', { default: false })
  prefersGivenTitle!: boolean;

  /** The time since which the page is gone from the web. "0" if the page exists, or if it was never checked. */
  @Column('bigint', { default: 0 })
  goneSince!: string;

  /** The names of the item's tags, as they are shown. The table `item_tags` contains the same tags by id. */
  @Column('text', { array: true, default: [] })
  tags!: string[];
}

/** The columns of an item that clients see. Bigint columns are decimal text, as in responses. */
export interface ItemRow extends RowOf<ShownItem> {
  /** The note of the user. Undefined unless the query selects notes (docs/decisions/0093). */
  readonly note?: string;
}

/** The names of the columns in an ItemRow. */
export const ITEM_COLUMNS: readonly string[] = columnsOf(ShownItem).map(({ name }) => name);

const GENERATED = { generatedType: 'STORED', insert: false, update: false } as const;

/**
 * A saved URL in the list of a user. Most indexes of this table are declared only in migrations;
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

  /**
   * A second id of at most 31 bits, for clients that do not support long ids. Each list has one sequence, which never
   * assigns a number twice (docs/decisions/0069).
   */
  @Column('integer')
  number!: number;

  /**
   * The list version of the item's latest change. It is compared with the parameter `since` of a client
   * (docs/decisions/0042).
   */
  @Column('bigint', { name: 'stamp' })
  version!: string;

  /** A sequence number that orders items that were added in the same second (docs/decisions/0035). */
  @Column('integer', { default: 0 })
  addedSequence!: number;

  /**
   * The sort key of the orders `newest` and `oldest`: the time at which the item was added,
   * combined with its sequence number.
   */
  @Column({
    type: 'bigint',
    ...GENERATED,
    asExpression: 'time_added * 1073741824 + added_sequence',
  })
  addedOrder!: string;

  /**
   * The time of the item's last change according to the imported file, or "0" if unknown. Null
   * after the user has changed the item in Satchel.
   */
  @Column('bigint', { nullable: true })
  importedAsOf!: string | null;

  /**
   * A bit field of the item's properties, such as archived and favorite (facet.ts). Each list has
   * one counter per value.
   */
  @Column({ type: 'smallint', ...GENERATED, asExpression: FACET_OF_ROW })
  facet!: number;

  /** The text by which items are sorted by title. */
  @Column({ type: 'text', collation: 'C' })
  titleKey!: string;

  /** The text by which items are sorted by site and filtered by domain. */
  @Column({ type: 'text', collation: 'C' })
  urlKey!: string;

  /** The reversed domain of the URL, such as `moc.elpmaxe/`. A search by prefix finds a domain and its subdomains. */
  @Column({
    type: 'text',
    ...GENERATED,
    collation: 'C',
    asExpression: `reverse(split_part(url_key, '/', 1)) || '/'`,
  })
  site!: string;

  /** The titles and URLs of the item. The parameter `search` finds items by this text. */
  @Column({ type: 'text', collation: 'C' })
  searchText!: string;

  /** 1 if the page could not be fetched. 0 again as soon as the item has its page. */
  @Column('smallint', { default: 0 })
  fetchFailed!: 0 | 1;

  /** The note of the user about the page. Empty if there is no note (docs/decisions/0093). */
  @Column('text', { default: '' })
  note!: string;
}
