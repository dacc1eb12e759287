import { createHash } from 'node:crypto';
import { open, readFile, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';

/** The file in an upgraded cluster that contains the state of the earlier cluster at the time of the copy. */
const FILE = 'satchel-upgraded-from';

/** The file of PostgreSQL that each start and each stop of a server changes. */
const CONTROL = join('global', 'pg_control');

/** Stores in a new cluster which state of an earlier cluster it contains. The earlier server must be stopped. */
export async function markCopy(cluster: string, earlier: string): Promise<void> {
  // The flag x does not follow links. The user who runs the server owns the folder, and root may run the service.
  const file = await open(join(cluster, FILE), 'wx', 0o644);
  try {
    await file.writeFile(await stateOf(earlier));
    await file.sync();
  } finally {
    await file.close();
  }
}

/**
 * Returns true if a cluster contains all data of an earlier cluster. Returns false if an upgrade of another cluster
 * made it, or if a server has run on the earlier cluster since the upgrade and may have changed its data.
 */
export async function isCopied(cluster: string, earlier: string): Promise<boolean> {
  const mark = await readFile(join(cluster, FILE), 'utf8').catch(() => undefined);
  return mark !== undefined && mark === (await stateOf(earlier).catch(() => undefined));
}

export const dropMark = (cluster: string): Promise<void> =>
  rm(join(cluster, FILE), { force: true });

async function stateOf(cluster: string): Promise<string> {
  const control = await readFile(join(cluster, CONTROL));
  return `${basename(cluster)} ${createHash('sha256').update(control).digest('hex')}\n`;
}
