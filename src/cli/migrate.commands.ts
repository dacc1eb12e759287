import { Command, Option } from 'commander';

import type { Connection } from '../platform/database/data-source.options.js';
import { distributeOverCitus } from '../platform/database/distribution.js';
import { migrationStatus, revertMigration } from '../platform/database/migrator.js';
import { prepareDatabase } from '../platform/database/pooled-sessions.js';
import { printEither, table, tell, UsageError } from './terminal.js';
import { withDatabaseServer } from './with-database-server.js';

const onDatabase = <T>(work: (connection: Connection) => Promise<T>): Promise<T> =>
  withDatabaseServer(({ direct }) => work(direct));

export function migrateCommand(): Command {
  return new Command('migrate')
    .description('the schema of the database (the service brings it up to date when it starts)')
    .addOption(
      new Option(
        '--distributed <engine>',
        'spread the lists over the servers of the engine',
      ).choices(['citus']),
    )
    .action(spread)
    .addCommand(runCommand())
    .addCommand(statusCommand())
    .addCommand(revertCommand());
}

async function spread({ distributed }: { distributed?: 'citus' }): Promise<void> {
  if (distributed === undefined) {
    throw new UsageError('name what to do: run, status, revert, or --distributed citus');
  }
  const statements = await withDatabaseServer(async (connections) => {
    await prepareDatabase(connections);
    return distributeOverCitus(connections.direct);
  });
  tell(statements.length === 0 ? 'nothing to do' : `done: ${statements.join('; ')}`);
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
      const { refusal, ...status } = await onDatabase(migrationStatus);
      printEither(json, status, () =>
        table(
          ['migration', 'state'],
          [
            ...status.executed.map((name) => [name, 'done']),
            ...status.pending.map((name) => [name, 'pending']),
          ],
        ),
      );
      if (refusal !== undefined) {
        throw new Error(refusal);
      }
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
