import { Column, Entity, JoinColumn, OneToOne, PrimaryColumn, type Relation } from 'typeorm';

import { List } from '../../../reading-list/entities/list.entity.js';

/** How far the URLs of a list are hashed; there is a row once a client has asked by a hash. */
@Entity('hashed_lists')
export class HashedList {
  @PrimaryColumn('bigint')
  userId!: string;

  @OneToOne(() => List, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id' })
  list!: Relation<List>;

  /** Of the last item that was hashed, in the order of versions. */
  @Column('bigint')
  version!: string;

  /** That item, among those of its version. */
  @Column('bigint')
  itemId!: string;
}
