import { Entity, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';

import { List } from './list.entity.js';

/**
 * A tag on an item. The row also contains the position of the item in the list, so that one index scan returns a sorted
 * page of items with a tag.
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
