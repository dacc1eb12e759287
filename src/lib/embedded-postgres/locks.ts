import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

// Loaded before `serve` listens to signals: the library's own listener ends the process if it runs after the last other one.
import lockfile from 'proper-lockfile';

import { type EmbeddedConnection, MAINTENANCE_DATABASE } from './connection.js';
import { errorCode, Session, type SessionAddress } from './session.js';

/**
 * The number of the PostgreSQL advisory lock of the service. It prevents two services from using
 * the same database cluster.
 */
const SERVICE = 7_283_002;
/**
 * The number of attempts to lock the database cluster. They take three seconds in total, because
 * the database server does not immediately notice that an earlier service was killed.
 */
const INSTANCE_ATTEMPTS = 15;
const INSTANCE_PAUSE_MS = 200;

/** A lock that makes this process the only service that uses a database cluster. */
export interface InstanceLock {
  release(): Promise<void>;
}

/**
 * Locks the database cluster for this service process. Returns undefined if another process has the
 * lock. The lock is released when this process ends for any reason. Calls `onLost` if the
 * connection with the lock ends unexpectedly.
 */
export async function lockInstance(
  connection: SessionAddress,
  onLost: (error: Error | undefined) => void,
): Promise<InstanceLock | undefined> {
  const lock = { isHeld: false };
  const session = await Session.open(connection, 'satchel-service', (error) => {
    if (lock.isHeld) {
      onLost(error);
    }
  });
  try {
    lock.isHeld = await isGranted(session);
  } finally {
    if (!lock.isHeld) {
      await session.close();
    }
  }
  session.rest();
  return lock.isHeld ? { release: () => session.close() } : undefined;
}

async function isGranted(session: Session): Promise<boolean> {
  for (let attempt = 1; attempt <= INSTANCE_ATTEMPTS; attempt += 1) {
    if ((await session.ask(`SELECT pg_try_advisory_lock(${SERVICE})`)) === true) {
      return true;
    }
    await pause(INSTANCE_PAUSE_MS);
  }
  return false;
}

/**
 * The number of attempts to get the start lock. They take two minutes in total, which is more than
 * a first start on a slow disk needs.
 */
const START_ATTEMPTS = 1_200;
const START_PAUSE_MS = 100;
/** The time in milliseconds after which the start lock of a killed process expires. */
const STALE_MS = 5_000;
const UPDATE_MS = 1_000;

/**
 * Runs `work` while no other process can start or stop the database server.
 * @throws Error if another process holds the lock for more than two minutes
 */
export async function withStartLock<T>(directory: string, work: () => Promise<T>): Promise<T> {
  const release = await locked(directory);
  try {
    return await work();
  } finally {
    // The release may fail, because the lock may have expired while the machine was asleep.
    await release().catch(() => undefined);
  }
}

/**
 * Waits for the start lock of a directory. Does not use the retries of the proper-lockfile library,
 * which would also retry after permanent errors, such as a read-only directory.
 */
async function locked(directory: string): Promise<() => Promise<void>> {
  const lockfilePath = join(directory, 'starting.lock');
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await lockfile.lock(directory, {
        lockfilePath,
        stale: STALE_MS,
        update: UPDATE_MS,
        // If the start lock is lost, PostgreSQL's own lock still protects the database cluster.
        onCompromised: () => undefined,
      });
    } catch (cause) {
      if (errorCode(cause) !== 'ELOCKED' || attempt === START_ATTEMPTS) {
        const remedy =
          'check that it can be written, and that no other start hangs or upgrades the database';
        throw new Error(`${lockfilePath} cannot be taken: ${remedy}`, { cause });
      }
    }
    await pause(START_PAUSE_MS);
  }
}

/**
 * The number of the PostgreSQL advisory lock that all processes of Satchel share while they use the
 * database server. A process that gets the lock exclusively is the only one.
 */
const PRESENT = 7_283_001;
const OTHERS = `SELECT count(*) > 0 FROM pg_stat_activity
  WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()`;
/**
 * The query that checks if clients other than Satchel are connected to the database server. It can
 * ignore Satchel, because each process of Satchel holds the advisory lock PRESENT.
 */
const OTHER_CLIENTS = `${OTHERS} AND application_name NOT LIKE 'satchel%'`;
/**
 * The number of times that the connections of other processes are counted. The checks take one
 * second in total, because a closed connection stays visible for a moment.
 */
const LOOKS = 20;
const LOOK_PAUSE_MS = 50;
const TOO_MANY_CONNECTIONS = '53300';

/**
 * Holds an advisory lock on the database server until `end` is called or the process ends. The lock
 * shows other processes that the server is in use.
 */
export class Presence {
  private constructor(private readonly session: Session) {}

  static async on(connection: EmbeddedConnection): Promise<Presence> {
    const session = await Session.open(inMaintenance(connection), 'satchel-presence');
    await session.ask(`SELECT pg_advisory_lock_shared(${PRESENT})`);
    session.rest();
    return new Presence(session);
  }

  async end(): Promise<void> {
    // Unlocks explicitly, because PostgreSQL releases the lock of a closed connection with a delay.
    await this.session.ask(`SELECT pg_advisory_unlock_shared(${PRESENT})`).catch(() => undefined);
    await this.session.close();
  }
}

/**
 * Returns true if another process uses the database server, or if the server has no free connections. Returns false if
 * the check fails for another reason.
 */
export async function isInUse(connection: EmbeddedConnection): Promise<boolean> {
  try {
    return await Session.use(inMaintenance(connection), hasOthers);
  } catch (error) {
    return errorCode(error) === TOO_MANY_CONNECTIONS;
  }
}

/**
 * The program that uses the database server: a process of Satchel, another client such as psql, no
 * program, or an unknown one.
 */
type ServerUse = 'satchel' | 'others' | 'none' | 'unknown';

/**
 * Returns the program that uses the database server. Returns `unknown` if the server does not
 * respond or has no free connections.
 */
export async function findUse(connection: EmbeddedConnection): Promise<ServerUse> {
  try {
    return await Session.use(inMaintenance(connection), async (session) => {
      if ((await session.ask(`SELECT pg_try_advisory_lock(${PRESENT})`)) === false) {
        return 'satchel';
      }
      return (await session.ask(OTHER_CLIENTS)) === true ? 'others' : 'none';
    });
  } catch {
    return 'unknown';
  }
}

async function hasOthers(session: Session): Promise<boolean> {
  if ((await session.ask(`SELECT pg_try_advisory_lock(${PRESENT})`)) === false) {
    return true;
  }
  for (let look = 1; look <= LOOKS; look += 1) {
    if ((await session.ask(OTHERS)) === false) {
      return false;
    }
    await pause(LOOK_PAUSE_MS);
  }
  return true;
}

const inMaintenance = (connection: EmbeddedConnection): EmbeddedConnection => ({
  ...connection,
  database: MAINTENANCE_DATABASE,
});
