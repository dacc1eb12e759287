import { access, constants, mkdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import process from 'node:process';

import { clusterOwner, type Home, homeAt, REMEDY } from './home.js';
import { findHomeForRoot } from './root-home.js';

/** pg_ctl puts paths between double quotes into a shell command. */
const UNQUOTABLE = /["$`\n\\]/;

/** The home of the cluster of a directory, made when it is missing. */
export async function findHome(wanted: string): Promise<Home> {
  const directory = resolve(wanted);
  if (process.platform !== 'win32' && UNQUOTABLE.test(directory)) {
    throw new Error(`${directory} has a character that PostgreSQL's pg_ctl cannot take: ${REMEDY}`);
  }
  return process.getuid?.() === 0 ? findHomeForRoot(directory) : findOwnHome(directory);
}

async function findOwnHome(directory: string): Promise<Home> {
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    await access(directory, constants.W_OK | constants.X_OK);
  } catch (cause) {
    throw new Error(`${directory} cannot be written by this process: ${REMEDY}`, { cause });
  }
  const home = await homeAt(directory, {});
  const owner = await clusterOwner(directory);
  if (owner !== undefined && process.getuid !== undefined && owner.uid !== process.getuid()) {
    throw new Error(`${home.cluster} belongs to uid ${owner.uid}: run as that user, or ${REMEDY}`);
  }
  return home;
}
