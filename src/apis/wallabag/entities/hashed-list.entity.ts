import { Column, Entity, JoinColumn, OneToOne, PrimaryColumn, type Relation } from 'typeorm';

import { List } from '../../../reading-list/entities/list.entity.js';

/** The progress of hashing the URLs of a list. The row is created when a client first looks up a hash. */
@Entity('hashed_lists')
export class HashedList {
  @PrimaryColumn('bigint')
  userId!: string;

  @OneToOne(() => List, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id' })
  list!: Relation<List>;

  /** The version of the last hashed item. Items are hashed in the order of versions. */
  @Column('bigint')
  version!: string;

  /** The id of the last hashed item. Several items can have the same version. */
  @Column('bigint')
  itemId!: string;
}
