import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';

import { List } from '../../reading-list/entities/list.entity.js';
import type { EarlierItem } from '../../reading-list/imports/imported-changes.js';
import type { SavedListMark } from '../../reading-list/saved-lists/undo-saved-lists.js';

/**
 * What a batch of rows of an import has changed, so that the import can be undone. The row is deleted when the batch is
 * undone, or a day after the end of the import (docs/decisions/0137).
 */
@Entity('import_changes')
export class ImportChanges {
  @PrimaryColumn('bigint')
  userId!: string;

  @ManyToOne(() => List, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id' })
  list!: Relation<List>;

  /** The id of the import. There is no foreign key, because the imports may be stored on another server. */
  @PrimaryColumn('bigint')
  importId!: string;

  /** The number of the last row in the batch. */
  @PrimaryColumn('integer')
  lastRow!: number;

  /** The items that the batch has added or changed. */
  @Column('bigint', { array: true })
  itemIds!: string[];

  /** The fingerprint of each item after the batch, in the order of `itemIds`. */
  @Column('bigint', { array: true })
  fingerprints!: string[];

  /** The earlier values of the changed items by item id. Added items are missing here. */
  @Column('jsonb')
  earlier!: Readonly<Record<string, EarlierItem>>;

  /** Added items that the user had deleted before. */
  @Column('bigint', { array: true })
  restoredIds!: string[];

  /** The saved lists that the batch has created. */
  @Column('jsonb')
  savedLists!: readonly SavedListMark[];
}
