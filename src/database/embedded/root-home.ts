import { chmod, mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

import { canEnter } from './can-enter.js';
import { digest } from './digest.js';
import { clusterOwner, type Home, homeAt, REMEDY } from './home.js';
import { runAs } from './run-as.js';
import { type Account, unprivilegedUser } from './server-user.js';

/** Where root keeps the clusters of directories that its server user cannot enter, such as /root. */
const REACHABLE = '/var/lib/satchel';
const ROOT = 0;

interface Candidate {
  readonly place: string;
  readonly user: Account;
}

/** The home of a cluster whose server runs for root, as the cluster's owner or an unprivileged user. */
export async function findHomeForRoot(wanted: string): Promise<Home> {
  for (const { place, user } of await candidates([wanted, join(REACHABLE, digest(wanted))])) {
    await makeEnterable(place);
    if (await canEnter(place, user)) {
      return homeAt(place, user);
    }
  }
  throw new Error(
    `PostgreSQL does not run as root, and other users cannot enter ${wanted}: ${REMEDY}`,
  );
}

/** An existing cluster is never passed over: a changed permission must not look like lost data. */
async function candidates(places: readonly string[]): Promise<Candidate[]> {
  const unprivileged = await unprivilegedUser();
  for (const place of places) {
    const owner = await clusterOwner(place);
    if (owner !== undefined) {
      return [{ place, user: owner.uid === ROOT ? unprivileged : owner }];
    }
  }
  return places.map((place) => ({ place, user: unprivileged }));
}

/** Other users may pass through the directory, whatever the umask was; its list stays root's. */
async function makeEnterable(directory: string): Promise<void> {
  try {
    const made = await mkdir(directory, { recursive: true });
    if (made !== undefined) {
      await runAs({}, 'chmod', ['-R', '0711', made]);
    }
    const { uid, mode } = await stat(directory);
    if (uid === ROOT) {
      await chmod(directory, mode | 0o011);
    }
  } catch (cause) {
    throw new Error(`${directory} cannot be made: ${REMEDY}`, { cause });
  }
}
