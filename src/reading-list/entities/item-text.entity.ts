import {
  Column,
  Entity,
  Index,
  JoinColumn,
  ManyToOne,
  PrimaryColumn,
  type Relation,
} from 'typeorm';

import { Item } from './item.entity.js';

/** The words of an item and of its article, as full-text search looks for them. */
@Entity('item_texts')
@Index('item_texts_language_idx', ['userId', 'language'])
export class ItemText {
  @PrimaryColumn('bigint')
  userId!: string;

  @PrimaryColumn('bigint')
  itemId!: string;

  @ManyToOne(() => Item, { onDelete: 'CASCADE' })
  @JoinColumn([
    {
      name: 'user_id',
      referencedColumnName: 'userId',
      foreignKeyConstraintName: 'item_texts_item_id_fkey',
    },
    { name: 'item_id', referencedColumnName: 'itemId' },
  ])
  item!: Relation<Item>;

  @Column('bigint')
  addedOrder!: string;

  /** The text search configuration that has stemmed the words. */
  @Column('text')
  language!: string;

  /** With a word that names the owner: the index finds one user's items alone. */
  @Column('tsvector')
  words!: string;
}
