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

/** A deleted item: what clients that ask for changes must be told of it. */
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

  /** Of the change that deleted it. */
  @Column('bigint', { name: 'stamp' })
  version!: string;

  /** The id of the address of the item, if the item had another one (docs/decisions/0095). */
  @Column('bigint', { nullable: true })
  addressId!: string | null;
}
