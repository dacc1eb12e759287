import { Injectable, Logger } from '@nestjs/common';

import { Pace } from '../common/pace.js';
import { Config } from '../config/config.js';
import { sqlState } from '../database/database-fault.js';
import { ListTransactions } from '../reading-list/list-transactions.js';
import { readFile } from './formats/read-file.js';
import type { ReadableFile } from './formats/readable-file.js';
import { ImportQueue } from './import.queue.js';
import { importBatch, LeaseLostError, type NumberedRow } from './import-batch.js';
import type { ClaimedImport, ImportCounts } from './import-job.js';
import { RENEW_EVERY_MS } from './import-lease.js';
import { batchesOf, readAhead } from './row-batches.js';
import { UnknownFormatError, UnreadableFileError } from './transfer.errors.js';
import { withUploadedFile } from './uploaded-file.js';

/** PostgreSQL does not take a value (appendix A of its manual, class 22), or finds it too large. */
const BAD_VALUE = /^(22|54)/;

/** Beginning so often without getting further is no bad luck, also where the process did not live to tell. */
const MOST_ATTEMPTS = 10;
const STUCK = 'The service could not go on with it; its log tells why.';

/** How far an import has come. */
export interface ImportProgress extends ImportCounts {
  readonly rowsDone: number;
  readonly rowCount: number;
}

type Watcher = (progress: ImportProgress) => void;

/** Runs one import from where it is to its end. */
@Injectable()
export class ImportRunner {
  private readonly logger = new Logger(ImportRunner.name);

  constructor(
    private readonly lists: ListTransactions,
    private readonly queue: ImportQueue,
    private readonly config: Config,
  ) {}

  /** Ends the import, or leaves it to be gone on with; nothing of that is an error to the caller. */
  async run(
    job: ClaimedImport,
    signal: AbortSignal,
    watch: Watcher = () => undefined,
  ): Promise<void> {
    if (job.attempts > MOST_ATTEMPTS) {
      await this.queue.end(job, 'failed', STUCK);
      return;
    }
    const lost = new AbortController();
    const renewing = setInterval(() => void this.renew(job, lost), RENEW_EVERY_MS).unref();
    const stop = AbortSignal.any([signal, lost.signal]);
    try {
      await withUploadedFile(this.queue, job, async (path) => {
        const file = await readFile(path);
        await this.importFile(job, file, { signal: stop, watch });
      });
      await (signal.aborted ? this.queue.release(job) : this.queue.end(job, 'done'));
    } catch (error) {
      await this.settle(job, error);
    } finally {
      clearInterval(renewing);
    }
  }

  private async importFile(
    job: ClaimedImport,
    file: ReadableFile,
    { signal, watch }: { readonly signal: AbortSignal; readonly watch: Watcher },
  ): Promise<void> {
    const rowCount = job.rowCount ?? (await countRows(file, signal));
    if (rowCount === undefined) {
      return;
    }
    await this.queue.lookedAt(job, file.format, rowCount);
    let progress: ImportProgress = { ...job, rowCount };
    watch(progress);
    for await (const rows of readAhead(batchesOf(file.rows(), job.rowsDone))) {
      const counts = await this.importRows(job, rows);
      progress = { ...sum(progress, counts), rowsDone: rows.at(-1)?.rowNumber ?? 0, rowCount };
      watch(progress);
      if (signal.aborted) {
        return;
      }
    }
  }

  /** One row that the database does not take must not stand in the way of the others. */
  private async importRows(
    job: ClaimedImport,
    rows: readonly NumberedRow[],
  ): Promise<ImportCounts> {
    const { resolverPagesPerHour: pagesPerHour } = this.config;
    try {
      return await this.lists.run(job.userId, (manager, now) =>
        importBatch(manager, job, { rows, now, pagesPerHour }),
      );
    } catch (error) {
      if (!BAD_VALUE.test(sqlState(error)) || isRefusal(rows)) {
        throw error;
      }
      const [first] = rows;
      if (rows.length === 1 && first !== undefined) {
        return await this.importRows(job, [refused(first)]);
      }
      const half = Math.ceil(rows.length / 2);
      const before = await this.importRows(job, rows.slice(0, half));
      return sum(before, await this.importRows(job, rows.slice(half)));
    }
  }

  /** Nobody waits for the rest of a file whose import is cancelled. */
  private async renew(job: ClaimedImport, lost: AbortController): Promise<void> {
    try {
      if (!(await this.queue.renew(job))) {
        lost.abort();
      }
    } catch (error) {
      this.logger.warn(error);
    }
  }

  private async settle(job: ClaimedImport, error: unknown): Promise<void> {
    if (error instanceof LeaseLostError) {
      return;
    }
    if (error instanceof UnreadableFileError || error instanceof UnknownFormatError) {
      await this.queue.end(job, 'failed', error.message);
      return;
    }
    this.logger.warn(error);
    await this.queue.release(job);
  }
}

/** Undefined when it was told to stop. */
async function countRows(file: ReadableFile, signal: AbortSignal): Promise<number | undefined> {
  const rows = file.rows()[Symbol.asyncIterator]();
  const pace = new Pace();
  let count = 0;
  for (; !signal.aborted && !((await rows.next()).done ?? false); count += 1) {
    await pace.breathe();
  }
  await rows.return?.();
  return signal.aborted ? undefined : count;
}

/** What is written of it is all our own: there is nothing left to leave out. */
const isRefusal = (rows: readonly NumberedRow[]): boolean =>
  rows.length === 1 && rows.every(({ row }) => !('item' in row));

const refused = ({ rowNumber, row }: NumberedRow): NumberedRow => ({
  rowNumber,
  row: { place: row.place, reason: 'The database does not take it.', text: '' },
});

const sum = <T extends ImportCounts>(one: T, other: ImportCounts): T => ({
  ...one,
  added: one.added + other.added,
  changed: one.changed + other.changed,
  unchanged: one.unchanged + other.unchanged,
  deleted: one.deleted + other.deleted,
  refused: one.refused + other.refused,
  incomplete: one.incomplete + other.incomplete,
});
