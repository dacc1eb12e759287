import { Column, Entity, JoinColumn, OneToOne, PrimaryColumn, type Relation } from 'typeorm';

import { User } from '../../auth/entities/user.entity.js';

/**
 * The reading list of one user. The row contains the version and the counters of the list. Each transaction that
 * changes the list locks this row (docs/decisions/0015).
 */
@Entity('lists')
export class List {
  @PrimaryColumn('bigint')
  userId!: string;

  @OneToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn()
  user!: Relation<User>;

  /** The version of the latest change to the list. It is compared with the parameter `since` of a client. */
  @Column('bigint', { name: 'stamp', default: 0 })
  version!: string;

  /** The version of the latest change to the set of tag names. */
  @Column('bigint', { name: 'tags_stamp', default: 0 })
  tagsVersion!: string;

  @Column('integer', { default: 0 })
  itemCount!: number;

  /** The number of additions to the list, including repeated additions of the same item (docs/decisions/0035). */
  @Column('bigint', { default: 0 })
  additions!: string;

  /**
   * The number of 31-bit ids that were assigned to items, tags and annotations. Each 31-bit id is assigned only once
   * (docs/decisions/0069).
   */
  @Column('integer', { default: 0 })
  numbers!: number;

  /** The number of items for each of the 64 combinations of properties, such as archived and favorite. */
  @Column('integer', { array: true, default: () => 'array_fill(0, ARRAY[64])' })
  facetCounts!: number[];

  @Column('boolean', { default: false })
  hasSearchIndex!: boolean;

  /** An upper bound for the bytes that the user stores (docs/decisions/0099). Null until they are measured. */
  @Column('bigint', { nullable: true })
  storedBytes!: string | null;

  /**
   * True if data was deleted or replaced since the last measurement. The list may then be smaller than `storedBytes`.
   */
  @Column('boolean', { default: false })
  mayStoreLess!: boolean;

  /** True if changes of the list write events, because the user has a subscriber (docs/decisions/0118). */
  @Column('boolean', { default: false })
  hasSubscribers!: boolean;
}
