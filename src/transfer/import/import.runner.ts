import { Injectable, Logger } from '@nestjs/common';

import {
  UnknownFormatError,
  UnreadableFileError,
} from '../../lib/library-formats/library-formats.errors.js';
import { Config } from '../../platform/config/config.js';
import { isTemporary, sqlState } from '../../platform/database/database.errors.js';
import { Metric, type Sample } from '../../platform/metrics/metric.js';
import { Tally } from '../../platform/metrics/tally.js';
import { ListTransactions } from '../../reading-list/list-transactions.js';
import { LeaseLostError } from '../undo/import-changes.repository.js';
import {
  type ClaimedImport,
  type FirstLook,
  type ImportCounts,
  ImportRepository,
} from './import.repository.js';
import { countsOf, importBatch, type NumberedRow, withCounts } from './import-batch.js';
import { type OpenedFile, ReaderEndedError, ReadingThread } from './reading-thread.js';
import { readAhead } from './row-batches.js';
import { withUploadedFile } from './uploaded-file.js';

const RENEW_EVERY_MS = 5000;
/**
 * Matches the PostgreSQL error codes for values that cannot be stored: invalid values (class 22),
 * and values that exceed a limit (class 54).
 */
const BAD_VALUE = /^(22|54)/;

/**
 * The maximum number of successive attempts that import no further row. After these attempts, the
 * import fails. A crash of the process also ends an attempt.
 */
const MOST_ATTEMPTS = 10;
const STUCK = 'The service could not go on with it; its log tells why.';
/**
 * The number of crashed or stopped reading threads after which an import fails. One thread can crash by accident. After
 * a second crash, the file is probably the cause, and each retry would crash another thread.
 */
const MOST_READERS_ENDED = 2;
const ENDS_READERS = 'Something in the file ends what reads it: it cannot be imported.';

export interface ImportProgress extends ImportCounts {
  readonly rowsDone: number;
  readonly rowCount: number;
}

type Watcher = (progress: ImportProgress) => void;

interface Run {
  readonly file: OpenedFile;
  readonly signal: AbortSignal;
  readonly watch: Watcher;
}

/** Runs imports. An interrupted import continues after its last processed row. */
@Injectable()
export class ImportRunner {
  private readonly logger = new Logger(ImportRunner.name);
  private readonly ended = new Tally(['done', 'failed', 'interrupted']);
  private readonly rows = new Tally();

  constructor(
    private readonly lists: ListTransactions,
    private readonly imports: ImportRepository,
    private readonly config: Config,
  ) {}

  @Metric({
    name: 'satchel_imports_total',
    help: 'Runs of imports by result. An interrupted import is continued.',
    kind: 'counter',
    labels: ['result'],
  })
  endedCounts(): readonly Sample[] {
    return this.ended.samples('result');
  }

  @Metric({
    name: 'satchel_import_rows_total',
    help: 'Processed rows of imports by result.',
    kind: 'counter',
    labels: ['result'],
  })
  rowCounts(): readonly Sample[] {
    return this.rows.samples('result');
  }

  /**
   * Runs an import until it ends, or releases the import for a later attempt. Does not throw if the import fails, but
   * stores the reason of the failure or logs the error.
   */
  async run(
    job: ClaimedImport,
    signal: AbortSignal,
    watch: Watcher = () => undefined,
  ): Promise<void> {
    const hopeless = hopelessness(job);
    if (hopeless !== undefined) {
      await this.end(job, 'failed', hopeless);
      return;
    }
    const lost = new AbortController();
    const renewing = setInterval(() => void this.renew(job, lost), RENEW_EVERY_MS).unref();
    const stop = AbortSignal.any([signal, lost.signal]);
    try {
      await withUploadedFile(this.imports, job, async (path) => {
        const thread = new ReadingThread();
        try {
          const file = await thread.open(path);
          await this.importFile(job, thread, { file, signal: stop, watch });
        } finally {
          await thread.close();
        }
      });
      await (signal.aborted ? this.release(job) : this.end(job, 'done'));
    } catch (error) {
      await (stop.aborted ? this.release(job) : this.endFailed(job, error));
    } finally {
      clearInterval(renewing);
    }
  }

  private async importFile(
    job: ClaimedImport,
    thread: ReadingThread,
    { file, signal, watch }: Run,
  ): Promise<void> {
    const { rowCount, notImported } = await countedBefore(job, thread, signal);
    await this.imports.lookedAt(job, { ...file, rowCount, notImported });
    let progress: ImportProgress = { ...countsOf(job), rowsDone: job.rowsDone, rowCount };
    watch(progress);
    for await (const rows of readAhead(thread.batches(job.rowsDone, signal))) {
      const counts = await this.importRows(job, rows);
      this.countRows(counts);
      progress = {
        ...withCounts(progress, counts),
        rowsDone: rows.at(-1)?.rowNumber ?? 0,
        rowCount,
      };
      watch(progress);
      if (signal.aborted) {
        return;
      }
    }
  }

  /**
   * Imports a batch of rows. Splits a batch that the database rejects, so that one bad row does not block the others.
   */
  private async importRows(
    job: ClaimedImport,
    rows: readonly NumberedRow[],
  ): Promise<ImportCounts> {
    const { resolverPagesPerHour: pagesPerHour, storageLimitBytes: storageLimit } = this.config;
    try {
      return await this.lists.run(job.userId, (manager, now) =>
        importBatch(manager, job, { rows, now, pagesPerHour, storageLimit }),
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
      return withCounts(before, await this.importRows(job, rows.slice(half)));
    }
  }

  /**
   * Renews the lease of an import. Aborts `lost` if this process no longer has the lease, for example because the user
   * has cancelled the import.
   */
  private async renew(job: ClaimedImport, lost: AbortController): Promise<void> {
    try {
      if (!(await this.imports.renew(job))) {
        lost.abort();
      }
    } catch (error) {
      this.logger.warn(error);
    }
  }

  private async endFailed(job: ClaimedImport, error: unknown): Promise<void> {
    if (error instanceof LeaseLostError) {
      return;
    }
    if (error instanceof UnreadableFileError || error instanceof UnknownFormatError) {
      await this.end(job, 'failed', error.message);
      return;
    }
    this.logger.warn(error);
    if (isTemporary(error)) {
      this.ended.add('interrupted');
      await this.imports.postpone(job);
    } else if (!(error instanceof ReaderEndedError)) {
      await this.release(job);
    } else if (job.readersEnded + 1 < MOST_READERS_ENDED) {
      this.ended.add('interrupted');
      await this.imports.readerEnded(job);
    } else {
      await this.end(job, 'failed', ENDS_READERS);
    }
  }

  private async end(job: ClaimedImport, state: 'done' | 'failed', reason?: string): Promise<void> {
    await this.imports.end(job, state, reason);
    this.ended.add(state);
  }

  private async release(job: ClaimedImport): Promise<void> {
    this.ended.add('interrupted');
    await this.imports.release(job);
  }

  private countRows(counts: ImportCounts): void {
    Object.entries(counts).forEach(([result, count]) => {
      this.rows.add(result, count);
    });
  }
}

/**
 * Returns the number of rows of the file, and the fields that are not imported. Reads the file only if no earlier
 * attempt has stored these values.
 */
const countedBefore = async (
  { rowCount, notImported }: ClaimedImport,
  thread: ReadingThread,
  signal: AbortSignal,
): Promise<Pick<FirstLook, 'rowCount' | 'notImported'>> =>
  rowCount === null ? thread.count(signal) : { rowCount, notImported };

/** Returns the reason why an import must not be retried. Returns undefined if the import can be retried. */
function hopelessness({ attempts, readersEnded }: ClaimedImport): string | undefined {
  if (readersEnded >= MOST_READERS_ENDED) {
    return ENDS_READERS;
  }
  return attempts > MOST_ATTEMPTS ? STUCK : undefined;
}

/**
 * Returns true if the batch is a single row that was already refused. Another retry of such a batch
 * would fail too.
 */
const isRefusal = (rows: readonly NumberedRow[]): boolean =>
  rows.length === 1 && rows.every(({ row }) => 'reason' in row);

const refused = ({ rowNumber, row }: NumberedRow): NumberedRow => ({
  rowNumber,
  row: { place: row.place, reason: 'The database does not take it.', text: '' },
});
