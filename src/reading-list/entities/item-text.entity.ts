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

/** The stemmed words of an item and its article, for full-text search. */
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

  /** The PostgreSQL text search configuration with which the words were stemmed. */
  @Column('text')
  language!: string;

  /**
   * The stemmed words. An additional word identifies the owner, so that an index lookup finds only
   * items of one user.
   */
  @Column('tsvector')
  words!: string;
}
