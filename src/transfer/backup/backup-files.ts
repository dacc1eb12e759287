import { readdir, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';

import { Injectable, Logger } from '@nestjs/common';

import { makeDirectory } from '../../lib/util/make-directory.js';
import { writeWholeFile } from '../../lib/util/whole-file.js';
import { Clock } from '../../platform/common/clock.js';
import { Config } from '../../platform/config/config.js';
import { DirectConnection } from '../../platform/database/database.module.js';

/** The names of scheduled backups. Other files in the directory are never deleted. */
const OWN = /^satchel-\d{8}T\d{6}Z\.zip$/;
/** Left by a process that ended while it wrote. */
const UNFINISHED = /^satchel-\d{8}T\d{6}Z\.zip\..+\.unfinished$/;
/** No backup takes as long, so such a file is no longer being written. */
const ABANDONED_MS = 24 * 60 * 60 * 1000;

/** The directory of scheduled backups. */
@Injectable()
export class BackupFiles {
  private readonly logger = new Logger(BackupFiles.name);

  constructor(
    private readonly config: Config,
    private readonly direct: DirectConnection,
    private readonly clock: Clock,
  ) {}

  /**
   * Writes a backup and reads it back. Only then, the file gets its name, and older backups are deleted.
   *
   * @throws Error if the backup cannot be written or read; older backups are kept in this case
   */
  async write(): Promise<{ file: string; bytes: number }> {
    const { backup } = this.config;
    if (backup === undefined) {
      throw new Error('BACKUP_SCHEDULE is not set');
    }
    // Loaded here, because most services write no backups, or one in a day.
    const { createBackup } = await import('./create-backup.js');
    const { readBackup } = await import('./verify-backup.js');
    const { directory, keep } = backup;
    // Only the owner may read: a backup contains everything that users have saved.
    makeDirectory(directory, 0o700);
    const now = this.clock.now();
    const file = join(directory, `satchel-${nameOf(now)}.zip`);
    await writeWholeFile(file, { force: true }, async (handle, path) => {
      await createBackup(this.direct.connection, handle, now);
      await readBackup(path);
    });
    const { size: bytes } = await stat(file);
    await this.tidy({ directory, keep, newest: file, now });
    return { file, bytes };
  }

  /** Deletes old backups. The new backup is good even if that fails. */
  private async tidy({ directory, keep, newest, now }: Tidying): Promise<void> {
    try {
      const names = await readdir(directory);
      const older = names.filter((name) => OWN.test(name) && join(directory, name) !== newest);
      const surplus = older.toSorted().slice(0, Math.max(0, older.length - keep + 1));
      const abandoned = names.filter((name) => UNFINISHED.test(name));
      for (const path of [...surplus, ...abandoned].map((name) => join(directory, name))) {
        const isAbandoned = now.getTime() - (await stat(path)).mtimeMs > ABANDONED_MS;
        if (!UNFINISHED.test(basename(path)) || isAbandoned) {
          await rm(path);
        }
      }
    } catch (error) {
      this.logger.warn({ err: error, msg: 'old backups are not deleted' });
    }
  }
}

interface Tidying {
  readonly directory: string;
  readonly keep: number;
  readonly newest: string;
  readonly now: Date;
}

const nameOf = (now: Date): string =>
  now.toISOString().replaceAll(/[-:]/g, '').replace(/\.\d+/, '');
