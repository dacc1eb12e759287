import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';

import { User } from '../../../auth/entities/user.entity.js';

/**
 * Counts a user's page requests toward the hourly quota, in the hour that began at `beganAt`. Each
 * priority has a separate counter.
 */
@Entity('page_quotas')
export class PageQuota {
  @PrimaryColumn('bigint')
  userId!: string;

  @ManyToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id' })
  user!: Relation<User>;

  @PrimaryColumn('smallint')
  priority!: number;

  @Column('timestamptz')
  beganAt!: Date;

  @Column('integer')
  taken!: number;
}
