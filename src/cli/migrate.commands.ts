import { Command } from 'commander';

import type { Connection } from '../database/data-source.options.js';
import { migrationStatus, revertMigration } from '../database/migrator.js';
import { prepareDatabase } from '../database/pooled-sessions.js';
import { printEither, table, tell } from './terminal.js';
import { withDatabaseServer } from './with-database-server.js';

const onDatabase = <T>(work: (connection: Connection) => Promise<T>): Promise<T> =>
  withDatabaseServer(({ direct }) => work(direct));

export function migrateCommand(): Command {
  return new Command('migrate')
    .description('the schema of the database (the service brings it up to date when it starts)')
    .addCommand(runCommand())
    .addCommand(statusCommand())
    .addCommand(revertCommand());
}

function runCommand(): Command {
  return new Command('run').description('bring the schema up to date').action(async () => {
    const names = await withDatabaseServer(prepareDatabase);
    tell(names.length === 0 ? 'nothing to do' : `done: ${names.join(', ')}`);
  });
}

function statusCommand(): Command {
  return new Command('status')
    .description('list the migrations')
    .option('--json', 'print an object')
    .action(async ({ json }: { json?: true }) => {
      const status = await onDatabase(migrationStatus);
      printEither(json, status, () =>
        table(
          ['migration', 'state'],
          [
            ...status.executed.map((name) => [name, 'done']),
            ...status.pending.map((name) => [name, 'pending']),
          ],
        ),
      );
    });
}

function revertCommand(): Command {
  return new Command('revert')
    .description('take the newest migration back, with what it holds; stop the service first')
    .action(async () => {
      await onDatabase(revertMigration);
      tell('done');
    });
}
