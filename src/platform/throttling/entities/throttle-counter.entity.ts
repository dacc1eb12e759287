import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** The number of attempts under one key, in the window that ends at `expiresAt`. The table is unlogged. */
@Entity('throttle_counters')
@Index(['expiresAt'])
export class ThrottleCounter {
  @PrimaryColumn('text')
  key!: string;

  @Column('integer')
  hits!: number;

  @Column('timestamptz')
  expiresAt!: Date;
}
