import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';

import { List } from './list.entity.js';

/** A tag that is being renamed or deleted on more items than one transaction changes (docs/decisions/0085). */
@Entity('tag_moves')
export class TagMove {
  @PrimaryColumn('bigint')
  userId!: string;

  @ManyToOne(() => List, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id' })
  list!: Relation<List>;

  @PrimaryColumn('bigint')
  sourceId!: string;

  /** The old name, as the items show it. */
  @Column('text')
  source!: string;

  /** Null if the tag is being deleted. */
  @Column('bigint', { nullable: true })
  targetId!: string | null;

  /** The new name, as the items will show it. */
  @Column('text', { nullable: true })
  target!: string | null;
}
