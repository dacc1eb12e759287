import { Injectable, Logger } from '@nestjs/common';

import { Config } from '../config/config.js';
import { sqlState } from '../database/database-fault.js';
import { ListTransactions } from '../reading-list/list-transactions.js';
import { ImportQueue } from './import.queue.js';
import { importBatch, LeaseLostError, type NumberedRow } from './import-batch.js';
import type { ClaimedImport, ImportCounts } from './import-job.js';
import { RENEW_EVERY_MS } from './import-lease.js';
import { ReaderEndedError, ReadingThread } from './reading/reading-thread.js';
import { readAhead } from './row-batches.js';
import { UnknownFormatError, UnreadableFileError } from './transfer.errors.js';
import { withUploadedFile } from './uploaded-file.js';

/** PostgreSQL does not take a value (appendix A of its manual, class 22), or finds it too large. */
const BAD_VALUE = /^(22|54)/;

/** Beginning so often without getting further is no bad luck, also where the process did not live to tell. */
const MOST_ATTEMPTS = 10;
const STUCK = 'The service could not go on with it; its log tells why.';
/** Once may be bad luck; a file that does it twice would do it to each instance. */
const MOST_READERS_ENDED = 2;
const ENDS_READERS = 'Something in the file ends what reads it: it cannot be imported.';

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
    const hopeless = hopelessness(job);
    if (hopeless !== undefined) {
      await this.queue.end(job, 'failed', hopeless);
      return;
    }
    const lost = new AbortController();
    const renewing = setInterval(() => void this.renew(job, lost), RENEW_EVERY_MS).unref();
    const stop = AbortSignal.any([signal, lost.signal]);
    try {
      await withUploadedFile(this.queue, job, async (path) => {
        const thread = new ReadingThread();
        try {
          const format = await thread.open(path);
          await this.importFile({ ...job, format }, thread, { signal: stop, watch });
        } finally {
          await thread.close();
        }
      });
      await (signal.aborted ? this.queue.release(job) : this.queue.end(job, 'done'));
    } catch (error) {
      await (stop.aborted ? this.queue.release(job) : this.settle(job, error));
    } finally {
      clearInterval(renewing);
    }
  }

  private async importFile(
    job: ClaimedImport & { readonly format: string },
    thread: ReadingThread,
    { signal, watch }: { readonly signal: AbortSignal; readonly watch: Watcher },
  ): Promise<void> {
    const rowCount = job.rowCount ?? (await thread.count(signal));
    await this.queue.lookedAt(job, job.format, rowCount);
    let progress: ImportProgress = { ...job, rowCount };
    watch(progress);
    for await (const rows of readAhead(thread.batches(job.rowsDone, signal))) {
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
    if (!(error instanceof ReaderEndedError)) {
      await this.queue.release(job);
    } else if (job.readersEnded + 1 < MOST_READERS_ENDED) {
      await this.queue.readerEnded(job);
    } else {
      await this.queue.end(job, 'failed', ENDS_READERS);
    }
  }
}

/** Why there is no use in beginning once more; undefined where there is. */
function hopelessness({ attempts, readersEnded }: ClaimedImport): string | undefined {
  if (readersEnded >= MOST_READERS_ENDED) {
    return ENDS_READERS;
  }
  return attempts > MOST_ATTEMPTS ? STUCK : undefined;
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
