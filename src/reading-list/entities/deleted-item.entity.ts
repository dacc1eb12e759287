import {
  Column,
  Entity,
  Index,
  JoinColumn,
  ManyToOne,
  PrimaryColumn,
  type Relation,
} from 'typeorm';

import { List } from './list.entity.js';

/** A copy of an item in the trash. It is stored for 30 days, so that the user can restore the item. */
@Entity('deleted_items')
@Index('deleted_items_deleted_at_idx', ['deletedAt'])
export class DeletedItem {
  @PrimaryColumn('bigint')
  userId!: string;

  @ManyToOne(() => List, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id' })
  list!: Relation<List>;

  @PrimaryColumn('bigint')
  itemId!: string;

  @Column('timestamptz')
  deletedAt!: Date;

  /** The database row of the deleted item, as JSON. */
  @Column('json')
  item!: object;

  /** The database rows of the item's annotations, as JSON. */
  @Column('json')
  annotations!: object;

  /**
   * The database row of a page that a client sent only for this item, as JSON. The page itself is deleted with the
   * item.
   */
  @Column('json', { nullable: true })
  ownPage!: object | null;

  /** The database row with the item's reading position, as JSON. */
  @Column('json', { nullable: true })
  position!: object | null;

  /** The database row with data that clients sent about the item's page, as JSON. */
  @Column('json', { nullable: true })
  details!: object | null;

  /** The bytes that the item counted toward the storage limit. It counts the same in the trash. */
  @Column('bigint', { default: 0 })
  bytes!: string;
}
