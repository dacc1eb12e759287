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

/** A tag that at least one item of the user has. */
@Entity('tags')
@Unique(['userId', 'number'])
export class Tag {
  @PrimaryColumn('bigint')
  userId!: string;

  @ManyToOne(() => List, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id' })
  list!: Relation<List>;

  /** The id of the tag: a hash of its name, which ignores upper and lower case (list/tag-name.ts). */
  @PrimaryColumn('bigint')
  tagId!: string;

  /** A second id of at most 31 bits, for clients that do not support long ids (docs/decisions/0069). */
  @Column('integer')
  number!: number;

  /** The name of the tag as it is shown: the spelling at the first use of the tag, until the tag is renamed. */
  @Column({ type: 'text', collation: 'C' })
  name!: string;

  @Column('integer', { default: 0 })
  itemCount!: number;
}
