import { existsSync, statfsSync, statSync } from 'node:fs';

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
import type { ShardServer } from '../../platform/database/distributed-servers.js';
import { type Distribution, distributionOf } from '../../platform/database/distribution.js';
import { migrationStatus, requireOwnSessions } from '../../platform/database/migrator.js';
import {
  examinePooledSessions,
  keepsPreparedStatements,
} from '../../platform/database/pooled-sessions.js';
import { addressIn } from '../../platform/http/own-address.js';
import { checkBackups } from './check-backups.js';
import { checkPictures } from './check-pictures.js';
import { checkQueues } from './check-queues.js';
import { checkSchema } from './check-schema.js';
import { checkSecondFactors } from './check-second-factors.js';
import { failed, type Finding, ok, warning } from './finding.js';
import { printEither, table } from '../terminal.js';

const DISTRIBUTE = 'run migrate --distributed citus';
const OTHERS = 0o077;
const GIB = 1024 ** 3;
const LEAST_FREE_BYTES = GIB;
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
        checkDisk(server.directory ?? config.dataDirectory),
        ...reportPrevious(server),
        ...(await checkDatabase(server, config)),
      ];
    } finally {
      await server.close();
    }
  } catch (error) {
    return [checkDisk(config.dataDirectory), failed('database', reasonOf(error))];
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

function checkDisk(directory: string): Finding {
  const { bavail, bsize } = statfsSync(existsSync(directory) ? directory : '.');
  const free = `${((bavail * bsize) / GIB).toFixed(1)} GiB free`;
  return bavail * bsize < LEAST_FREE_BYTES
    ? warning('disk', `${free}: make room before the database stops`)
    : ok('disk', free);
}

/**
 * Runs the checks that need a connection to the database.
 *
 * @throws Error if the connection fails.
 */
async function checkDatabase(server: DatabaseServer, config: Config): Promise<Finding[]> {
  const { direct, isEmbedded } = server;
  const status = await migrationStatus(direct);
  if (status.refusal !== undefined) {
    return [failed('schema', status.refusal)];
  }
  const facts = await serverFacts(direct);
  const readAt = new Clock().now();
  const { version, now, encoding, autovacuum, connections } = facts;
  const distribution = await distributionOf(direct);
  return [
    ok('database', `PostgreSQL ${version}, ${isEmbedded ? 'embedded' : 'from DATABASE_URL'}`),
    checkWriting(facts),
    await checkSchema(direct, status),
    ...(status.pending.length === 0 ? await checkContents(direct, config) : []),
    ok('extensions', 'none is needed'),
    await checkSessions(server),
    // With a connection pooler, this check is skipped, because the pooler limits the connections.
    ...(server.connection.pooler === undefined
      ? [checkConnections(connectionsOf(config), connections)]
      : []),
    ...(distribution === undefined
      ? []
      : [checkDistribution(distribution), ...checkServers(distribution)]),
    checkEncoding(encoding),
    checkAutovacuum(autovacuum),
    checkClock(now, readAt),
  ];
}

/** Runs the checks that read tables of the newest schema. */
async function checkContents(direct: Connection, config: Config): Promise<Finding[]> {
  return [
    await checkBackups(direct, config),
    ...(await checkQueues(direct, config)),
    await checkPictures(direct, config),
    await checkSecondFactors(direct, config),
  ];
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

function checkWriting({ isReadOnly }: ServerFacts): Finding {
  return isReadOnly
    ? failed('writing', 'the database only reads: DATABASE_URL must lead to the primary server')
    : ok('writing', 'the database accepts changes');
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

function checkDistribution({ isBegun, missing, doubled, hasTwoPhases }: Distribution): Finding {
  const command = DISTRIBUTE;
  if (!isBegun) {
    return ok('distribution', `Citus is there, and no table is spread: ${command}`);
  }
  if (missing.length > 0) {
    return failed('distribution', `not spread, ${command}: ${missing.join(', ')}`);
  }
  if (!hasTwoPhases) {
    return failed('distribution', `a list and its queues are not committed together: ${command}`);
  }
  return doubled.length > 0
    ? warning('distribution', `local rows are left, ${command}: ${doubled.join(', ')}`)
    : ok('distribution', 'each table is where it belongs');
}

/** Checks the servers with lists, after the distribution has begun. */
function checkServers({ isBegun, servers }: Distribution): Finding[] {
  if (!isBegun) {
    return [];
  }
  const away = servers.filter(({ failure }) => failure !== undefined);
  const unlimited = servers.filter(({ failure, hasLimits }) => failure === undefined && !hasLimits);
  const names = (some: readonly ShardServer[]): string => some.map(({ name }) => name).join(', ');
  return [
    ...away.map(({ name, failure }) => failed('servers', `${name}: ${failure ?? ''}`)),
    ...(unlimited.length > 0
      ? [failed('servers', `limits of time do not hold on ${names(unlimited)}: ${DISTRIBUTE}`)]
      : []),
    ...(away.length + unlimited.length === 0
      ? [ok('servers', `${servers.length} with lists, and limits of time hold there`)]
      : []),
  ];
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
