import { statSync } from 'node:fs';

import { Command } from 'commander';

import { availableCores } from '../../lib/util/available-cores.js';
import { reasonOf } from '../../lib/util/reason.js';
import { Clock } from '../../platform/common/clock.js';
import { type Config, loadConfig } from '../../platform/config/config.js';
import { ConfigError } from '../../platform/config/environment.js';
import { secretsFile } from '../../platform/config/secrets.js';
import type { Connection } from '../../platform/database/data-source.options.js';
import { SharedSessionsError, UnfitPoolerError } from '../../platform/database/database.errors.js';
import {
  connectionsOf,
  type DatabaseServer,
  openDatabaseServer,
  type ServerFacts,
  serverFacts,
} from '../../platform/database/database-server.js';
import {
  type MigrationStatus,
  migrationStatus,
  requireOwnSessions,
} from '../../platform/database/migrator.js';
import {
  examinePooledSessions,
  keepsPreparedStatements,
} from '../../platform/database/pooled-sessions.js';
import { addressIn } from '../../platform/http/own-address.js';
import { printEither, table } from '../terminal.js';
import { checkBackups } from './check-backups.js';
import { checkDisks } from './check-disks.js';
import { checkLocks } from './check-locks.js';
import { checkMail } from './check-mail.js';
import { checkPictures } from './check-pictures.js';
import { checkPlaces } from './check-places.js';
import { checkQueues } from './check-queues.js';
import { checkSchema } from './check-schema.js';
import { checkSecondFactors } from './check-second-factors.js';
import { checkSpeed } from './check-speed.js';
import { checkWriting } from './check-writing.js';
import { failed, type Finding, ok, warning } from './finding.js';

const UNREACHABLE = 'is the server running, has it free connections, and is DATABASE_URL right?';
const OTHERS = 0o077;
const MAX_CLOCK_DIFFERENCE_SECONDS = 5;

export function doctorCommand(): Command {
  return new Command('doctor')
    .description('check the configuration, the secrets, the database, the clock and the disk')
    .option('--json', 'print an array of findings')
    .action(async ({ json }: { json?: true }) => {
      const findings = await examine();
      printEither(json, findings, () =>
        table(
          ['check', 'state', 'detail'],
          findings.map(({ check, state, detail }) => [check, state, detail]),
        ),
      );
      const failures = findings.filter(({ state }) => state === 'fault').length;
      if (failures > 0) {
        throw new Error(`${failures} of ${findings.length} checks failed`);
      }
    });
}

async function examine(): Promise<Finding[]> {
  try {
    const config = loadConfig();
    return [
      ok('configuration', 'is sound'),
      ...config.removedSettings.map((text) => warning('settings', text)),
      checkNetwork(config),
      checkSecrets(config),
      tellWorkers(config),
      await checkMail(config),
      ...(await examineDatabase(config)),
    ];
  } catch (error) {
    if (error instanceof ConfigError) {
      return error.problems.map((text) => failed('configuration', text));
    }
    throw error;
  }
}

async function examineDatabase(config: Config): Promise<Finding[]> {
  try {
    const server = await openDatabaseServer(config);
    try {
      return [
        ...checkDisks(config, server.directory),
        ...reportPrevious(server),
        ...(await checkDatabase(server, config)),
      ];
    } finally {
      await server.close();
    }
  } catch (error) {
    return [...checkDisks(config), failed('database', `${reasonOf(error)}: ${UNREACHABLE}`)];
  }
}

/** Copied data of an earlier PostgreSQL need no action, but they need space until the service deletes them. */
const reportPrevious = ({ previous }: DatabaseServer): Finding[] => [
  ...(previous?.copied ?? []).map((path) =>
    ok('upgrade', `complete; the next start of the service deletes the earlier data in ${path}`),
  ),
  ...(previous?.kept ?? []).map((path) =>
    warning(
      'upgrade',
      `${path} is not used, but may contain data that the database lacks: move it elsewhere`,
    ),
  ),
];

function checkNetwork({ host, publicUrl }: Config): Finding {
  const isOpen = !['127.0.0.1', '::1', 'localhost'].includes(host);
  return isOpen && publicUrl?.protocol !== 'https:'
    ? warning(
        'network',
        `HOST ${host} is open to others without TLS: put a proxy in front, set PUBLIC_URL`,
      )
    : ok(
        'network',
        publicUrl === undefined ? `on ${host}` : `on ${host}, reached at ${addressIn(publicUrl)}`,
      );
}

function checkSecrets({ dataDirectory, areSecretsKept }: Config): Finding {
  if (!areSecretsKept) {
    return ok('secrets', 'from the environment');
  }
  const file = secretsFile(dataDirectory);
  const isReadableByOthers = process.platform !== 'win32' && (statSync(file).mode & OTHERS) !== 0;
  return isReadableByOthers
    ? warning('secrets', `others can read ${file}: chmod 600 it`)
    : ok('secrets', `in ${file}; back it up with the database`);
}

function tellWorkers({ workers }: Config): Finding {
  const processes =
    workers === 1 ? 'one process' : `${workers} web workers, one for the background`;
  return ok('workers', `${processes}; cores that this process may use: ${availableCores()}`);
}

/**
 * Runs the checks that need a connection to the database.
 *
 * @throws Error if the connection fails.
 */
async function checkDatabase(server: DatabaseServer, config: Config): Promise<Finding[]> {
  const { direct } = server;
  const { findings, areMigrationsLocked } = await checkLocks(direct);
  if (areMigrationsLocked) {
    return [...findings, warning('schema', 'not checked, because the table migrations is locked')];
  }
  const status = await migrationStatus(direct);
  return status.refusal === undefined
    ? [...findings, ...(await checkUsable(server, config, status))]
    : [...findings, failed('schema', status.refusal)];
}

/** Runs the checks of a database that this version of Satchel can use. */
async function checkUsable(
  server: DatabaseServer,
  config: Config,
  status: MigrationStatus,
): Promise<Finding[]> {
  const { direct, isEmbedded } = server;
  const facts = await serverFacts(direct);
  const readAt = new Clock().now();
  const isMigrated = status.pending.length === 0;
  return [
    ok('database', `PostgreSQL ${facts.version}, ${isEmbedded ? 'embedded' : 'from DATABASE_URL'}`),
    ...(await attempt('speed', () => checkSpeed(direct))),
    await checkWriting(direct, { isReadOnly: facts.isReadOnly, isMigrated }),
    ...(await attempt('schema', () => checkSchema(direct, status))),
    ...(isMigrated ? await checkContents(direct, config) : []),
    ok('extensions', 'none is needed'),
    ...(await attempt('sessions', () => checkSessions(server))),
    ...checkSettings(server, config, facts),
    ...(await attempt('distribution', () => checkPlaces(direct))),
    checkClock(facts.now, readAt),
  ];
}

function checkSettings(server: DatabaseServer, config: Config, facts: ServerFacts): Finding[] {
  return [
    // With a connection pooler, this check is skipped, because the pooler limits the connections.
    ...(server.connection.pooler === undefined
      ? [checkConnections(connectionsOf(config), facts.connections)]
      : []),
    checkEncoding(facts.encoding),
    checkAutovacuum(facts.autovacuum),
  ];
}

/** Runs the checks that read tables of the newest schema. */
const checkContents = async (direct: Connection, config: Config): Promise<Finding[]> => [
  ...(await attempt('backups', () => checkBackups(direct, config))),
  ...(await attempt('queues', () => checkQueues(direct, config))),
  ...(await attempt('pictures', () => checkPictures(direct, config))),
  ...(await attempt('second-factors', () => checkSecondFactors(direct, config))),
];

/** Runs one check. If it fails, for example because a table is locked, the other checks still run. */
async function attempt(
  check: string,
  run: () => Promise<Finding | readonly Finding[]>,
): Promise<readonly Finding[]> {
  try {
    return [await run()].flat();
  } catch (error) {
    return [failed(check, reasonOf(error))];
  }
}

async function checkSessions(server: DatabaseServer): Promise<Finding> {
  try {
    return await examineSessions(server);
  } catch (error) {
    if (error instanceof SharedSessionsError || error instanceof UnfitPoolerError) {
      return failed('sessions', error.message);
    }
    throw error;
  }
}

function checkConnections(wanted: number, allowed: number): Finding {
  const detail = `the service may open ${wanted}, the server allows ${allowed}`;
  return wanted > allowed
    ? warning(
        'connections',
        `${detail}: lower DATABASE_POOL_SIZE or SATCHEL_WORKERS, or raise max_connections`,
      )
    : ok('connections', detail);
}

async function examineSessions(server: DatabaseServer): Promise<Finding> {
  const { pooler } = server.connection;
  if (pooler === undefined) {
    await requireOwnSessions(server.direct);
    return ok('sessions', 'each connection has one of its own, and its limits of time hold');
  }
  await examinePooledSessions(server);
  const sound = 'transactions share them through a pooler, and their limits of time hold';
  if (pooler === 'transaction' && (await keepsPreparedStatements(server.connection))) {
    const better = 'the pooler keeps prepared statements, so DATABASE_POOLER=transaction-prepared';
    return ok('sessions', `${sound}; ${better} takes less processor time`);
  }
  return ok('sessions', sound);
}

function checkEncoding(encoding: string): Finding {
  return encoding === 'UTF8'
    ? ok('encoding', encoding)
    : failed(
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

function checkClock(databaseNow: Date, readAt: Date): Finding {
  const seconds = Math.abs(databaseNow.getTime() - readAt.getTime()) / 1000;
  const difference = `${seconds.toFixed(1)} s from the database's clock`;
  return seconds > MAX_CLOCK_DIFFERENCE_SECONDS
    ? warning('clock', `${difference}: synchronise both machines (NTP)`)
    : ok('clock', difference);
}
