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
import { StoredLibrary } from './stored-library.js';

/**
 * The maximum number of exports that read the database at the same time in one process. The number is low, because each
 * export holds a database connection.
 */
const READERS = 2;

export interface ExportWanted extends ExportOptions {
  readonly userId: string;
  readonly format: ExportFormatName;
  /** The origin of the request. Undefined for an export on the command line. */
  readonly origin?: Origin;
}

interface ExportFile {
  readonly file: FileHandle;
  readonly bytes: number;
}

/** Exports all items of a user from one snapshot of the database (docs/decisions/0024). */
@Injectable()
export class ExportService {
  private readonly users = new KeyedQueue(ONE_CALL);
  private readonly readers = new KeyedQueue({ concurrency: READERS, maxCalls: READERS });

  constructor(private readonly database: Database) {}

  /**
   * Writes the export to a temporary file, and calls `work` with the finished file.
   * @throws ServiceBusyError if an export of the user is already in progress, or if too many exports are in progress
   * @throws the reason of `signal` if `signal` is aborted
   */
  spooled<T>(
    wanted: ExportWanted,
    signal: AbortSignal,
    work: (made: ExportFile) => Promise<T>,
  ): Promise<T> {
    return this.users.run(wanted.userId, () =>
      withTemporaryFile('satchel-export-', async (file) => {
        await this.readers.run('all', () => this.write(wanted, file, signal));
        return work({ file, bytes: (await file.stat()).size });
      }),
    );
  }

  /**
   * Writes an export from one snapshot of the database to a temporary file. The snapshot is closed before the download
   * of the file begins, so a slow client does not keep the snapshot open.
   */
  async write(wanted: ExportWanted, file: FileHandle, signal?: AbortSignal): Promise<void> {
    const { write } = EXPORT_FORMATS[wanted.format];
    await this.record(wanted);
    await this.database.snapshot(async (manager) => {
      for await (const chunk of write(new StoredLibrary(manager, wanted.userId), wanted)) {
        signal?.throwIfAborted();
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
