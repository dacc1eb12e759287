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

/** An article that a rule sends to the user's e-reader, in the queue of mails. The row is deleted after the mail. */
@Entity('list_rule_mails')
@Index('list_rule_mails_queued_at_idx', ['dueAt'])
export class ListRuleMail {
  @PrimaryColumn('bigint')
  userId!: string;

  @ManyToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id' })
  user!: Relation<User>;

  @PrimaryColumn('bigint')
  itemId!: string;

  /** The time at which the mail was queued, the time of the next attempt, or the end of the lease. */
  @Column('timestamptz', { name: 'queued_at', default: () => 'now()' })
  dueAt!: Date;

  /** The number of attempts to send the mail. It identifies the attempt that has the lease. */
  @Column('smallint', { default: 0 })
  attempts!: number;
}
