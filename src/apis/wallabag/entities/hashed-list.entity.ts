import { Column, Entity, JoinColumn, OneToOne, PrimaryColumn, type Relation } from 'typeorm';

import { List } from '../../../reading-list/entities/list.entity.js';

/**
 * The progress of hashing the URLs of a list: the version and the id of the last hashed item. The
 * row is created when a client first looks up a URL hash.
 */
@Entity('hashed_lists')
export class HashedList {
  @PrimaryColumn('bigint')
  userId!: string;

  @OneToOne(() => List, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id' })
  list!: Relation<List>;

  /** The list version of the last item whose URLs are hashed. Items are hashed in the order of their versions. */
  @Column('bigint')
  version!: string;

  /**
   * The id of the last item whose URLs are hashed. The id is needed because several items can have the same version.
   */
  @Column('bigint')
  itemId!: string;
}
