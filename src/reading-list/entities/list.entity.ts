import { Column, Entity, JoinColumn, OneToOne, PrimaryColumn, type Relation } from 'typeorm';

import { User } from '../../auth/entities/user.entity.js';

/** The reading list of one user: the lock of its writers, its version and its counters (docs/decisions/0015). */
@Entity('lists')
export class List {
  @PrimaryColumn('bigint')
  userId!: string;

  @OneToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn()
  user!: Relation<User>;

  /** The version of the latest change, which is compared with `since`. */
  @Column('bigint', { name: 'stamp', default: 0 })
  version!: string;

  /** The version of the latest change to the set of tag names. */
  @Column('bigint', { name: 'tags_stamp', default: 0 })
  tagsVersion!: string;

  @Column('integer', { default: 0 })
  itemCount!: number;

  /** How many times items were added, including items that were added again (docs/decisions/0035). */
  @Column('bigint', { default: 0 })
  additions!: string;

  /**
   * How many numbers were assigned to items, tags and annotations. No number is assigned twice (docs/decisions/0069).
   */
  @Column('integer', { default: 0 })
  numbers!: number;

  /** How many items have each of the 64 facets. */
  @Column('integer', { array: true, default: () => 'array_fill(0, ARRAY[64])' })
  facetCounts!: number[];

  @Column('boolean', { default: false })
  hasSearchIndex!: boolean;

  /** Upper bound of the bytes that the user stores (docs/decisions/0099); null until they are measured. */
  @Column('bigint', { nullable: true })
  storedBytes!: string | null;

  /** True if something was deleted or replaced since, so that a measurement may find less. */
  @Column('boolean', { default: false })
  mayStoreLess!: boolean;
}
