import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** The calls of one user or one consumer key in the window that ends at `endsAt`. The table is unlogged. */
@Entity('call_counters')
@Index(['endsAt'])
export class CallCounter {
  @PrimaryColumn('text')
  key!: string;

  /** The limit. */
  @Column('integer')
  allowed!: number;

  /** Spent, or leased to an instance. */
  @Column('integer')
  taken!: number;

  /** How many of them the last instance got. */
  @Column('integer')
  lease!: number;

  @Column('timestamptz')
  endsAt!: Date;
}
