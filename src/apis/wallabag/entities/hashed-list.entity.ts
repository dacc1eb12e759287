import { Column, Entity, JoinColumn, OneToOne, PrimaryColumn, type Relation } from 'typeorm';

import { List } from '../../../reading-list/entities/list.entity.js';

/** Stores the last item of a list whose URLs are hashed. The row is created when a client first looks up a URL hash. */
@Entity('hashed_lists')
export class HashedList {
  @PrimaryColumn('bigint')
  userId!: string;

  @OneToOne(() => List, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id' })
  list!: Relation<List>;

  /** The list version of the last hashed item. Items are hashed in the order of their versions. */
  @Column('bigint')
  version!: string;

  /** The id of the last hashed item. The id is needed because several items can have the same version. */
  @Column('bigint')
  itemId!: string;
}
