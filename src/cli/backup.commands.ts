import { Command } from 'commander';

import { writeWholeFile } from '../lib/util/whole-file.js';
import { Clock } from '../platform/common/clock.js';
import type { Manifest } from '../transfer/backup/backup-file.js';
import { createBackup } from '../transfer/backup/create-backup.js';
import { restoreBackup } from '../transfer/backup/restore-backup.js';
import { readBackup, rehearseRestore } from '../transfer/backup/verify-backup.js';
import { tell } from './terminal.js';
import { withDatabaseServer } from './with-database-server.js';

export function backupCommand(): Command {
  return new Command('backup')
    .description(
      'write the whole database, as it is at one moment, to a new file; also while the service runs',
    )
    .argument('<file>')
    .option('--force', 'replace a file that is there')
    .addCommand(verifyCommand())
    .action(async (path: string, { force }: { force?: true }) => {
      const manifest = await writeWholeFile(path, { force: force === true }, (file) =>
        withDatabaseServer(({ direct }) => createBackup(direct, file, new Clock().now(), tell)),
      );
      tell(`wrote ${path}: ${summaryOf(manifest)}`);
    });
}

function verifyCommand(): Command {
  return new Command('verify')
    .description(
      'restore a backup into a scratch database, compare the counts, and delete the scratch database',
    )
    .argument('<file>')
    .option('--no-restore', 'only read the file, and compare it with its own hashes')
    .action(async (path: string, { restore }: { restore: boolean }) => {
      const manifest = await readBackup(path);
      if (restore) {
        await withDatabaseServer(({ direct }) => rehearseRestore(direct, path));
      }
      tell(`${path} is sound: ${summaryOf(manifest)}, as of ${manifest.created_at}`);
    });
}

export function restoreCommand(): Command {
  return new Command('restore')
    .description('put a backup into a database without accounts; stop the service first')
    .argument('<file>')
    .option('--force', 'replace everything that is there')
    .action(async (path: string, { force }: { force?: true }) => {
      const manifest = await withDatabaseServer(({ direct }) =>
        restoreBackup(direct, path, { force: force === true }),
      );
      tell(`restored ${summaryOf(manifest)}, as of ${manifest.created_at}`);
    });
}

const summaryOf = ({ tables }: Manifest): string => {
  const rowsIn = (name: string): number => tables.find((table) => table.name === name)?.rows ?? 0;
  return `${rowsIn('users')} accounts, ${rowsIn('items')} items`;
};
