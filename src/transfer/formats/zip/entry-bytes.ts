import { crc32 } from 'node:zlib';

import { openPromise } from 'yauzl';

import type { ArchiveEntry } from './archive-entries.js';

/** An entry that cannot be unpacked to its end. */
export class DamagedEntryError extends Error {}

/** What an entry unpacks to, which is never more than the archive has said. */
export async function* entryBytes(
  path: string,
  { entry }: ArchiveEntry,
): AsyncGenerator<Uint8Array> {
  let checksum = 0;
  try {
    const zip = await openPromise(path, { decodeStrings: false, autoClose: false });
    try {
      const stream: AsyncIterable<Buffer> = await zip.openReadStreamPromise(entry);
      for await (const chunk of stream) {
        checksum = crc32(chunk, checksum);
        yield chunk;
      }
    } finally {
      zip.close();
    }
  } catch (error) {
    throw new DamagedEntryError('unpacking failed', { cause: error });
  }
  if (checksum !== entry.crc32) {
    throw new DamagedEntryError('the checksum is wrong');
  }
}
