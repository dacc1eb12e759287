import { mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Clock } from '../../platform/common/clock.js';
import type { ClaimedImport, ImportRepository } from './import.repository.js';

const clock = new Clock();
const PREFIX = 'satchel-import-';
/**
 * While a process imports a file, it updates the modification time of its temporary folder at this
 * interval in milliseconds. If the modification time is older than LEFT_AFTER_MS, the process has
 * crashed.
 */
const TOUCH_EVERY_MS = 60_000;
const LEFT_AFTER_MS = 60 * 60_000;

/** Writes a stored upload to a temporary file, calls `work` with the path of the file, and deletes the file. */
export async function withUploadedFile(
  imports: ImportRepository,
  job: ClaimedImport,
  work: (path: string) => Promise<void>,
): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), PREFIX));
  const touching = setInterval(() => void touch(directory), TOUCH_EVERY_MS).unref();
  try {
    const path = join(directory, 'file');
    await writeFile(path, chunksOf(imports, job), { flag: 'wx', mode: 0o600 });
    await work(path);
  } finally {
    clearInterval(touching);
    await rm(directory, { recursive: true, force: true });
  }
}

async function* chunksOf(imports: ImportRepository, job: ClaimedImport): AsyncGenerator<Buffer> {
  for (let place = 0; ; place += 1) {
    const bytes = await imports.chunk(job, place);
    if (bytes === undefined) {
      return;
    }
    yield bytes;
  }
}

const touch = (directory: string): Promise<void> =>
  utimes(directory, clock.now(), clock.now()).catch(() => undefined);

/** Deletes the temporary import files of crashed processes, because these files may be large. */
export async function sweepUploadedFiles(now = clock.now().getTime()): Promise<void> {
  const names = (await readdir(tmpdir())).filter((name) => name.startsWith(PREFIX));
  for (const directory of names.map((name) => join(tmpdir(), name))) {
    const touchedAt = await stat(directory).then(
      ({ mtimeMs }) => mtimeMs,
      () => now,
    );
    if (now - touchedAt > LEFT_AFTER_MS) {
      // Ignores errors, because this process cannot delete folders of other system users.
      await rm(directory, { recursive: true, force: true }).catch(() => undefined);
    }
  }
}
