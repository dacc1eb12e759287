import {
  Column,
  Entity,
  JoinColumn,
  ManyToOne,
  PrimaryColumn,
  type Relation,
  Unique,
} from 'typeorm';

import { List } from './list.entity.js';

/** A tag that at least one item of the user carries. */
@Entity('tags')
@Unique(['userId', 'number'])
export class Tag {
  @PrimaryColumn('bigint')
  userId!: string;

  @ManyToOne(() => List, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id' })
  list!: Relation<List>;

  /** The id of the tag: a hash of its name without case (list/tag-name.ts). */
  @PrimaryColumn('bigint')
  tagId!: string;

  /** The id for clients with ids of 31 bits (docs/decisions/0069). */
  @Column('integer')
  number!: number;

  /** The shown spelling of the tag. It is the first spelling that was used, until the tag is renamed. */
  @Column({ type: 'text', collation: 'C' })
  name!: string;

  @Column('integer', { default: 0 })
  itemCount!: number;
}
