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

/** An article that a rule sends to the user's e-reader, in the queue of mails. */
@Entity('list_rule_mails')
@Index('list_rule_mails_queued_at_idx', ['queuedAt'])
export class ListRuleMail {
  @PrimaryColumn('bigint')
  userId!: string;

  @ManyToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id' })
  user!: Relation<User>;

  @PrimaryColumn('bigint')
  itemId!: string;

  @Column('timestamptz', { default: () => 'now()' })
  queuedAt!: Date;
}
