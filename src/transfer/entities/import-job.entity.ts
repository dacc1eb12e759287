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
import type { NotImportedReport } from '../../lib/library-formats/not-imported.js';

/**
 * The state of an import. `uploading`: the client is sending the file. `waiting` and `running`: the file is stored, so
 * the client may disconnect. `undoing`: the changes of the ended import are being undone. The other states are final.
 */
export type ImportState =
  'uploading' | 'waiting' | 'running' | 'done' | 'failed' | 'cancelled' | 'undoing' | 'undone';

/**
 * An import of a file. The import runs in the background. The database row of the import is deleted 30 days after the
 * end of the import.
 */
@Entity('imports')
@Index('imports_unfinished_idx', ['userId'], { unique: true, where: 'finished_at IS NULL' })
@Index('imports_queue_idx', ['createdAt'], { where: 'finished_at IS NULL' })
@Index('imports_user_idx', ['userId', 'id'])
@Check(
  'imports_state_check',
  `state IN ('uploading', 'waiting', 'running', 'done', 'failed', 'cancelled', 'undoing', 'undone')`,
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

  /** True if the import creates a saved list for each folder of the file. */
  @Column('boolean', { default: false })
  foldersBecomeLists!: boolean;

  @Column('text', { default: 'uploading' })
  state!: ImportState;

  /** The name of the file's format. Null until the format is recognised. */
  @Column('text', { nullable: true })
  format!: string | null;

  /** The text that explains how the format of the file was recognised, such as "it has the columns `url`, `tags`". */
  @Column('text', { nullable: true })
  formatReason!: string | null;

  @Column('integer', { nullable: true })
  rowCount!: number | null;

  /** Fields of the file that are not imported. Null until the rows are counted. */
  @Column('jsonb', { name: 'unread', nullable: true })
  notImported!: NotImportedReport | null;

  /**
   * The highest item number (a short id for wallabag clients) in the list before the import began.
   * Only higher numbers are imported from the file (docs/decisions/0069).
   */
  @Column('integer', { nullable: true })
  numbersBefore!: number | null;

  @Column('integer', { default: 0 })
  rowsDone!: number;

  @Column('integer', { default: 0 })
  added!: number;

  @Column('integer', { default: 0 })
  changed!: number;

  /** The number of rows whose item was already in the list and was not changed by the import. */
  @Column('integer', { default: 0 })
  unchanged!: number;

  /** The number of rows whose item the user has deleted from the list. The import did not restore these items. */
  @Column('integer', { default: 0 })
  deleted!: number;

  @Column('integer', { default: 0 })
  refused!: number;

  /** The number of rows that were imported without some of their values, because the list cannot store these values. */
  @Column('integer', { default: 0 })
  incomplete!: number;

  /**
   * The number of completely imported rows that were merged with an earlier row of the file, because both rows contain
   * the same page.
   */
  @Column('integer', { default: 0 })
  merged!: number;

  /** The reason why the import failed, as a text for the user. */
  @Column('text', { nullable: true })
  failure!: string | null;

  /** The number of attempts to run the import since the last batch of rows was imported. */
  @Column('integer', { default: 0 })
  attempts!: number;

  /**
   * The number of times that the thread that reads the file has crashed or was stopped since the
   * last batch of rows was imported. Also includes crashes of the whole process before the rows
   * were counted.
   */
  @Column('integer', { default: 0 })
  readersEnded!: number;

  /** The random id of the lease. Only the process that has this lease may run the import. */
  @Column('uuid', { nullable: true })
  lease!: string | null;

  @Column('timestamptz', { nullable: true })
  leasedUntil!: Date | null;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;

  /** The time of the end of the import, or of its undo. Null while one of them runs. */
  @Column('timestamptz', { nullable: true })
  finishedAt!: Date | null;

  /** True if the import records its changes. False for imports that an earlier version of Satchel has begun. */
  @Column('boolean', { default: false })
  keepsChanges!: boolean;

  /** The time until which the import can be undone. Null if it cannot be undone (docs/decisions/0137). */
  @Column('timestamptz', { nullable: true })
  undoUntil!: Date | null;

  /** The number of items that the undo has removed, because the import had added them. */
  @Column('integer', { default: 0 })
  undoRemoved!: number;

  /** The number of items to which the undo has given back their earlier values. */
  @Column('integer', { default: 0 })
  undoRestored!: number;

  /** The number of items that the undo has left unchanged, because they were changed after the import. */
  @Column('integer', { default: 0 })
  undoKept!: number;

  /** The number of saved lists that the undo has deleted, because the import had created them. */
  @Column('integer', { default: 0 })
  undoLists!: number;
}
