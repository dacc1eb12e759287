import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** The calls of one user or one consumer key in the window that ends at `endsAt`. The table is unlogged. */
@Entity('call_counters')
@Index(['endsAt'])
export class CallCounter {
  @PrimaryColumn('text')
  key!: string;

  /** The maximum number of calls in the window. */
  @Column('integer')
  allowed!: number;

  /** The number of calls that are spent, or leased to an instance. */
  @Column('integer')
  taken!: number;

  /** The number of calls in the last lease. */
  @Column('integer')
  lease!: number;

  @Column('timestamptz')
  endsAt!: Date;
}
