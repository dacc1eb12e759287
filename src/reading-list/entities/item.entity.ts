import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * A saved URL in the list of a user. TypeORM cannot express the indexes and the generated columns, so the table is
 * the migration's alone. Times are unix seconds, "0" is never.
 */
@Entity('items', { synchronize: false })
export class Item {
  @PrimaryColumn('bigint')
  userId!: string;

  /** A hash of the URL in its normal form (address.ts). */
  @PrimaryColumn('bigint')
  itemId!: string;

  @Column('bigint')
  stamp!: string;

  /** 0 unread, 1 archived; a deleted item is a tombstone. */
  @Column('smallint')
  status!: number;

  @Column('smallint')
  favorite!: number;

  @Column('bigint')
  timeAdded!: string;

  /** Which addition to the list it was: what decides between items of one second (docs/decisions/0035). */
  @Column('integer')
  addedSequence!: number;

  /** Both in one: what `newest` and `oldest` go by. */
  @Column({ type: 'bigint', insert: false, update: false })
  addedOrder!: string;

  @Column('bigint')
  timeUpdated!: string;

  @Column('bigint')
  timeRead!: string;

  @Column('bigint')
  timeFavorited!: string;

  /** When the state was so that imports gave it, "0" for unknown; null once the person has changed the item here. */
  @Column('bigint', { nullable: true })
  importedAsOf!: string | null;

  @Column('text')
  givenUrl!: string;

  @Column('text')
  givenTitle!: string;

  @Column('boolean')
  prefersGivenTitle!: boolean;

  /** "0" until the page is resolved. */
  @Column('bigint')
  resolvedId!: string;

  @Column('text')
  resolvedUrl!: string;

  @Column('text')
  resolvedTitle!: string;

  @Column('text')
  excerpt!: string;

  @Column('text')
  lang!: string;

  @Column('smallint')
  isArticle!: number;

  @Column('smallint')
  isIndex!: number;

  @Column('smallint')
  hasImage!: number;

  @Column('smallint')
  hasVideo!: number;

  @Column('integer')
  wordCount!: number;

  @Column('text')
  topImageUrl!: string;

  /** The names as they are shown; `item_tags` has the same by id. */
  @Column('text', { array: true })
  tags!: string[];
}
