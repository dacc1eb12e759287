import { realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';

import type { ServerUser } from './server-user.js';

const CLUSTER = 'pg18';

/** What to do about a directory that does not serve. */
export const REMEDY = 'set DATA_DIR to another directory, or DATABASE_URL to a PostgreSQL server';

/** Where a cluster lives, and as whom its server runs. */
export interface Home {
  readonly directory: string;
  readonly cluster: string;
  readonly log: string;
  readonly user: ServerUser;
}

/** One directory has one name here, by whichever link it is reached. */
export async function homeAt(place: string, user: ServerUser): Promise<Home> {
  const directory = await realpath(place);
  return {
    directory,
    cluster: join(directory, CLUSTER),
    log: join(directory, 'postgres.log'),
    user,
  };
}

/** Whom the cluster of a directory belongs to; undefined when there is none. */
export async function clusterOwner(
  directory: string,
): Promise<{ uid: number; gid: number } | undefined> {
  const found = await stat(join(directory, CLUSTER)).catch(() => undefined);
  return found && { uid: found.uid, gid: found.gid };
}
