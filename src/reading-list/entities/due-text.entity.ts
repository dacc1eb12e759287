import {
  Column,
  Entity,
  Index,
  JoinColumn,
  ManyToOne,
  PrimaryColumn,
  type Relation,
} from 'typeorm';

import { User } from '../../auth/entities/user.entity.js';

/** An item in the queue for full-text indexing, because its words are new or have changed. */
@Entity('due_texts')
@Index('due_texts_marked_at_idx', ['markedAt'])
export class DueText {
  @PrimaryColumn('bigint')
  userId!: string;

  @ManyToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id' })
  user!: Relation<User>;

  @PrimaryColumn('bigint')
  itemId!: string;

  @Column('timestamptz', { default: () => 'clock_timestamp()' })
  markedAt!: Date;
}
