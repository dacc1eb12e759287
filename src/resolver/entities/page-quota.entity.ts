import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';

import { List } from '../../reading-list/entities/list.entity.js';

/** How many pages of a user and a priority are to be fetched in the hours since the first of them. */
@Entity('page_quotas')
export class PageQuota {
  @PrimaryColumn('bigint')
  userId!: string;

  @ManyToOne(() => List, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id' })
  list!: Relation<List>;

  @PrimaryColumn('smallint')
  priority!: number;

  @Column('timestamptz')
  beganAt!: Date;

  @Column('integer')
  taken!: number;
}
