import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Creates an empty temporary file, calls `work` with it, and deletes it afterwards. Deletes the file before `work` if
 * the operating system allows the deletion of open files.
 */
export async function withTemporaryFile<T>(
  prefix: string,
  work: (file: FileHandle) => Promise<T>,
): Promise<T> {
  const directory = await mkdtemp(join(tmpdir(), prefix));
  const remove = (): Promise<void> => rm(directory, { recursive: true, force: true });
  try {
    const file = await open(join(directory, 'file'), 'wx+', 0o600);
    try {
      await remove().catch(() => undefined);
      return await work(file);
    } finally {
      await file.close();
    }
  } finally {
    await remove();
  }
}
