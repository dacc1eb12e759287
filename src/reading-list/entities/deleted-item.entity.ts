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

/** A copy of a deleted item. Copies are stored for some days so that the user can undo the deletion. */
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

  /** The row of the deleted item, as JSON. */
  @Column('json')
  item!: object;

  /** The rows of the annotations of the item, as JSON. */
  @Column('json')
  annotations!: object;

  /** The row of the page that was sent for this item only, as JSON. The page itself is deleted with the item. */
  @Column('json', { nullable: true })
  ownPage!: object | null;

  /** The row with the reading position of the item, as JSON. */
  @Column('json', { nullable: true })
  position!: object | null;

  /** The row with the page details that clients sent, as JSON. */
  @Column('json', { nullable: true })
  details!: object | null;
}
