import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Creates a directory and its missing parents. Returns the first directory that this call created. Does not use Node's
 * option `recursive`, because `mkdir` with this option never returns in a file system that rejects new directories,
 * such as /proc.
 * @throws the error of the system, such as ENOENT, EACCES or ENOSPC
 */
export function makeDirectory(path: string, mode = 0o777): string | undefined {
  const missing: string[] = [];
  for (let directory = path; !isThere(directory); directory = dirname(directory)) {
    missing.unshift(directory);
  }
  const created = missing.filter((directory) => makeOne(directory, mode));
  return created[0];
}

function isThere(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory() === false) {
    throw Object.assign(new Error(`ENOTDIR: not a directory, mkdir '${path}'`), {
      code: 'ENOTDIR',
    });
  }
  return found !== undefined || dirname(path) === path;
}

/** Creates a single directory. Returns false if another process has created the directory in the meantime. */
function makeOne(path: string, mode: number): boolean {
  try {
    mkdirSync(path, { mode });
    return true;
  } catch (error) {
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) {
      return false;
    }
    throw error;
  }
}
