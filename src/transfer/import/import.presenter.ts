import type { FieldKind } from '../../lib/library-formats/not-imported.js';
import type { ImportJob } from '../entities/import-job.entity.js';

/** A field of the file that is not imported: a column, key, attribute or element. */
export interface NotImportedFieldResponse {
  readonly path: string;
  readonly kind: FieldKind;
  readonly name: string;
  readonly rows: number;
}

/** An import in a response of the API. All times are unix seconds. */
export interface ImportResponse {
  readonly id: string;
  readonly state: ImportJob['state'];
  readonly file_name: string;
  readonly format: string | null;
  /** The text that explains how the format of the file was recognised. Null until the format is known. */
  readonly format_reason: string | null;
  /** The number of rows in the file. Null until the rows are counted. */
  readonly rows: number | null;
  readonly rows_done: number;
  readonly added: number;
  readonly changed: number;
  readonly unchanged: number;
  readonly deleted: number;
  readonly refused: number;
  readonly incomplete: number;
  readonly merged: number;
  /** The fields of the file that have values and are not imported. Empty until the rows are counted. */
  readonly not_imported: readonly NotImportedFieldResponse[];
  /**
   * The number of additional fields that are not imported. `not_imported` does not list these fields, because the
   * length of `not_imported` is limited.
   */
  readonly not_imported_more: number;
  readonly failure: string | null;
  readonly created_at: number;
  readonly finished_at: number | null;
  /** The time until which the import can be undone. Null if it cannot be undone. */
  readonly undo_until: number | null;
  readonly undo_removed: number;
  readonly undo_restored: number;
  readonly undo_kept: number;
  readonly undo_lists: number;
}

export const presentImport = (job: ImportJob): ImportResponse => ({
  id: job.id,
  state: job.state,
  file_name: job.fileName,
  format: job.format,
  format_reason: job.formatReason,
  rows: job.rowCount,
  rows_done: job.rowsDone,
  added: job.added,
  changed: job.changed,
  unchanged: job.unchanged,
  deleted: job.deleted,
  refused: job.refused,
  incomplete: job.incomplete,
  merged: job.merged,
  not_imported: job.notImported?.fields ?? [],
  not_imported_more: job.notImported?.more ?? 0,
  failure: job.failure,
  created_at: secondsOf(job.createdAt),
  finished_at: job.finishedAt && secondsOf(job.finishedAt),
  undo_until: job.undoUntil && secondsOf(job.undoUntil),
  undo_removed: job.undoRemoved,
  undo_restored: job.undoRestored,
  undo_kept: job.undoKept,
  undo_lists: job.undoLists,
});

const secondsOf = (date: Date): number => Math.floor(date.getTime() / 1000);
