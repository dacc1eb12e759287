import { PassThrough, Readable } from 'node:stream';
import { finished } from 'node:stream/promises';

import type { ZipFile } from 'yazl';

/**
 * A file to add to a ZIP archive. The content of the file is read after all earlier files of the archive have been
 * written.
 */
export interface ZipEntry {
  readonly path: string;
  readonly content: AsyncIterable<string | Buffer>;
  /** The modification time of the file in the archive. The default is the current time. */
  readonly modifiedAt?: Date;
}

/**
 * A short file that is added to a ZIP archive without compression, so that the content directly follows the file name
 * in the archive. The file `mimetype` of an EPUB book must be stored in this way.
 */
export interface StoredEntry {
  readonly path: string;
  readonly stored: Buffer;
  /** The modification time of the file in the archive. The default is the current time. */
  readonly modifiedAt?: Date;
}

/**
 * Returns a file for the archive. The file releases its content when the content is written. Otherwise, a reference to
 * the ended stream could keep the content in memory.
 */
export function contentEntry(path: string, content: string | Buffer, modifiedAt?: Date): ZipEntry {
  const entry = { path, content: drained([content]) };
  return modifiedAt === undefined ? entry : { ...entry, modifiedAt };
}

// eslint-disable-next-line @typescript-eslint/require-await -- it is read as a stream
async function* drained(pieces: (string | Buffer)[]): AsyncGenerator<string | Buffer> {
  for (let piece = pieces.shift(); piece !== undefined; piece = pieces.shift()) {
    yield piece;
  }
}

/**
 * Yields the bytes of a ZIP archive while the archive is being created. If the caller stops early, also stops reading
 * the content of the current file.
 */
export async function* zipped(
  entries: AsyncIterable<ZipEntry | StoredEntry>,
): AsyncGenerator<Buffer> {
  const library = await import('yazl');
  const zip = new library.ZipFile();
  const bytes = new PassThrough();
  const stopping = new AbortController();
  const fail = (error: Error): void => void bytes.destroy(error);
  zip.on('error', fail);
  zip.outputStream.pipe(bytes);
  const filled = fill(zip, entries, stopping.signal).catch(fail);
  try {
    yield* bytes;
  } finally {
    stopping.abort();
    await filled;
    bytes.destroy();
  }
}

async function fill(
  zip: ZipFile,
  entries: AsyncIterable<ZipEntry | StoredEntry>,
  signal: AbortSignal,
): Promise<void> {
  for await (const entry of entries) {
    signal.throwIfAborted();
    const { path, modifiedAt } = entry;
    const time = modifiedAt === undefined ? {} : { mtime: modifiedAt };
    if ('stored' in entry) {
      zip.addBuffer(entry.stored, path, { compress: false, forceDosTimestamp: true, ...time });
      continue;
    }
    const bytes = Readable.from(entry.content, { objectMode: false });
    const stop = (): void => void bytes.destroy();
    signal.addEventListener('abort', stop);
    const ended = finished(bytes);
    zip.addReadStream(bytes, path, time);
    await ended.finally(() => {
      signal.removeEventListener('abort', stop);
    });
  }
  zip.end();
}
