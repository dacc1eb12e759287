import type { ImportJob } from '../entities/import-job.entity.js';

/** An import as clients see it; times are unix seconds. */
export interface ImportResponse {
  readonly id: string;
  readonly state: ImportJob['state'];
  readonly file_name: string;
  readonly format: string | null;
  /** Null until the file has been looked at. */
  readonly rows: number | null;
  readonly rows_done: number;
  readonly added: number;
  readonly changed: number;
  readonly unchanged: number;
  readonly deleted: number;
  readonly refused: number;
  readonly incomplete: number;
  readonly failure: string | null;
  readonly created_at: number;
  readonly finished_at: number | null;
}

export const presentImport = (job: ImportJob): ImportResponse => ({
  id: job.id,
  state: job.state,
  file_name: job.fileName,
  format: job.format,
  rows: job.rowCount,
  rows_done: job.rowsDone,
  added: job.added,
  changed: job.changed,
  unchanged: job.unchanged,
  deleted: job.deleted,
  refused: job.refused,
  incomplete: job.incomplete,
  failure: job.failure,
  created_at: secondsOf(job.createdAt),
  finished_at: job.finishedAt && secondsOf(job.finishedAt),
});

const secondsOf = (date: Date): number => Math.floor(date.getTime() / 1000);
