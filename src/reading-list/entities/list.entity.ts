import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The reading list of one user: the lock of its writers, its change clock, its counters (docs/decisions/0015). */
@Entity('lists', { synchronize: false })
export class List {
  @PrimaryColumn('bigint')
  userId!: string;

  /** The stamp of the latest change: what `since` is compared with. */
  @Column('bigint')
  stamp!: string;

  /** The stamp of the latest change of the set of tag names. */
  @Column('bigint')
  tagsStamp!: string;

  @Column('integer')
  itemCount!: number;

  /** How many times items were added, again or anew (docs/decisions/0035). */
  @Column('bigint')
  additions!: string;

  /** How many items have each of the 64 facets. */
  @Column('integer', { array: true })
  facetCounts!: number[];

  @Column('boolean')
  hasSearchIndex!: boolean;
}
