import process from 'node:process';

import { Logger } from '@nestjs/common';

import { type InstanceLock, lockInstance } from '../lib/embedded-postgres/locks.js';
import { availableCores } from '../lib/util/available-cores.js';
import { useHeapFrugally } from '../lib/util/frugal-heap.js';
import { reasonOf } from '../lib/util/reason.js';
import { createLogger, logDestination, NestLogger } from '../platform/common/logging.js';
import { type Config, loadConfig } from '../platform/config/config.js';
import type { RegistrationMode } from '../platform/config/registration-mode.js';
import { Database } from '../platform/database/database.js';
import {
  DatabaseOpening,
  type DatabaseServer,
  openDatabaseServer,
} from '../platform/database/database-server.js';
import { prepareDatabase } from '../platform/database/pooled-sessions.js';
import { addressIn } from '../platform/http/own-address.js';
import { Metrics } from '../platform/metrics/metrics.js';
import { PRIMARY, WorkerGroup } from './cluster/primary.js';

/** Runs the service until the process receives a signal, then ends the process. */
export async function serve(): Promise<void> {
  useHeapFrugally();
  const config = loadConfig();
  const starting = startService(config, fail);
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.once(signal, () => {
      // Ends the process if the start hangs, for example while it waits for the migrations of
      // another instance. This is safe, because the next start recovers from an interrupted start.
      setTimeout(fail, config.shutdownTimeoutSeconds * 2000, new Error('gave up waiting')).unref();
      starting.then((service) => service.stop()).then(() => process.exit(0), fail);
    });
  }
  const service = await starting;
  const address = config.publicUrl === undefined ? service.address : addressIn(config.publicUrl);
  process.stdout.write(welcome(address, config, service.firstConsumerKey));
}

/** Writes the reason to standard error in one line, and ends the process with status 1. */
export function fail(error: unknown): never {
  process.stderr.write(`satchel: ${reasonOf(error)}\n`);
  process.exit(1);
}

/** A running service. */
interface Service {
  /** The address at which programs on this machine reach the service. */
  readonly address: string;
  /** The first consumer key. Set only at the first start with an embedded database. */
  readonly firstConsumerKey: string | undefined;
  /** Waits until running requests finish, then stops the embedded database. */
  stop(): Promise<void>;
}

/**
 * Starts and migrates the database, then opens the port. If an external database is unreachable, opens the port first.
 */
async function startService(config: Config, onFailure: (error: Error) => void): Promise<Service> {
  /** Functions that undo the steps of the start, in the order in which they must run. */
  const steps: Step[] = [];
  let stopped: Promise<void> | undefined;
  const stop = (): Promise<void> => (stopped ??= takeAll(steps));
  try {
    const server = await openDatabaseServer(config, (progress) => logProgress(config, progress));
    steps.unshift(() => server.close());
    const lock = await locked(server, config, onFailure);
    steps.unshift(async () => lock?.release().catch(() => undefined));
    const start = config.workers === 1 ? startHere : startWorkers;
    const begun = await start({ config, server, steps, stop, onFailure });
    await deletePrevious(server);
    return { ...begun, stop };
  } catch (error) {
    await stop().catch(() => undefined);
    throw error;
  }
}

/** Logs the progress of an upgrade, which runs before the logger of the application exists. */
async function logProgress(config: Config, progress: string): Promise<void> {
  createLogger(config.logLevel, undefined, await logDestination(config)).info(progress);
}

/** Deletes what an earlier upgrade of the embedded PostgreSQL has left. The next start tries again after a failure. */
async function deletePrevious(server: DatabaseServer): Promise<void> {
  const logger = new Logger('DatabaseUpgrade');
  for (const directory of server.previous?.kept ?? []) {
    logger.warn({ directory, msg: 'this database of an earlier PostgreSQL is not used' });
  }
  try {
    for (const directory of (await server.deletePrevious?.()) ?? []) {
      logger.log({ directory, msg: 'deleted the database from before the upgrade' });
    }
  } catch (error) {
    logger.warn({ err: error, msg: 'the database from before the upgrade is not deleted' });
  }
}

interface Start {
  readonly config: Config;
  readonly server: DatabaseServer;
  readonly steps: Step[];
  /** Stops the parts of the service that have started, by running the functions in `steps`. */
  readonly stop: () => Promise<void>;
  readonly onFailure: (error: Error) => void;
}

type Begun = Omit<Service, 'stop'>;

/** Runs the whole service in this process, without workers. */
async function startHere({ config, server, steps, onFailure }: Start): Promise<Begun> {
  // Import the application only here, because a primary process with workers never needs it.
  const { createApp, firstConsumerKey } = await import('./application.js');
  const { connection, isEmbedded, directory } = server;
  const app = await createApp(config, connection);
  new Logger().log({ embedded: isEmbedded, directory, msg: 'database' });
  new Logger().log({ workers: config.workers, cores: availableCores(), msg: 'workers' });
  steps.unshift(() => app.close());
  await openMetrics(config, steps, () => app.get(Metrics).expose());
  const opening = new DatabaseOpening(async () => {
    await prepareDatabase(server);
    await app.get(Database).open();
  });
  steps.unshift(() => opening.stop());
  await opening.begin(onFailure);
  await app.listen(config.port, config.host);
  return {
    address: await app.getUrl(),
    firstConsumerKey: isEmbedded ? await firstConsumerKey(app) : undefined,
  };
}

/** Opens the database in this process, and starts workers for all other work. */
async function startWorkers({ config, server, steps, stop, onFailure }: Start): Promise<Begun> {
  Logger.overrideLogger(
    new NestLogger(createLogger(config.logLevel, PRIMARY, await logDestination(config))),
  );
  const workers = new WorkerGroup(config, server, (error) => {
    const end = (): void => {
      onFailure(error);
    };
    // After the workers have failed, stop the database too. Otherwise, an embedded database would
    // keep running.
    stop().then(end, end);
  });
  steps.unshift(() => workers.stop());
  if (config.metrics !== undefined) {
    const metrics = await workers.measure();
    await openMetrics(config, steps, () => metrics.expose());
  }
  const opening = new DatabaseOpening(async () => {
    await prepareDatabase(server);
    await workers.migrated();
  });
  steps.unshift(() => opening.stop());
  await opening.begin(onFailure);
  const { address = '', firstConsumerKey } = await workers.start();
  return { address, firstConsumerKey };
}

/** Opens the port for metrics before the database, because the metrics show that the database is unreachable. */
async function openMetrics(
  { metrics }: Config,
  steps: Step[],
  expose: Metrics['expose'],
): Promise<void> {
  if (metrics?.listener !== undefined) {
    const { listenForMetrics } = await import('../platform/metrics/metrics-endpoint.js');
    steps.unshift(await listenForMetrics(metrics.listener, expose));
  }
}

type Step = () => Promise<void>;

/** Runs the steps in order. If a step fails, still runs the other steps. */
async function takeAll([step, ...others]: readonly Step[]): Promise<void> {
  try {
    await step?.();
  } finally {
    if (others.length > 0) {
      await takeAll(others);
    }
  }
}

/**
 * Locks an embedded database, because only one instance may use it. Returns undefined for a separate PostgreSQL server,
 * which many instances may share.
 *
 * @throws Error if another instance has locked the embedded database.
 */
async function locked(
  server: DatabaseServer,
  { dataDirectory }: Config,
  onFailure: (error: Error) => void,
): Promise<InstanceLock | undefined> {
  if (!server.isEmbedded) {
    return undefined;
  }
  const lock = await lockInstance(server.connection, () => {
    void reasonOfEnd(server).then(onFailure);
  });
  if (lock === undefined) {
    throw new Error(
      `another service is running on ${dataDirectory}: stop it, or set DATA_DIR to another folder`,
    );
  }
  return lock;
}

async function reasonOfEnd({ fatalReason }: DatabaseServer): Promise<Error> {
  const reason = await fatalReason?.().catch(() => '');
  return new Error(`the embedded database has gone away${reason ? `: ${reason}` : ''}`);
}

/**
 * The text about registration in the start message, by registration mode. It warns the operator if strangers can create
 * accounts.
 */
const REGISTRATION: Readonly<Record<RegistrationMode, string>> = {
  open: 'Registration is open: anyone who reaches the service can create an account.',
  'until-first-user':
    'Registration is open for the first account, which administers the service, and closed afterwards but for invitations.',
  invite: 'Registration is by invitation: satchel user invite makes one.',
  closed: 'Registration is closed: satchel user create makes an account.',
};

const FIRST_KEY = (key: string): string => `
This is the first start. Your first consumer key, with all permissions, is shown only now:

    ${key}
`;

const TRY_IT = (address: string, key: string): string => `
Try it:

    curl ${address}/register -H 'Content-Type: application/json' -d '{"name":"Ada","email":"ada@example.com","password":"a long pass phrase"}'
    TOKEN=$(curl -s ${address}/login -H 'Content-Type: application/json' -d '{"email":"ada@example.com","password":"a long pass phrase"}' | node -p 'JSON.parse(fs.readFileSync(0)).access_token')
    curl ${address}/v3/add -d consumer_key=${key} -d access_token=$TOKEN -d url=https://example.com/

The API is described at ${address}/docs
`;

/**
 * Returns the message that the service prints when it has started. The message contains a consumer key only at the
 * first start.
 */
function welcome(
  address: string,
  { registration, passwordLogin, removedSettings }: Config,
  firstConsumerKey: string | undefined,
): string {
  const lines = [`Satchel listens on ${address}`, REGISTRATION[registration], ...removedSettings];
  const isUp = `${lines.join('\n')}\n`;
  if (firstConsumerKey === undefined) {
    return isUp;
  }
  const canRegister = registration === 'open' || registration === 'until-first-user';
  const next = canRegister && passwordLogin ? TRY_IT(address, firstConsumerKey) : '';
  return [isUp, FIRST_KEY(firstConsumerKey), next].join('');
}
