import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Creates and opens an empty temporary file, calls `work` with the open file, and then closes the file. Deletes the
 * file before the call of `work` if the operating system can delete open files, or otherwise after the call.
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
