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

/** A deleted item as it was, kept for some days so that the person who deleted it can undo that. */
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

  /** The row of the item. */
  @Column('json')
  item!: object;

  /** The rows of its annotations. */
  @Column('json')
  annotations!: object;

  /** The row of the page that was sent for the item alone; it goes with the item. */
  @Column('json', { nullable: true })
  ownPage!: object | null;

  /** The row that tells how far it was read. */
  @Column('json', { nullable: true })
  position!: object | null;

  /** The row with what clients said about its page. */
  @Column('json', { nullable: true })
  details!: object | null;
}
