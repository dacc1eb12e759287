import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * The API calls of one user or consumer key in the hour that ends at `endsAt`. The table is unlogged, so a crash of the
 * database resets the counters.
 */
@Entity('call_counters')
@Index(['endsAt'])
export class CallCounter {
  @PrimaryColumn('text')
  key!: string;

  /** The maximum number of calls in the hour. */
  @Column('integer')
  allowed!: number;

  /** The number of calls that were made, or that a process has counted in advance. */
  @Column('integer')
  taken!: number;

  /** The number of calls that the last statement has counted. */
  @Column('integer')
  lease!: number;

  @Column('timestamptz')
  endsAt!: Date;
}
