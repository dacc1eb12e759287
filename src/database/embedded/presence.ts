import { setTimeout as pause } from 'node:timers/promises';

import { type EmbeddedConnection, MAINTENANCE_DATABASE } from './connection.js';
import { errorCode } from './error-code.js';
import { Session } from './session.js';

/** Shared by the processes that use the server; whoever gets it alone is the last of them. */
const PRESENT = 7_283_001;
const OTHERS = `SELECT count(*) > 0 FROM pg_stat_activity
  WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()`;
/** A connection that was just closed stays visible for a moment: a second of looks. */
const LOOKS = 20;
const PAUSE_MS = 50;
const TOO_MANY_CONNECTIONS = '53300';

/** A sign that this process uses the server; it ends with the process at the latest. */
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

/** Tells whether somebody uses the server; one that cannot be asked is of no use to anybody. */
export async function isInUse(connection: EmbeddedConnection): Promise<boolean> {
  try {
    return await Session.use(inMaintenance(connection), hasOthers);
  } catch (error) {
    return errorCode(error) === TOO_MANY_CONNECTIONS;
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
    await pause(PAUSE_MS);
  }
  return true;
}

const inMaintenance = (connection: EmbeddedConnection): EmbeddedConnection => ({
  ...connection,
  database: MAINTENANCE_DATABASE,
});
