import type { FileHandle } from 'node:fs/promises';

import { Injectable } from '@nestjs/common';

import { AuditRepository } from '../../auth/audit/audit.repository.js';
import type { Origin } from '../../auth/entities/origin.js';
import {
  EXPORT_FORMATS,
  type ExportFormatName,
  type ExportOptions,
} from '../../lib/library-formats/writing/export-formats.js';
import { defined } from '../../lib/util/defined.js';
import { withTemporaryFile } from '../../lib/util/temporary-file.js';
import { Database } from '../../platform/database/database.js';
import { optionalWrite } from '../../platform/database/optional-write.js';
import { KeyedQueue, ONE_CALL } from '../../platform/jobs/keyed-queue.js';
import { LibraryArchives } from './archive/library-archives.js';
import { StoredLibrary } from './stored-library.js';

/**
 * The maximum number of exports that read the database at the same time in one process. The number is low, because each
 * export holds a database connection.
 */
const READERS = 2;
/**
 * The maximum number of archives in one process. An archive ends with its download, so the number is higher: clients
 * that read slowly should not keep others from theirs.
 */
const ARCHIVES = 10;

export interface ExportWanted extends ExportOptions {
  readonly userId: string;
  readonly format: ExportFormatName;
  /** The origin of the request. Undefined for an export on the command line. */
  readonly origin?: Origin;
}

interface ExportFile {
  readonly content: AsyncIterable<Buffer>;
  /** The size of the file. Undefined for an archive, which is written while it is read. */
  readonly bytes: number | undefined;
}

type ExportWork<T> = (made: ExportFile) => Promise<T>;

const PREFIX = 'satchel-export-';

/** Exports all items of a user from one snapshot of the database (docs/decisions/0024). */
@Injectable()
export class ExportService {
  private readonly users = new KeyedQueue(ONE_CALL);
  private readonly readers = new KeyedQueue({ concurrency: READERS, maxCalls: READERS });
  private readonly archived = new KeyedQueue({ concurrency: ARCHIVES, maxCalls: ARCHIVES });

  constructor(
    private readonly database: Database,
    private readonly archives: LibraryArchives,
  ) {}

  /**
   * Calls `work` with the export: with a finished temporary file, or with an archive that is written while it is read.
   * @throws ServiceBusyError if an export of the user is already in progress, or if too many exports are in progress
   * @throws the reason of `signal` if `signal` is aborted
   */
  download<T>(wanted: ExportWanted, signal: AbortSignal, work: ExportWork<T>): Promise<T> {
    return this.users.run(wanted.userId, () =>
      wanted.format === 'zip'
        ? this.archived.run('all', () => this.archive(wanted, signal, work))
        : this.spooled(wanted, signal, async (file) => {
            const content = file.createReadStream({ start: 0, autoClose: false });
            return work({ content, bytes: (await file.stat()).size });
          }),
    );
  }

  /** Writes an export to a file, which is empty. */
  async write(
    wanted: ExportWanted,
    file: FileHandle,
    signal = new AbortController().signal,
  ): Promise<void> {
    if (wanted.format !== 'zip') {
      await this.writeList(wanted, file, signal);
      return;
    }
    await this.archive(wanted, signal, async ({ content }) => {
      for await (const chunk of content) {
        await file.appendFile(chunk);
      }
    });
  }

  private archive<T>(wanted: ExportWanted, signal: AbortSignal, work: ExportWork<T>): Promise<T> {
    return this.spooled(wanted, signal, (list) =>
      withTemporaryFile(PREFIX, (index) => {
        const content = this.archives.bytes(wanted.userId, { list, index }, signal);
        return work({ content, bytes: undefined });
      }),
    );
  }

  private spooled<T>(
    wanted: ExportWanted,
    signal: AbortSignal,
    work: (file: FileHandle) => Promise<T>,
  ): Promise<T> {
    return withTemporaryFile(PREFIX, async (file) => {
      await this.readers.run('all', () => this.writeList(wanted, file, signal));
      return work(file);
    });
  }

  /**
   * Writes a list from one snapshot of the database to a temporary file. The snapshot is closed before the download
   * of the file begins, so a slow client does not keep the snapshot open.
   */
  private async writeList(
    wanted: ExportWanted,
    file: FileHandle,
    signal: AbortSignal,
  ): Promise<void> {
    const { write } = EXPORT_FORMATS[wanted.format];
    await this.record(wanted);
    await this.database.snapshot(async (manager) => {
      for await (const chunk of write(new StoredLibrary(manager, wanted.userId), wanted)) {
        signal.throwIfAborted();
        await file.appendFile(chunk);
      }
    });
  }

  private async record({ userId: id, format: name, origin }: ExportWanted): Promise<void> {
    const audit = AuditRepository.in(this.database.manager);
    const user = { id, ...defined({ origin }) };
    await optionalWrite('the record of an export', () => audit.exported(user, name));
  }
}
