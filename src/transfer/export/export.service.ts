import type { FileHandle } from 'node:fs/promises';

import { Injectable } from '@nestjs/common';

import {
  EXPORT_FORMATS,
  type ExportFormatName,
  type ExportOptions,
} from '../../lib/library-formats/writing/export-formats.js';
import { withTemporaryFile } from '../../lib/util/temporary-file.js';
import { Database } from '../../platform/database/database.js';
import { FewAtOnce, OnePerUser } from '../../platform/jobs/work-limits.js';
import { StoredLibrary } from './stored-library.js';

/**
 * The maximum number of exports that read the database at the same time. The number is low, because each export holds a
 * database connection.
 */
const READERS = 2;

export interface ExportWanted extends ExportOptions {
  readonly userId: string;
  readonly format: ExportFormatName;
}

/** A temporary file with a complete export. */
interface ExportFile {
  readonly file: FileHandle;
  readonly bytes: number;
}

/** Exports a user's library from one snapshot of the database (docs/decisions/0024). */
@Injectable()
export class ExportService {
  private readonly users = new OnePerUser();
  private readonly readers = new FewAtOnce(READERS);

  constructor(private readonly database: Database) {}

  /**
   * Writes the export to a temporary file, and calls `work` with the finished file.
   * @throws ServiceBusyError if the user already has an export in progress, or the service has too many
   * @throws the reason of the signal if the signal is aborted
   */
  spooled<T>(
    wanted: ExportWanted,
    signal: AbortSignal,
    work: (made: ExportFile) => Promise<T>,
  ): Promise<T> {
    return this.users.run(wanted.userId, () =>
      withTemporaryFile('satchel-export-', async (file) => {
        await this.readers.run(() => this.write(wanted, file, signal));
        return work({ file, bytes: (await file.stat()).size });
      }),
    );
  }

  /**
   * Writes an export from one snapshot of the database to a temporary file. Because of the file, a client that
   * downloads slowly does not keep the snapshot open.
   */
  async write(wanted: ExportWanted, file: FileHandle, signal?: AbortSignal): Promise<void> {
    const { write } = EXPORT_FORMATS[wanted.format];
    await this.database.snapshot(async (manager) => {
      for await (const chunk of write(new StoredLibrary(manager, wanted.userId), wanted)) {
        signal?.throwIfAborted();
        await file.appendFile(chunk);
      }
    });
  }
}
