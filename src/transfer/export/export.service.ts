import type { FileHandle } from 'node:fs/promises';

import { Injectable } from '@nestjs/common';

import { Database } from '../../database/database.js';
import { EXPORT_FORMATS, type ExportFormatName, type ExportOptions } from './export-formats.js';
import { ExportTurns } from './export-turns.js';
import { StoredLibrary } from './stored-library.js';
import { withTemporaryFile } from './temporary-file.js';

export interface ExportWanted extends ExportOptions {
  readonly userId: string;
  readonly format: ExportFormatName;
}

/** A whole export, to be read from its beginning. */
export interface ExportFile {
  readonly file: FileHandle;
  readonly bytes: number;
}

/** Writes a person's library as it is at one moment (docs/decisions/0024). */
@Injectable()
export class ExportService {
  private readonly turns = new ExportTurns();

  constructor(private readonly database: Database) {}

  /** Hands the work the finished export. Throws ServiceBusyError, and what the signal says when it is aborted. */
  spooled<T>(
    wanted: ExportWanted,
    signal: AbortSignal,
    work: (made: ExportFile) => Promise<T>,
  ): Promise<T> {
    return this.turns.ofPerson(wanted.userId, () =>
      withTemporaryFile(async (file) => {
        await this.turns.ofReader(() => this.write(wanted, file, signal));
        return work({ file, bytes: (await file.stat()).size });
      }),
    );
  }

  /** One snapshot of the database, whatever is written meanwhile; a slow reader of the file holds none of it. */
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
