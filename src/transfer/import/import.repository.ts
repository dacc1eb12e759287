import { randomUUID } from 'node:crypto';

import { MoreThan, Raw } from 'typeorm';

import type { NotImportedReport } from '../../lib/library-formats/not-imported.js';
import { CustomRepository } from '../../platform/database/custom-repository.js';
import { violates } from '../../platform/database/database.errors.js';
import { queryRows } from '../../platform/database/query-rows.js';
import { List } from '../../reading-list/entities/list.entity.js';
import { recordImport } from '../../reading-list/imports/record-import.js';
import { ListRepository } from '../../reading-list/list/list.repository.js';
import { ImportChunk } from '../entities/import-chunk.entity.js';
import { ImportJob, type ImportState } from '../entities/import-job.entity.js';
import { ImportRowError } from '../entities/import-row-error.entity.js';
import { ImportUnfinishedError } from '../transfer.errors.js';
import {
  ADVANCE,
  CANCEL,
  CLAIM,
  END,
  IMPORT_LEASE,
  INSERT_ROW_ERRORS,
  KEEP_CHUNK,
  SWEEP,
  UPLOAD_LEASE,
} from './import.sql.js';

const ROW_ERRORS_AT_ONCE = 1000;
/**
 * The SQL expression for the time of the next attempt to run an interrupted import. After each attempt without
 * progress, the service waits five seconds longer.
 */
const AFTER_A_WHILE = `now() + attempts * interval '5 seconds'`;

/** The SQL expression for the time of the next attempt after an error that the import has not caused. */
const LATER = `now() + interval '10 seconds'`;

/** The number of processed rows of an import for each result, such as `added` or `refused`. */
export type ImportCounts = Readonly<
  Pick<
    ImportJob,
    'added' | 'changed' | 'unchanged' | 'deleted' | 'refused' | 'incomplete' | 'merged'
  >
>;

/** The properties of an imported file that are known before its rows are imported. */
export interface FirstLook {
  readonly format: string;
  readonly formatReason: string;
  readonly rowCount: number;
  readonly notImported: NotImportedReport | null;
}

export type NewImport = Readonly<
  Pick<ImportJob, 'userId' | 'fileName' | 'restoresDeleted' | 'foldersBecomeLists'>
>;

/** An import that this process has leased. */
export type ClaimedImport = ImportJob & { readonly lease: string };

export type NewRowError = Readonly<Omit<ImportRowError, 'importId' | 'import'>>;

/** Queries over the imports of users, their files and their row errors. */
export class ImportRepository extends CustomRepository<ImportJob> {
  static readonly entity = ImportJob;

  /**
   * Creates an import and returns its id. The database allows one unfinished import per user.
   *
   * @throws ImportUnfinishedError if the user already has an unfinished import
   */
  async begin(wanted: NewImport): Promise<string> {
    await this.discardAbandoned(wanted.userId);
    const leasedUntil = (): string => `now() + ${UPLOAD_LEASE}`;
    const recorded = { ...wanted, keepsChanges: true };
    const job: NewImport & { leasedUntil: () => string; id?: string } = {
      ...recorded,
      leasedUntil,
    };
    try {
      await this.insert(job);
    } catch (error) {
      throw violates(error, 'imports_unfinished_idx') ? new ImportUnfinishedError() : error;
    }
    return job.id ?? '';
  }

  /** Stores a part of an uploaded file. Returns false if the upload was abandoned. */
  async keepChunk(id: string, place: number, bytes: Buffer): Promise<boolean> {
    return (await queryRows(this.manager, KEEP_CHUNK, [id, place, bytes])).length > 0;
  }

  /** Returns the part of the uploaded file with the index `place`. Returns undefined after the last part. */
  async chunk({ id }: ImportJob, place: number): Promise<Buffer | undefined> {
    return (await this.manager.findOneBy(ImportChunk, { importId: id, place }))?.bytes;
  }

  /** Marks the uploaded file as complete. Returns false if the upload was abandoned. */
  async ready(id: string): Promise<boolean> {
    const changes = { state: 'waiting', leasedUntil: null } as const;
    return (await this.update({ id, state: 'uploading' }, changes)).affected === 1;
  }

  /** Deletes an import whose upload ended without a complete file. */
  async discard(id: string): Promise<void> {
    await this.delete({ id, state: 'uploading' });
  }

  /** Cancels an import. Items that are already imported stay in the list. */
  async cancel(userId: string, id: string): Promise<void> {
    await this.finish(userId, CANCEL, [id, userId]);
  }

  /**
   * Returns the number of imports in each state, for all users together. Imports that ended more than 30 days ago are
   * not included, because they are deleted.
   */
  async counts(): Promise<ReadonlyMap<ImportState, number>> {
    const rows = await this.createQueryBuilder('job')
      .select('job.state', 'state')
      .addSelect('count(*)::int', 'imports')
      .groupBy('job.state')
      .getRawMany<{ state: ImportState; imports: number }>();
    return new Map(rows.map(({ state, imports }) => [state, imports]));
  }

  /** Returns the latest imports of a user, newest first. */
  latest(userId: string, count: number): Promise<ImportJob[]> {
    return this.find({ where: { userId }, order: { id: 'DESC' }, take: count });
  }

  /**
   * Leases the import with the given id to this process. If `id` is undefined, leases the next import that is ready to
   * run. Returns undefined if no import can be leased.
   */
  async claim(id?: string): Promise<ClaimedImport | undefined> {
    const values = [randomUUID(), id ?? null];
    const [job] = await queryRows<ClaimedImport>(this.manager, CLAIM, values);
    return job && (job.numbersBefore === null ? this.begunOrPostponed(job) : job);
  }

  private async begunOrPostponed(job: ClaimedImport): Promise<ClaimedImport> {
    try {
      return await this.begun(job);
    } catch (error) {
      await this.postpone(job);
      throw error;
    }
  }

  /**
   * Stores the highest item number that the list had assigned before the import began
   * (docs/decisions/0069).
   */
  private async begun(job: ClaimedImport): Promise<ClaimedImport> {
    const { id, lease, userId } = job;
    const list = await this.manager.findOneBy(List, { userId });
    const numbersBefore = list?.numbers ?? 0;
    await this.update({ id, lease }, { numbersBefore });
    return Object.assign(job, { numbersBefore });
  }

  /**
   * Renews the lease of an import. Returns false if this process no longer has the lease, or if the import has ended.
   */
  async renew({ lease, id }: ClaimedImport): Promise<boolean> {
    const leasedUntil = (): string => `now() + ${IMPORT_LEASE}`;
    return (await this.update({ id, lease }, { leasedUntil })).affected === 1;
  }

  /**
   * Releases the lease of an import while the list of its user is busy or unreachable. Does not count the attempt, so
   * the import continues after an outage of any length.
   */
  async postpone({ lease, id }: ClaimedImport): Promise<void> {
    await this.update(
      { id, lease },
      { lease: null, leasedUntil: () => LATER, attempts: () => 'attempts - 1' },
    );
  }

  async release({ lease, id }: ClaimedImport): Promise<void> {
    await this.update({ id, lease }, { lease: null, leasedUntil: () => AFTER_A_WHILE });
  }

  /**
   * Releases the lease of an import after the thread that reads its file has crashed or was
   * stopped. Also increments `readersEnded`.
   */
  async readerEnded({ lease, id }: ClaimedImport): Promise<void> {
    await this.update(
      { id, lease },
      { lease: null, leasedUntil: () => AFTER_A_WHILE, readersEnded: () => 'readers_ended + 1' },
    );
  }

  /** Deletes the import of a user whose upload was abandoned. */
  async discardAbandoned(userId: string): Promise<void> {
    const isPast = Raw((column) => `${column} < now()`);
    await this.delete({ userId, state: 'uploading', leasedUntil: isPast });
  }

  async end(
    { lease, id, userId }: ClaimedImport,
    state: 'done' | 'failed',
    failure?: string,
  ): Promise<void> {
    await this.finish(userId, END, [lease, id, state, failure ?? null]);
  }

  /** Runs a statement that ends an import, and writes the event of the end in the same transaction. */
  private async finish(userId: string, text: string, values: readonly unknown[]): Promise<void> {
    await this.manager.transaction(async (manager) => {
      // Locks the list before the import, as each batch of the import does.
      await ListRepository.in(manager).lock(userId);
      const [ended] = await queryRows<{ items: number }>(manager, text, values);
      if (ended !== undefined) {
        await recordImport(manager, userId, ended.items);
      }
    });
  }

  /** Stores the format of an imported file, the number of its rows, and its fields that are not imported. */
  async lookedAt({ lease, id }: ClaimedImport, look: FirstLook): Promise<void> {
    await this.update({ id, lease }, look);
  }

  /**
   * Adds the counts of processed rows to an import. Returns the number of all row errors of the import. Returns
   * undefined if this process no longer has the lease.
   */
  async advance(
    { lease, id }: ClaimedImport,
    rowsDone: number,
    counts: ImportCounts,
  ): Promise<number | undefined> {
    const { added, changed, unchanged, deleted, refused, incomplete, merged } = counts;
    const taken = [added, changed, unchanged, deleted];
    const values = [lease, id, rowsDone, ...taken, refused, incomplete, merged];
    const [row] = await queryRows<{ rowErrors: number }>(this.manager, ADVANCE, values);
    return row?.rowErrors;
  }

  async addRowErrors({ id }: ClaimedImport, errors: readonly NewRowError[]): Promise<void> {
    if (errors.length > 0) {
      await queryRows(this.manager, INSERT_ROW_ERRORS, [
        id,
        errors.map(({ rowNumber }) => rowNumber),
        errors.map(({ path }) => path),
        errors.map(({ line }) => line),
        errors.map(({ isRefused }) => isRefused),
        errors.map(({ isMerged }) => isMerged),
        errors.map(({ reason }) => reason),
        errors.map(({ excerpt }) => excerpt),
      ]);
    }
  }

  /** Yields all row errors of an import, in file order. */
  async *rowErrors(importId: string): AsyncGenerator<ImportRowError> {
    let last = 0;
    for (;;) {
      const errors = await this.manager.find(ImportRowError, {
        where: { importId, rowNumber: MoreThan(last) },
        order: { rowNumber: 'ASC' },
        take: ROW_ERRORS_AT_ONCE,
      });
      yield* errors;
      if (errors.length < ROW_ERRORS_AT_ONCE) {
        return;
      }
      last = errors.at(-1)?.rowNumber ?? last;
    }
  }

  /**
   * Deletes one import that ended more than 30 days ago, or one abandoned upload. Returns false if nothing needs to be
   * deleted.
   */
  async sweep(): Promise<boolean> {
    return (await queryRows(this.manager, SWEEP)).length > 0;
  }
}
