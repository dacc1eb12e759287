import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { type FileHandle, link, open, rename, rm } from 'node:fs/promises';

import { UsageError } from './terminal.js';

/** Error codes of file systems that do not support hard links. */
const NO_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

/**
 * Calls `work` with a temporary file, then renames the file to `path`. If `work` fails, deletes the temporary file.
 *
 * @throws UsageError if the path exists, unless `force` is set.
 */
export async function writeWholeFile<T>(
  path: string,
  { force }: { readonly force: boolean },
  work: (file: FileHandle) => Promise<T>,
): Promise<T> {
  if (!force && existsSync(path)) {
    throw isThere(path);
  }
  const unfinished = `${path}.${randomUUID()}.unfinished`;
  try {
    const result = await written(unfinished, work);
    await (force ? rename(unfinished, path) : nameNewly(unfinished, path));
    return result;
  } finally {
    await rm(unfinished, { force: true });
  }
}

async function written<T>(path: string, work: (file: FileHandle) => Promise<T>): Promise<T> {
  const file = await open(path, 'wx', 0o600);
  try {
    const result = await work(file);
    await file.sync();
    return result;
  } finally {
    await file.close();
  }
}

/**
 * Gives the file its final name with a hard link. Unlike a rename, a hard link cannot replace a
 * file that another program has just created.
 */
async function nameNewly(unfinished: string, path: string): Promise<void> {
  try {
    await link(unfinished, path);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (code === 'EEXIST') {
      throw isThere(path);
    }
    if (!NO_LINKS.has(code)) {
      throw error;
    }
    await rename(unfinished, path);
  }
}

const isThere = (path: string): UsageError =>
  new UsageError(`${path} is there already: take another name, or --force to replace it`);
