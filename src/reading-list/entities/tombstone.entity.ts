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

/** The record of a deleted item. Clients that request changes receive the record, so that they delete the item too. */
@Entity('tombstones')
@Index('tombstones_stamp_idx', ['userId', 'version', 'itemId'])
export class Tombstone {
  @PrimaryColumn('bigint')
  userId!: string;

  @ManyToOne(() => List, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id' })
  list!: Relation<List>;

  @PrimaryColumn('bigint')
  itemId!: string;

  /** The list version of the deletion. */
  @Column('bigint', { name: 'stamp' })
  version!: string;

  /** The id that is computed from the item's address. Null if this id equals `itemId` (docs/decisions/0095). */
  @Column('bigint', { nullable: true })
  addressId!: string | null;

  /** The id of the item that has replaced this item, because the user has changed the address (docs/decisions/0113). */
  @Column('bigint', { nullable: true })
  movedTo!: string | null;

  /** True if the undo of an import has removed the item. A later import can then add it again (docs/decisions/0137). */
  @Column('boolean', { default: false })
  isUndone!: boolean;
}
