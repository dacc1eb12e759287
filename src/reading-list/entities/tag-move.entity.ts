import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';

import { List } from './list.entity.js';

/** A pending rename or deletion of a tag that has too many items for one transaction (docs/decisions/0085). */
@Entity('tag_moves')
export class TagMove {
  @PrimaryColumn('bigint')
  userId!: string;

  @ManyToOne(() => List, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id' })
  list!: Relation<List>;

  @PrimaryColumn('bigint')
  sourceId!: string;

  /** The old name of the tag, as the items show it. */
  @Column('text')
  source!: string;

  /** The id of the new tag. Null if the tag is being deleted. */
  @Column('bigint', { nullable: true })
  targetId!: string | null;

  /** The new name of the tag, as the items will show it. Null if the tag is being deleted. */
  @Column('text', { nullable: true })
  target!: string | null;
}
