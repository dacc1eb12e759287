import { Column, Entity, JoinColumn, OneToOne, PrimaryColumn, type Relation } from 'typeorm';

import { User } from '../../auth/entities/user.entity.js';

/**
 * The reading list of one user. The row has the version and the counters of the list, and writers lock the row
 * (docs/decisions/0015).
 */
@Entity('lists')
export class List {
  @PrimaryColumn('bigint')
  userId!: string;

  @OneToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn()
  user!: Relation<User>;

  /** The version of the latest change to the list, which is compared with `since`. */
  @Column('bigint', { name: 'stamp', default: 0 })
  version!: string;

  /** The version of the latest change to the set of tag names. */
  @Column('bigint', { name: 'tags_stamp', default: 0 })
  tagsVersion!: string;

  @Column('integer', { default: 0 })
  itemCount!: number;

  /** The number of additions of items. Adding an item again also counts (docs/decisions/0035). */
  @Column('bigint', { default: 0 })
  additions!: string;

  /**
   * The number of ids of 31 bits that were assigned to items, tags and annotations. No such id is assigned twice
   * (docs/decisions/0069).
   */
  @Column('integer', { default: 0 })
  numbers!: number;

  /** The number of items for each of the 64 facets. */
  @Column('integer', { array: true, default: () => 'array_fill(0, ARRAY[64])' })
  facetCounts!: number[];

  @Column('boolean', { default: false })
  hasSearchIndex!: boolean;

  /** The upper limit of the bytes that the user stores (docs/decisions/0099). Null until the bytes are measured. */
  @Column('bigint', { nullable: true })
  storedBytes!: string | null;

  /**
   * True if data was deleted or replaced since the last measurement. The list may then be smaller than `storedBytes`.
   */
  @Column('boolean', { default: false })
  mayStoreLess!: boolean;
}
