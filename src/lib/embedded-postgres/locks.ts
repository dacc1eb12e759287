import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import lockfile from 'proper-lockfile';

import { type EmbeddedConnection, MAINTENANCE_DATABASE } from './connection.js';
import { errorCode, Session, type SessionAddress } from './session.js';

/** Held by the one service of a cluster. */
const SERVICE = 7_283_002;
/** The server needs a moment to notice that a killed service is gone: three seconds. */
const INSTANCE_ATTEMPTS = 15;
const INSTANCE_PAUSE_MS = 200;

/** The right of this process to be the only service on a cluster. */
export interface InstanceLock {
  release(): Promise<void>;
}

/**
 * Locks the cluster for one service process, or is undefined while another holds the lock, which
 * ends with the process, however it ends. `onLost` hears of a connection that ends by itself.
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

/** Two minutes: longer than a first start on a slow disk. */
const START_ATTEMPTS = 1_200;
const START_PAUSE_MS = 100;
/** A process killed while it holds the lock delays the next one by this much. */
const STALE_MS = 5_000;
const UPDATE_MS = 1_000;

/** Does the work while no other process starts or stops the server of the directory. */
export async function withStartLock<T>(directory: string, work: () => Promise<T>): Promise<T> {
  const release = await locked(directory);
  try {
    return await work();
  } finally {
    // A lock that was lost while the machine slept is not there to be released.
    await release().catch(() => undefined);
  }
}

/** The library's own retries would also repeat what never succeeds, such as a read-only directory. */
async function locked(directory: string): Promise<() => Promise<void>> {
  const lockfilePath = join(directory, 'starting.lock');
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await lockfile.lock(directory, {
        lockfilePath,
        stale: STALE_MS,
        update: UPDATE_MS,
        // PostgreSQL's own lock on the cluster still holds: the worst case is a start that fails.
        onCompromised: () => undefined,
      });
    } catch (cause) {
      if (errorCode(cause) !== 'ELOCKED' || attempt === START_ATTEMPTS) {
        const remedy = 'check that it can be written and that no other start hangs';
        throw new Error(`${lockfilePath} cannot be taken: ${remedy}`, { cause });
      }
    }
    await pause(START_PAUSE_MS);
  }
}

/** Shared by the processes that use the server; the one that gets it alone is the last of them. */
const PRESENT = 7_283_001;
const OTHERS = `SELECT count(*) > 0 FROM pg_stat_activity
  WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()`;
/** Sessions of Satchel end with their process, which `findUse` finds by its lock. */
const OTHER_CLIENTS = `${OTHERS} AND application_name NOT LIKE 'satchel%'`;
/** A connection that was just closed stays visible for a moment: a second of looks. */
const LOOKS = 20;
const LOOK_PAUSE_MS = 50;
const TOO_MANY_CONNECTIONS = '53300';

/** Marks the server as used by this process, at most until the process ends. */
export class Presence {
  private constructor(private readonly session: Session) {}

  static async on(connection: EmbeddedConnection): Promise<Presence> {
    const session = await Session.open(inMaintenance(connection), 'satchel-presence');
    await session.ask(`SELECT pg_advisory_lock_shared(${PRESENT})`);
    session.rest();
    return new Presence(session);
  }

  async end(): Promise<void> {
    // Unlike the end of a connection, an unlock is seen by others at once.
    await this.session.ask(`SELECT pg_advisory_unlock_shared(${PRESENT})`).catch(() => undefined);
    await this.session.close();
  }
}

/** Tells whether another process uses the server; a server that cannot be asked counts as unused. */
export async function isInUse(connection: EmbeddedConnection): Promise<boolean> {
  try {
    return await Session.use(inMaintenance(connection), hasOthers);
  } catch (error) {
    return errorCode(error) === TOO_MANY_CONNECTIONS;
  }
}

/** Who uses a server: a process of Satchel, a client other than Satchel such as psql, or no one. */
type ServerUse = 'satchel' | 'others' | 'none' | 'unknown';

/** Returns who uses the server. Unknown for a server that does not answer, or that has no connection left. */
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
