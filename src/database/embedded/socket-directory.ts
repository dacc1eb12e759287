import { chown, lstat, mkdir, rm, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

import { canEnter } from './can-enter.js';
import { digest } from './digest.js';
import { errorCode } from './error-code.js';
import type { Home } from './home.js';

/** The shortest limit on the path of a socket, that of macOS; Linux allows 107. */
const MAX_PATH_BYTES = 103;
const SOCKET = '.s.PGSQL.5432';
const REMEDY = 'remove it, or set TMPDIR to a directory of your own';

/** A directory with a short path for the Unix socket, where only the server's user can enter. */
export async function emptySocketDirectory(home: Home): Promise<string> {
  const directory = join(await temporaryDirectory(home), nameFor(home));
  try {
    await mkdir(directory, { mode: 0o700 });
  } catch (cause) {
    if (errorCode(cause) !== 'EEXIST') {
      throw new Error(`${directory} cannot be made: ${REMEDY}`, { cause });
    }
  }
  await makeOwned(directory, home);
  // It is asked for when no server runs; the process id in the lock may be another program's by now.
  await rm(join(directory, `${SOCKET}.lock`), { force: true });
  return directory;
}

/** Leaves nothing behind in the temporary directory when the server has stopped. */
export async function dropSocketDirectory(directory: string): Promise<void> {
  await rmdir(directory).catch(() => undefined);
}

/** The sticky bit of its parent keeps a directory of ours from being exchanged after the look. */
async function makeOwned(directory: string, { user }: Home): Promise<void> {
  const found = await lstat(directory);
  const own = process.getuid?.() ?? 0;
  const isOurs = [own, user.uid].includes(found.uid);
  if (!found.isDirectory() || !isOurs || (found.mode & 0o077) !== 0) {
    throw new Error(`${directory} is not a private directory of this service's user: ${REMEDY}`);
  }
  if (user.uid !== undefined && user.gid !== undefined) {
    await chown(directory, user.uid, user.gid);
  }
}

/** TMPDIR may be private to root, or too deep for a socket. */
async function temporaryDirectory(home: Home): Promise<string> {
  const wanted = tmpdir();
  const isShort = Buffer.byteLength(join(wanted, nameFor(home), SOCKET)) <= MAX_PATH_BYTES;
  return isShort && (await canEnter(wanted, home.user)) ? wanted : '/tmp';
}

const nameFor = ({ directory, user }: Home): string =>
  `satchel-${digest(`${directory} ${user.uid ?? process.getuid?.() ?? ''}`)}`;
