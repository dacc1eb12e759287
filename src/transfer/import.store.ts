import type { EntityManager } from 'typeorm';

import { violates } from '../database/database-fault.js';
import { run } from '../database/statements.js';
import type { ImportJob } from './import-job.js';
import { IMPORT_COLUMNS, importJobOf, type ImportJobRow } from './import-job.row.js';
import { ImportUnfinishedError } from './transfer.errors.js';

/** An upload that has sent nothing for so long has been given up. */
const UPLOAD_LEASE = `interval '60 seconds'`;

const ABANDON = `DELETE FROM imports WHERE user_id = $1 AND state = 'uploading' AND leased_until < now()`;

const BEGIN = `
    INSERT INTO imports (user_id, file_name, restores_deleted, leased_until)
    VALUES ($1, $2, $3, now() + ${UPLOAD_LEASE}) RETURNING id`;

const KEEP = `
    WITH alive AS (
      UPDATE imports SET leased_until = now() + ${UPLOAD_LEASE} WHERE id = $1 AND state = 'uploading' RETURNING id
    )
    INSERT INTO import_chunks (import_id, place, bytes) SELECT id, $2, $3 FROM alive RETURNING place`;

const READY = `UPDATE imports SET state = 'waiting', leased_until = NULL WHERE id = $1 AND state = 'uploading' RETURNING id`;

const DISCARD = `DELETE FROM imports WHERE id = $1 AND state = 'uploading'`;

const CANCEL = `
    WITH emptied AS (DELETE FROM import_chunks USING imports
      WHERE import_id = id AND id = $1 AND user_id = $2 AND finished_at IS NULL)
    UPDATE imports SET state = 'cancelled', finished_at = now(), lease = NULL, leased_until = NULL
    WHERE id = $1 AND user_id = $2 AND finished_at IS NULL`;

const FIND = `SELECT ${IMPORT_COLUMNS} FROM imports WHERE user_id = $1 AND id = $2`;

const LATEST = `SELECT ${IMPORT_COLUMNS} FROM imports WHERE user_id = $1 ORDER BY id DESC LIMIT $2`;

export interface NewImport {
  readonly userId: string;
  readonly fileName: string;
  readonly restoresDeleted: boolean;
}

/** The imports of people, as they ask for and look at them; each statement is a transaction by itself. */
export class ImportStore {
  constructor(private readonly manager: EntityManager) {}

  /** Gives the id. Throws ImportUnfinishedError: the database allows one at a time for a person. */
  async begin({ userId, fileName, restoresDeleted }: NewImport): Promise<string> {
    await run(this.manager, { text: ABANDON, values: [userId] });
    try {
      const values = [userId, fileName, restoresDeleted];
      const [row] = await run<{ id: string }>(this.manager, { text: BEGIN, values });
      return row?.id ?? '';
    } catch (error) {
      throw violates(error, 'imports_unfinished_idx') ? new ImportUnfinishedError() : error;
    }
  }

  /** False for an upload that has been given up. */
  async keep(id: string, place: number, bytes: Buffer): Promise<boolean> {
    return (await run(this.manager, { text: KEEP, values: [id, place, bytes] })).length > 0;
  }

  /** The file is complete. False for an upload that has been given up. */
  async ready(id: string): Promise<boolean> {
    return (await run(this.manager, { text: READY, values: [id] })).length > 0;
  }

  /** The file did not come. */
  async discard(id: string): Promise<void> {
    await run(this.manager, { text: DISCARD, values: [id] });
  }

  /** What is imported stays. */
  async cancel(userId: string, id: string): Promise<void> {
    await run(this.manager, { text: CANCEL, values: [id, userId] });
  }

  async find(userId: string, id: string): Promise<ImportJob | undefined> {
    const [row] = await this.jobs(FIND, [userId, id]);
    return row && importJobOf(row);
  }

  /** The latest first. */
  async latest(userId: string, count: number): Promise<ImportJob[]> {
    return (await this.jobs(LATEST, [userId, count])).map(importJobOf);
  }

  private jobs(text: string, values: readonly unknown[]): Promise<ImportJobRow[]> {
    return run<ImportJobRow & Record<string, unknown>>(this.manager, { text, values });
  }
}
