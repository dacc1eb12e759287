import { Entity, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';

import { List } from './list.entity.js';

/** A tag on an item. Contains the place of the item in the list order, so that a page of a tag is one index scan. */
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
