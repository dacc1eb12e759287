import { Entity, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';

import { List } from './list.entity.js';

/**
 * A tag on an item. The row contains the place of the item in the list order, so that one index scan reads a page of a
 * tag.
 */
@Entity('item_tags')
export class ItemTag {
  @PrimaryColumn('bigint')
  userId!: string;

  @ManyToOne(() => List, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id' })
  list!: Relation<List>;

  @PrimaryColumn('bigint')
  tagId!: string;

  @PrimaryColumn('bigint')
  addedOrder!: string;

  @PrimaryColumn('bigint')
  itemId!: string;
}
