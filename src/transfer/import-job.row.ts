import { countsOf, type ImportCounts, type ImportJob, type ImportState } from './import-job.js';

/** The columns of `imports` that make an ImportJob. */
export const IMPORT_COLUMNS = `id, user_id, file_name, restores_deleted, state, format, row_count, rows_done, added, changed,
  unchanged, deleted, refused, incomplete, failure, created_at, finished_at`;

export interface ImportJobRow extends ImportCounts {
  readonly id: string;
  readonly user_id: string;
  readonly file_name: string;
  readonly restores_deleted: boolean;
  readonly state: ImportState;
  readonly format: string | null;
  readonly row_count: number | null;
  readonly rows_done: number;
  readonly failure: string | null;
  readonly created_at: Date;
  readonly finished_at: Date | null;
}

export const importJobOf = (row: ImportJobRow): ImportJob => ({
  id: row.id,
  userId: row.user_id,
  fileName: row.file_name,
  restoresDeleted: row.restores_deleted,
  state: row.state,
  format: row.format ?? undefined,
  rowCount: row.row_count ?? undefined,
  rowsDone: row.rows_done,
  ...countsOf(row),
  failure: row.failure ?? undefined,
  createdAt: row.created_at,
  finishedAt: row.finished_at ?? undefined,
});
