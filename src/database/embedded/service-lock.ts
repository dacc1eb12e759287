import { setTimeout as pause } from 'node:timers/promises';

import type { Connection } from '../connection.js';
import { Session } from './session.js';

/** Held by the one service of a cluster. */
const SERVICE = 7_283_002;
/** The server needs a moment to notice that a killed service is gone: three seconds. */
const ATTEMPTS = 15;
const PAUSE_MS = 200;

/** The right of this process to be the only service on a cluster. */
export interface ServiceClaim {
  release(): Promise<void>;
}

/**
 * Claims the cluster for one service process, or is undefined while another holds it; the claim
 * ends with the process, however it ends. `onLost` hears of a connection that ends by itself.
 */
export async function claimService(
  connection: Connection,
  onLost: (error: Error | undefined) => void,
): Promise<ServiceClaim | undefined> {
  const claim = { isHeld: false };
  const session = await Session.open(connection, 'satchel-service', (error) => {
    if (claim.isHeld) {
      onLost(error);
    }
  });
  try {
    claim.isHeld = await isGranted(session);
  } finally {
    if (!claim.isHeld) {
      await session.close();
    }
  }
  session.rest();
  return claim.isHeld ? { release: () => session.close() } : undefined;
}

async function isGranted(session: Session): Promise<boolean> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    if ((await session.ask(`SELECT pg_try_advisory_lock(${SERVICE})`)) === true) {
      return true;
    }
    await pause(PAUSE_MS);
  }
  return false;
}
