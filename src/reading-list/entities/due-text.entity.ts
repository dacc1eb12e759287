import {
  Column,
  Entity,
  Index,
  JoinColumn,
  ManyToOne,
  PrimaryColumn,
  type Relation,
} from 'typeorm';

import { List } from './list.entity.js';

/** An item whose words are to be written, or to be written anew. */
@Entity('due_texts')
@Index('due_texts_marked_at_idx', ['markedAt'])
export class DueText {
  @PrimaryColumn('bigint')
  userId!: string;

  @ManyToOne(() => List, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id' })
  list!: Relation<List>;

  @PrimaryColumn('bigint')
  itemId!: string;

  @Column('timestamptz', { default: () => 'clock_timestamp()' })
  markedAt!: Date;
}
