import {
  Check,
  Column,
  Entity,
  Index,
  JoinColumn,
  ManyToOne,
  PrimaryGeneratedColumn,
  type Relation,
} from 'typeorm';

import { User } from '../../auth/entities/user.entity.js';
import type { UnreadReport } from '../../lib/library-formats/unread-fields.js';

/** uploading: the file comes in. waiting, running: the rest goes on by itself. The others are ends. */
export type ImportState = 'uploading' | 'waiting' | 'running' | 'done' | 'failed' | 'cancelled';

/** An import of a file, which runs in the background and is kept for some weeks after. */
@Entity('imports')
@Index('imports_unfinished_idx', ['userId'], { unique: true, where: 'finished_at IS NULL' })
@Index('imports_queue_idx', ['createdAt'], { where: 'finished_at IS NULL' })
@Index('imports_user_idx', ['userId', 'id'])
@Check(
  'imports_state_check',
  `state IN ('uploading', 'waiting', 'running', 'done', 'failed', 'cancelled')`,
)
export class ImportJob {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  id!: string;

  @Column('bigint')
  userId!: string;

  @ManyToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn()
  user!: Relation<User>;

  @Column('text')
  fileName!: string;

  @Column('boolean')
  restoresDeleted!: boolean;

  @Column('text', { default: 'uploading' })
  state!: ImportState;

  /** Null until the file has been looked at. */
  @Column('text', { nullable: true })
  format!: string | null;

  /** Why this format was chosen, such as "it has the columns `url`, `tags`". */
  @Column('text', { nullable: true })
  formatReason!: string | null;

  @Column('integer', { nullable: true })
  rowCount!: number | null;

  /** Fields of the file that are not imported. Null until the rows are counted. */
  @Column('jsonb', { nullable: true })
  unread!: UnreadReport | null;

  /** How many numbers the list had given when it began: those above may be what the file says (docs/decisions/0069). */
  @Column('integer', { nullable: true })
  numbersBefore!: number | null;

  @Column('integer', { default: 0 })
  rowsDone!: number;

  @Column('integer', { default: 0 })
  added!: number;

  @Column('integer', { default: 0 })
  changed!: number;

  /** Already in the list; the user's own changes stay. */
  @Column('integer', { default: 0 })
  unchanged!: number;

  /** Not brought back, as the user has deleted them. */
  @Column('integer', { default: 0 })
  deleted!: number;

  @Column('integer', { default: 0 })
  refused!: number;

  /** Of those that were taken: not everything that the row says has a place in the list. */
  @Column('integer', { default: 0 })
  incomplete!: number;

  /** Complete rows that share an item with an earlier row. */
  @Column('integer', { default: 0 })
  merged!: number;

  /** Why it failed, in words for the user. */
  @Column('text', { nullable: true })
  failure!: string | null;

  /** How many times in a row it has been begun without getting further. */
  @Column('integer', { default: 0 })
  attempts!: number;

  /** How many times in a row what read the file has ended, a thread or its process, without getting further. */
  @Column('integer', { default: 0 })
  readersEnded!: number;

  /** Of the process that runs it. */
  @Column('uuid', { nullable: true })
  lease!: string | null;

  @Column('timestamptz', { nullable: true })
  leasedUntil!: Date | null;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;

  @Column('timestamptz', { nullable: true })
  finishedAt!: Date | null;
}
