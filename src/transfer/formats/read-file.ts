import { constants, createReadStream } from 'node:fs';
import { access, open, stat } from 'node:fs/promises';

import { UnknownFormatError, UnreadableFileError } from '../transfer.errors.js';
import { formatOf } from './formats.js';
import { readArchive } from './read-archive.js';
import type { ReadableFile } from './readable-file.js';
import type { Source } from './source.js';

/** How a ZIP begins, and one that is empty. */
const ZIP_MARKS = ['PK\x03\x04', 'PK\x05\x06'];

/**
 * Recognises an export by what stands in it, whatever it is called.
 * Throws `UnknownFormatError` and `UnreadableFileError`.
 */
export async function readFile(path: string): Promise<ReadableFile> {
  if (ZIP_MARKS.includes(await firstBytes(path))) {
    return readArchive(path);
  }
  const source = fileSource(path);
  const format = await formatOf(source);
  if (format === undefined) {
    throw new UnknownFormatError();
  }
  return { format: format.name, rows: () => format.rows(source) };
}

const fileSource = (path: string): Source => ({
  path: '',
  bytes: () => createReadStream(path),
  sibling: () => undefined,
});

async function firstBytes(path: string): Promise<string> {
  await refuseUnreadable(path);
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4), 0, 4, 0);
    return buffer.toString('latin1', 0, bytesRead);
  } finally {
    await file.close();
  }
}

/** Before it is opened, which waits for ever where the path is a pipe. */
async function refuseUnreadable(path: string): Promise<void> {
  const stats = await stat(path).catch((error: unknown) => {
    throw new UnreadableFileError('There is no such file.', error);
  });
  if (!stats.isFile()) {
    throw new UnreadableFileError('This is no file.');
  }
  if (stats.size === 0) {
    throw new UnreadableFileError('The file is empty.');
  }
  await access(path, constants.R_OK).catch((error: unknown) => {
    throw new UnreadableFileError('The file may not be read.', error);
  });
}
