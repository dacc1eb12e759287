import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import { Injectable } from '@nestjs/common';

import { ServiceBusyError } from '../../common/common.errors.js';
import { Database } from '../../database/database.js';
import {
  EXPORT_FORMATS,
  type ExportFormatName,
  type ExportOptions,
} from '../../library-formats/writing/export-formats.js';
import { StoredLibrary } from './stored-library.js';

/** Each holds a connection of the pool while it reads. */
const READERS = 2;
/** A client has the last byte of an export before this process has put its file away, and may ask for the next. */
const GRACE_MS = 500;

export interface ExportWanted extends ExportOptions {
  readonly userId: string;
  readonly format: ExportFormatName;
}

/** A whole export, to be read from its beginning. */
interface ExportFile {
  readonly file: FileHandle;
  readonly bytes: number;
}

/** Writes a user's library as it is at one moment (docs/decisions/0024). */
@Injectable()
export class ExportService {
  private readonly limits = new ExportLimits();

  constructor(private readonly database: Database) {}

  /** Gives the work the finished export. Throws ServiceBusyError, and what the signal says when it is aborted. */
  spooled<T>(
    wanted: ExportWanted,
    signal: AbortSignal,
    work: (made: ExportFile) => Promise<T>,
  ): Promise<T> {
    return this.limits.onePerUser(wanted.userId, () =>
      withTemporaryFile(async (file) => {
        await this.limits.fewReaders(() => this.write(wanted, file, signal));
        return work({ file, bytes: (await file.stat()).size });
      }),
    );
  }

  /** Reads one snapshot of the database, whatever is written meanwhile; a slow client does not keep the snapshot open. */
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

/** Keeps one user, and all together, from having too many exports made at once by this process. */
export class ExportLimits {
  private readonly users = new Map<string, Promise<unknown>>();
  private readers = 0;

  /** Throws ServiceBusyError while another export of the user is made or sent. */
  async onePerUser<T>(userId: string, work: () => Promise<T>): Promise<T> {
    const current = this.users.get(userId);
    if (current !== undefined) {
      await Promise.race([current, pause(GRACE_MS, undefined, { ref: false })]);
    }
    if (this.users.has(userId)) {
      throw new ServiceBusyError();
    }
    const working = work().finally(() => this.users.delete(userId));
    this.users.set(
      userId,
      working.catch(() => undefined),
    );
    return working;
  }

  /** Throws ServiceBusyError while enough others read the database. */
  async fewReaders<T>(work: () => Promise<T>): Promise<T> {
    if (this.readers >= READERS) {
      throw new ServiceBusyError();
    }
    this.readers += 1;
    try {
      return await work();
    } finally {
      this.readers -= 1;
    }
  }
}

/** Gives the work an empty file, which is gone after it: at once where files can be removed while they are open. */
async function withTemporaryFile<T>(work: (file: FileHandle) => Promise<T>): Promise<T> {
  const directory = await mkdtemp(join(tmpdir(), 'satchel-export-'));
  const remove = (): Promise<void> => rm(directory, { recursive: true, force: true });
  try {
    const file = await open(join(directory, 'file'), 'wx+', 0o600);
    try {
      await remove().catch(() => undefined);
      return await work(file);
    } finally {
      await file.close();
    }
  } finally {
    await remove();
  }
}
