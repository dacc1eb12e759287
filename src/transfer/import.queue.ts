import { randomUUID } from 'node:crypto';

import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

import { Database } from '../database/database.js';
import { run } from '../database/statements.js';
import type { ClaimedImport } from './import-job.js';
import { IMPORT_COLUMNS, importJobOf, type ImportJobRow } from './import-job.row.js';
import { IMPORT_LEASE } from './import-lease.js';

/** How long what became of an import can be looked at. */
const KEPT = `interval '30 days'`;

/** Who still had a lease has ended without a word, or was held up for as long as the lease. */
const TAKEN = `lease = $1, leased_until = now() + ${IMPORT_LEASE}, state = 'running', attempts = attempts + 1,
      readers_ended = readers_ended + (lease IS NOT NULL)::integer`;

const CLAIM = `
    UPDATE imports SET ${TAKEN} WHERE id = (
      SELECT id FROM imports
      WHERE finished_at IS NULL AND state IN ('waiting', 'running') AND coalesce(leased_until, '-infinity') < now()
      ORDER BY attempts, created_at LIMIT 1 FOR UPDATE SKIP LOCKED)
    RETURNING ${IMPORT_COLUMNS}, attempts, readers_ended`;

const CLAIM_ONE = `
    UPDATE imports SET ${TAKEN}
    WHERE id = $2 AND finished_at IS NULL AND state IN ('waiting', 'running') AND coalesce(leased_until, '-infinity') < now()
    RETURNING ${IMPORT_COLUMNS}, attempts, readers_ended`;

const RENEW = `UPDATE imports SET leased_until = now() + ${IMPORT_LEASE} WHERE id = $2 AND lease = $1 RETURNING id`;

const RELEASE = `
    UPDATE imports SET lease = NULL, leased_until = now() + attempts * interval '5 seconds'
    WHERE id = $2 AND lease = $1`;

const READER_ENDED = `
    UPDATE imports SET lease = NULL, leased_until = now() + attempts * interval '5 seconds', readers_ended = readers_ended + 1
    WHERE id = $2 AND lease = $1`;

const END = `
    WITH ended AS (
      UPDATE imports SET state = $3, failure = $4, finished_at = now(), lease = NULL, leased_until = NULL
      WHERE id = $2 AND lease = $1 RETURNING id)
    DELETE FROM import_chunks USING ended WHERE import_id = id`;

const LOOKED_AT = `UPDATE imports SET format = $3, row_count = $4 WHERE id = $2 AND lease = $1`;

const CHUNK = `SELECT bytes FROM import_chunks WHERE import_id = $1 AND place = $2`;

const SWEEP = `
    DELETE FROM imports WHERE id = (
      SELECT id FROM imports
      WHERE finished_at < now() - ${KEPT} OR (state = 'uploading' AND leased_until < now())
      LIMIT 1 FOR UPDATE SKIP LOCKED)
    RETURNING id`;

interface ClaimedRow extends ImportJobRow {
  readonly attempts: number;
  readonly readers_ended: number;
}

/** The imports that wait to be run; each is run by one process at a time, which keeps a lease on it. */
@Injectable()
export class ImportQueue {
  constructor(private readonly database: Database) {}

  /** The next one, or the one that is named; undefined when there is none to be had. */
  async claim(id?: string): Promise<ClaimedImport | undefined> {
    const lease = randomUUID();
    const [row] = await this.query<ClaimedRow>(
      id === undefined ? CLAIM : CLAIM_ONE,
      id === undefined ? [lease] : [lease, id],
    );
    return (
      row && {
        ...importJobOf(row),
        attempts: row.attempts,
        readersEnded: row.readers_ended,
        lease,
      }
    );
  }

  /** False when the import belongs to somebody else, or has ended. */
  async renew({ lease, id }: ClaimedImport): Promise<boolean> {
    return (await this.query(RENEW, [lease, id])).length > 0;
  }

  /** Somebody goes on with it after a while, which is longer when it gets nowhere. */
  async release({ lease, id }: ClaimedImport): Promise<void> {
    await this.query(RELEASE, [lease, id]);
  }

  /** Somebody begins again where it was, once. */
  async readerEnded({ lease, id }: ClaimedImport): Promise<void> {
    await this.query(READER_ENDED, [lease, id]);
  }

  async end(
    { lease, id }: ClaimedImport,
    state: 'done' | 'failed',
    failure?: string,
  ): Promise<void> {
    await this.query(END, [lease, id, state, failure ?? null]);
  }

  async lookedAt({ lease, id }: ClaimedImport, format: string, rowCount: number): Promise<void> {
    await this.query(LOOKED_AT, [lease, id, format, rowCount]);
  }

  /** The next piece of the uploaded file; undefined after the last. */
  async chunk({ id }: ClaimedImport, place: number): Promise<Buffer | undefined> {
    const [row] = await this.query<{ bytes: Buffer }>(CHUNK, [id, place]);
    return row?.bytes;
  }

  /** Forgets an import that ended long ago, or an upload that was given up; false when there is none. */
  async sweep(): Promise<boolean> {
    return (await this.query(SWEEP, [])).length > 0;
  }

  private query<Row extends object>(text: string, values: readonly unknown[]): Promise<Row[]> {
    return this.database.read((manager: EntityManager) =>
      run<Row & Record<string, unknown>>(manager, { text, values }),
    );
  }
}
