import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * The number of attempts with one key, such as logins to an account, in the period that ends at `expiresAt`. The table
 * is unlogged, so a crash of the database resets the counters.
 */
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
