import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { crc32 } from 'node:zlib';

import { plainToInstance, Type } from 'class-transformer';
import {
  Equals,
  IsArray,
  IsInt,
  IsString,
  Matches,
  Min,
  ValidateNested,
  validateSync,
} from 'class-validator';
import { type Entry, openPromise, type ZipFile } from 'yauzl';

const MAX_MANIFEST_BYTES = 4 * 1024 * 1024;

/** An open backup file, from which the rows of each table can be read. */
export interface BackupFile {
  readonly manifest: Manifest;
  /**
   * Returns the rows of a table in the text format of PostgreSQL's COPY.
   * @throws RestoreRefusedError if the backup has no file for the table
   */
  rowsOf(table: string): Promise<Readable>;
}

/**
 * Opens a backup file, calls `work` with it, and closes the file.
 * @throws RestoreRefusedError if the file is not a backup or is incomplete
 */
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

/**
 * Returns the error for an incomplete backup file. `reason` is any thrown value, and is included in
 * the message.
 */
export const notWhole = (reason: unknown): RestoreRefusedError =>
  new RestoreRefusedError(
    `the file is no whole backup: ${reason instanceof Error ? reason.message : String(reason)}`,
    { cause: reason },
  );

/** The version of the backup file format (docs/decisions/0024). */
export const FORMAT = 1;
export const MANIFEST_PATH = 'manifest.json';

/** Returns the path of a table's rows within the backup file. The rows are in the text format of PostgreSQL's COPY. */
export const pathOf = (table: string): string => `tables/${table}.copy`;

/**
 * A table in a backup, with its row count and the hash of its rows. A restore fails if the rows in the backup file do
 * not match the row count and the hash.
 */
export class CopiedTable {
  @IsString()
  readonly name!: string;

  @IsString({ each: true })
  @IsArray()
  readonly columns!: readonly string[];

  @IsInt()
  @Min(0)
  readonly rows!: number;

  @Matches(/^[0-9a-f]{64}$/)
  readonly sha256!: string;
}

/** An identity column of a table, and the last value that its sequence has generated. */
export class CopiedSequence {
  @IsString()
  readonly table!: string;

  @IsString()
  readonly column!: string;

  @Matches(/^\d{1,19}$/)
  readonly last!: string;
}

/** The manifest of a backup, which describes its schema and its contents. */
export class Manifest {
  @Equals(FORMAT)
  readonly format!: number;

  @IsString()
  readonly satchel!: string;

  @IsString()
  readonly created_at!: string;

  /** The names of the migrations that the database had run, in the order in which they were run. */
  @IsString({ each: true })
  @IsArray()
  readonly migrations!: readonly string[];

  @ValidateNested({ each: true })
  @Type(() => CopiedTable)
  @IsArray()
  readonly tables!: readonly CopiedTable[];

  @ValidateNested({ each: true })
  @Type(() => CopiedSequence)
  @IsArray()
  readonly sequences!: readonly CopiedSequence[];
}

/**
 * Parses the manifest of a backup.
 * @throws RestoreRefusedError if the text is not a manifest
 */
function parseManifest(text: string): Manifest {
  const manifest = plainToInstance(Manifest, parsed(text));
  if (!(manifest instanceof Manifest) || validateSync(manifest).length > 0) {
    throw new RestoreRefusedError('the manifest of the backup is damaged, or of another format');
  }
  return manifest;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Thrown if a restore is impossible, because the file is not a usable backup or the database is not
 * ready. After this error, nothing has been changed.
 */
export class RestoreRefusedError extends Error {}
