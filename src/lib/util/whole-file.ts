import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { type FileHandle, link, open, rename, rm } from 'node:fs/promises';

/** Error codes of file systems that do not support hard links. */
const NO_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

/** Writes an open file. The second parameter is the present path of the file. */
type Writing<T> = (file: FileHandle, path: string) => Promise<T>;

/**
 * Calls `work` with a temporary file, then renames the file to `path`. If `work` fails, deletes the temporary file.
 *
 * @throws FileIsThereError if the path exists, unless `force` is set.
 */
export async function writeWholeFile<T>(
  path: string,
  { force }: { readonly force: boolean },
  work: Writing<T>,
): Promise<T> {
  if (!force && existsSync(path)) {
    throw new FileIsThereError(path);
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

async function written<T>(path: string, work: Writing<T>): Promise<T> {
  const file = await open(path, 'wx', 0o600);
  try {
    const result = await work(file, path);
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
      throw new FileIsThereError(path);
    }
    if (!NO_LINKS.has(code)) {
      throw error;
    }
    await rename(unfinished, path);
  }
}

/** Thrown if the path of a new file exists. */
export class FileIsThereError extends Error {
  constructor(path: string) {
    super(`${path} is there already: take another name, or --force to replace it`);
  }
}
