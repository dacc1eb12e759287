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

/**
 * The state of an import. `uploading`: the client is sending the file. `waiting` and `running`: the file is stored, so
 * the client may disconnect. The other states are final.
 */
export type ImportState = 'uploading' | 'waiting' | 'running' | 'done' | 'failed' | 'cancelled';

/** An import of a file, which runs in the background. The row is deleted 30 days after the end of the import. */
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

  /** The format of the file. Null until the format is known. */
  @Column('text', { nullable: true })
  format!: string | null;

  /** The reason why the format was chosen, such as "it has the columns `url`, `tags`". */
  @Column('text', { nullable: true })
  formatReason!: string | null;

  @Column('integer', { nullable: true })
  rowCount!: number | null;

  /** Fields of the file that are not imported. Null until the rows are counted. */
  @Column('jsonb', { nullable: true })
  unread!: UnreadReport | null;

  /**
   * The last item number that the list had assigned when the import began. Higher numbers can come from the file
   * (docs/decisions/0069).
   */
  @Column('integer', { nullable: true })
  numbersBefore!: number | null;

  @Column('integer', { default: 0 })
  rowsDone!: number;

  @Column('integer', { default: 0 })
  added!: number;

  @Column('integer', { default: 0 })
  changed!: number;

  /**
   * The number of rows whose item is already in the list and did not change, because user edits win over imported data.
   */
  @Column('integer', { default: 0 })
  unchanged!: number;

  /** The number of rows whose item the user has deleted. The import has not restored these items. */
  @Column('integer', { default: 0 })
  deleted!: number;

  @Column('integer', { default: 0 })
  refused!: number;

  /** The number of imported rows with values that the list cannot store. */
  @Column('integer', { default: 0 })
  incomplete!: number;

  /** The number of complete rows whose item an earlier row of the file contains too. */
  @Column('integer', { default: 0 })
  merged!: number;

  /** The reason why the import failed, as a text for the user. */
  @Column('text', { nullable: true })
  failure!: string | null;

  /** The number of consecutive attempts to run the import without progress. */
  @Column('integer', { default: 0 })
  attempts!: number;

  /**
   * The number of consecutive times that the thread that reads the file ended without progress. A thread also ends if
   * its process ends.
   */
  @Column('integer', { default: 0 })
  readersEnded!: number;

  /** The lease of the process that runs the import. */
  @Column('uuid', { nullable: true })
  lease!: string | null;

  @Column('timestamptz', { nullable: true })
  leasedUntil!: Date | null;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;

  @Column('timestamptz', { nullable: true })
  finishedAt!: Date | null;
}
