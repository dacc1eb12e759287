import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { crc32 } from 'node:zlib';

import { type Entry, openPromise, type ZipFile } from 'yauzl';

import { RestoreRefusedError } from './backup.errors.js';
import { type Manifest, MANIFEST_PATH, parseManifest, pathOf } from './manifest.js';

const MAX_MANIFEST_BYTES = 4 * 1024 * 1024;

/** A backup that is open for reading. */
export interface BackupFile {
  readonly manifest: Manifest;
  /** The rows as COPY reads them. Throws RestoreRefusedError where the file has none for the table. */
  rowsOf(table: string): Promise<Readable>;
}

/** Opens a backup for the work. Throws RestoreRefusedError for what is none, or not whole. */
export async function withBackupFile<T>(
  path: string,
  work: (backup: BackupFile) => Promise<T>,
): Promise<T> {
  const zip = await opened(path);
  try {
    const entries = await entriesOf(zip);
    const manifest = await manifestIn(zip, entries);
    return await work({ manifest, rowsOf: (table) => streamed(zip, entries.get(pathOf(table))) });
  } finally {
    zip.close();
  }
}

async function opened(path: string): Promise<ZipFile> {
  try {
    return await openPromise(path, { autoClose: false });
  } catch (error) {
    throw notWhole(error);
  }
}

async function entriesOf(zip: ZipFile): Promise<ReadonlyMap<string, Entry>> {
  const entries = new Map<string, Entry>();
  try {
    for await (const entry of zip.eachEntry()) {
      entries.set(entry.fileName, entry);
    }
  } catch (error) {
    throw notWhole(error);
  }
  return entries;
}

async function manifestIn(zip: ZipFile, entries: ReadonlyMap<string, Entry>): Promise<Manifest> {
  const entry = entries.get(MANIFEST_PATH);
  if (entry === undefined || entry.uncompressedSize > MAX_MANIFEST_BYTES) {
    throw new RestoreRefusedError('the file is no backup of Satchel: it has no manifest');
  }
  const content = await text(await streamed(zip, entry)).catch((error: unknown) => {
    throw notWhole(error);
  });
  if (crc32(content) !== entry.crc32) {
    throw notWhole('the manifest is damaged');
  }
  return parseManifest(content);
}

async function streamed(zip: ZipFile, entry: Entry | undefined): Promise<Readable> {
  if (entry === undefined) {
    throw notWhole('a table is missing');
  }
  try {
    return await zip.openReadStreamPromise(entry);
  } catch (error) {
    throw notWhole(error);
  }
}

/** The reason in words, whatever was thrown. */
export const notWhole = (reason: unknown): RestoreRefusedError =>
  new RestoreRefusedError(
    `the file is no whole backup: ${reason instanceof Error ? reason.message : String(reason)}`,
    { cause: reason },
  );
