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

/** An item whose words for full-text search are due to be written, or to be written again. */
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
