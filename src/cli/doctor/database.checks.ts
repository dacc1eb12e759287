import { DataSource } from 'typeorm';

import { Clock } from '../../common/clock.js';
import type { Connection } from '../../database/connection.js';
import { dataSourceOptions } from '../../database/data-source.options.js';
import { SharedSessionsError } from '../../database/database.errors.js';
import type { DatabaseServer } from '../../database/database-server.js';
import { migrationStatus } from '../../database/migrator.js';
import { requireOwnSessions } from '../../database/session-check.js';
import { fault, type Finding, ok, warning } from './finding.js';

const MAX_CLOCK_DIFFERENCE_SECONDS = 5;

interface ServerFacts {
  readonly version: string;
  readonly now: Date;
  readonly encoding: string;
  readonly autovacuum: string;
}

/** Asks the database once for what the checks look at; fails as connecting fails. */
export async function checkDatabase(server: DatabaseServer): Promise<Finding[]> {
  const { connection, isEmbedded } = server;
  const status = await migrationStatus(connection);
  const { version, now, encoding, autovacuum } = await facts(connection);
  return [
    ok('database', `PostgreSQL ${version}, ${isEmbedded ? 'embedded' : 'from DATABASE_URL'}`),
    status.pending.length === 0
      ? ok('schema', `up to date, ${status.executed.length} migrations`)
      : warning(
          'schema',
          `${status.pending.length} migrations are pending: start the service, or migrate run`,
        ),
    ok('extensions', 'none is needed'),
    await checkSessions(connection),
    checkEncoding(encoding),
    checkAutovacuum(autovacuum),
    checkClock(now),
  ];
}

async function checkSessions(connection: Connection): Promise<Finding> {
  try {
    await requireOwnSessions(connection);
    return ok('sessions', 'each connection has one of its own, and its limits of time hold');
  } catch (error) {
    if (error instanceof SharedSessionsError) {
      return fault('sessions', error.message);
    }
    throw error;
  }
}

function checkEncoding(encoding: string): Finding {
  return encoding === 'UTF8'
    ? ok('encoding', encoding)
    : fault(
        'encoding',
        `the database is ${encoding}: create one with ENCODING 'UTF8' and move there`,
      );
}

function checkAutovacuum(setting: string): Finding {
  return setting === 'on'
    ? ok('autovacuum', setting)
    : warning(
        'autovacuum',
        `it is ${setting}: long lists get slow and deleted rows keep their place`,
      );
}

function checkClock(databaseNow: Date): Finding {
  const seconds = Math.abs(databaseNow.getTime() - new Clock().now().getTime()) / 1000;
  const difference = `${seconds.toFixed(1)} s from the database's clock`;
  return seconds > MAX_CLOCK_DIFFERENCE_SECONDS
    ? warning('clock', `${difference}: synchronise both machines (NTP)`)
    : ok('clock', difference);
}

async function facts(connection: Connection): Promise<ServerFacts> {
  const dataSource = await new DataSource(dataSourceOptions(connection, 2)).initialize();
  try {
    const [row] = await dataSource.query<[ServerFacts]>(
      `SELECT current_setting('server_version') AS version, clock_timestamp() AS now,
              current_setting('server_encoding') AS encoding, current_setting('autovacuum') AS autovacuum`,
    );
    return row;
  } finally {
    await dataSource.destroy();
  }
}
