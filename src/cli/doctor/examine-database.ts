import { reasonOf } from '../../lib/util/reason.js';
import { Clock } from '../../platform/common/clock.js';
import type { Config } from '../../platform/config/config.js';
import type { Connection } from '../../platform/database/data-source.options.js';
import {
  type DatabaseServer,
  hasDatabase,
  openDatabaseServer,
  serverFacts,
} from '../../platform/database/database-server.js';
import { type MigrationStatus, migrationStatus } from '../../platform/database/migrator.js';
import { attempt, failureOf, isUnreachable } from './attempt.js';
import { checkBackups } from './check-backups.js';
import { checkDisks } from './check-disks.js';
import { checkLocks } from './check-locks.js';
import { checkPictures } from './check-pictures.js';
import { checkPlaces } from './check-places.js';
import { checkQueues } from './check-queues.js';
import { checkSchema } from './check-schema.js';
import { checkSecondFactors } from './check-second-factors.js';
import { checkSessions } from './check-sessions.js';
import { checkSettings, type ReadFacts } from './check-settings.js';
import { checkSpeed } from './check-speed.js';
import { checkWriting } from './check-writing.js';
import { failed, type Finding, ok, warning } from './finding.js';

/** Runs the checks of the disks and of the database. Creates no database. */
export async function examineDatabase(config: Config): Promise<Finding[]> {
  if (!(await hasDatabase(config))) {
    return [...checkDisks(config), failed('database', missingIn(config))];
  }
  const opened = await openDatabaseServer(config).catch((error: unknown) => reasonOf(error));
  if (typeof opened === 'string') {
    return [...checkDisks(config), failed('database', opened)];
  }
  const server = withShortWaits(opened);
  const { direct } = server;
  return [
    ...checkDisks(config, server.directory),
    ...reportPrevious(server),
    ...(await attempt(direct, 'database', () => checkDatabase(server, config))),
    ...(await attempt(direct, 'database', async () => {
      await opened.close();
      return [];
    })),
  ];
}

const missingIn = ({ dataDirectory }: Config): string =>
  `${dataDirectory} contains no database that this user can see: run the command in the folder of the service, or set DATA_DIR or DATABASE_URL. A new database is created by the first start of the service`;

/** Makes all checks wait only a short time for locks. Otherwise, they would wait without end, and report nothing. */
const withShortWaits = (server: DatabaseServer): DatabaseServer => {
  const direct = { ...server.direct, isForChecks: true };
  return { ...server, direct };
};

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

/** Runs the checks that need a connection to the database. */
async function checkDatabase(server: DatabaseServer, config: Config): Promise<Finding[]> {
  const { direct, isEmbedded } = server;
  const facts = await readFacts(direct).catch((error: unknown) => ({ error }));
  if ('error' in facts) {
    const failure = await failureOf(direct, 'database', facts.error);
    // Without a connection, each further check would only repeat the reason.
    return isUnreachable(facts.error)
      ? [failure]
      : [failure, ...(await checkUse(server, config, undefined))];
  }
  const kind = isEmbedded ? 'embedded' : 'from DATABASE_URL';
  return [
    ok('database', `PostgreSQL ${facts.version}, ${kind}`),
    ...(await checkUse(server, config, facts)),
    ...checkSettings(server, config, facts),
  ];
}

async function readFacts(direct: Connection): Promise<ReadFacts> {
  const facts = await serverFacts(direct);
  return { ...facts, readAt: new Clock().now() };
}

/** Runs the checks that use the database as the service does. `facts` are undefined if they could not be read. */
async function checkUse(
  server: DatabaseServer,
  config: Config,
  facts: ReadFacts | undefined,
): Promise<Finding[]> {
  const { direct } = server;
  const locks = await attempt(direct, 'locks', () => checkLocks(direct));
  const status = await migrationStatus(direct).catch((error: unknown) => ({ error }));
  if ('refusal' in status && status.refusal !== undefined) {
    return [...locks, failed('schema', status.refusal)];
  }
  // If the status is unknown, the tables probably exist. A check of a missing table fails on its own.
  const isMigrated = 'error' in status || status.pending.length === 0;
  const condition = { isReadOnly: facts?.isReadOnly === true, isMigrated };
  return [
    ...locks,
    ...(await attempt(direct, 'speed', () => checkSpeed(direct))),
    ...(await attempt(direct, 'writing', () => checkWriting(direct, condition))),
    ...(await checkStatus(direct, status)),
    ...(isMigrated ? await checkContents(direct, config) : []),
    ...(await attempt(direct, 'sessions', () => checkSessions(server))),
    ...(await attempt(direct, 'distribution', () => checkPlaces(direct))),
  ];
}

/** Checks the schema, if the status of the migrations could be read. */
async function checkStatus(
  direct: Connection,
  status: MigrationStatus | { readonly error: unknown },
): Promise<Finding[]> {
  return 'error' in status
    ? [await failureOf(direct, 'schema', status.error)]
    : attempt(direct, 'schema', () => checkSchema(direct, status));
}

/** Runs the checks that read tables of the newest schema. */
const checkContents = async (direct: Connection, config: Config): Promise<Finding[]> => [
  ...(await attempt(direct, 'backups', () => checkBackups(direct, config))),
  ...(await attempt(direct, 'queues', () => checkQueues(direct, config))),
  ...(await attempt(direct, 'pictures', () => checkPictures(direct, config))),
  ...(await attempt(direct, 'second-factors', () => checkSecondFactors(direct, config))),
];
