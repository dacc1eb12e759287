import { constants, createReadStream } from 'node:fs';
import { access, open, stat } from 'node:fs/promises';

import { cut } from '../util/clean-text.js';
import type { Match } from './best-match.js';
import type { ImportRow, Source } from './format.js';
import { recognise } from './formats.js';
import { UnknownFormatError, UnreadableFileError } from './library-formats.errors.js';
import type { NotImportedFields } from './not-imported.js';
import { refused } from './reading/item-from.js';
import { readArchiveList, upToDamage } from './reading/zip-archive.js';

/** A file to import, whose format is known. */
export interface ReadableFile {
  /** The name of the format in the API, such as `pocket-zip` or `netscape`. */
  readonly format: string;
  /** The reason why the file was recognised as this format, such as "it has the columns `url`, `tags`". */
  readonly reason: string;
  /**
   * Yields the rows of the file. A second call yields the same rows in the same order. `notImported` counts the fields
   * of the file that are not imported.
   */
  rows(notImported?: NotImportedFields): AsyncIterable<ImportRow>;
}

/**
 * Maps the usual name of a format to its name for files in an archive. Contains only formats whose
 * two names differ.
 */
const ARCHIVE_NAMES = new Map([['pocket-csv', 'pocket-zip']]);
const MAX_SHOWN_PATH = 100;
/**
 * The maximum number of files that are checked to recognise the format of an archive. If none of these files has a
 * known format, the archive is refused.
 */
const MAX_TRIED = 1_000;

const UNKNOWN = 'This file of the archive is in no format that can be imported.';
const DAMAGED = 'The archive is damaged here: the rest of this file cannot be read.';

/** The first bytes of a ZIP archive, and the first bytes of an empty ZIP archive. */
const ZIP_MARKS = ['PK\x03\x04', 'PK\x05\x06'];

/**
 * Recognises the format of a file to import by its content. Ignores the name of the file.
 * @throws UnknownFormatError if the format is unknown.
 * @throws UnreadableFileError if the file is empty, is broken, or contains passwords.
 */
export async function readFile(path: string): Promise<ReadableFile> {
  if (ZIP_MARKS.includes(await firstBytes(path))) {
    return readArchive(path);
  }
  const source = fileSource(path);
  const { format, reason } = await recognise(source);
  return { format: format.name, reason, rows: (notImported) => format.rows(source, notImported) };
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

/**
 * Checks that a path is a regular file before it is opened, because opening a pipe would block forever.
 * @throws UnreadableFileError if the path is missing, is not a readable file, or is empty.
 */
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

/** Reads the rows of all files in a ZIP archive. The files may have different formats. */
async function readArchive(path: string): Promise<ReadableFile> {
  const { sources, skipped } = await readArchiveList(path);
  const { source, match } = await firstMatch(sources);
  return {
    format: ARCHIVE_NAMES.get(match.format.name) ?? match.format.name,
    reason: `in ${cut(source.path, MAX_SHOWN_PATH)}, ${match.reason}`,
    rows: (notImported) => {
      skipped.forEach((name) => notImported?.count('', 'file', name));
      return rowsOfAll(sources, notImported);
    },
  };
}

/**
 * Returns the first file of an archive that has a known format.
 * @throws UnreadableFileError if no file has a known format and at least one file was refused. The error is that of the
 * first refused file.
 * @throws UnknownFormatError if no file has a known format and no file was refused.
 */
async function firstMatch(
  sources: readonly Source[],
): Promise<{ readonly source: Source; readonly match: Match }> {
  let firstError: Error | undefined;
  for (const source of sources.slice(0, MAX_TRIED)) {
    try {
      return { source, match: await recognise(upToDamage(source, () => undefined)) };
    } catch (error) {
      const refusal = asRefusal(error);
      // Keeps the error of the first refused file: its message helps the user more than "unknown format".
      firstError = refusal instanceof UnreadableFileError ? (firstError ?? refusal) : firstError;
    }
  }
  throw firstError ?? new UnknownFormatError();
}

async function* rowsOfAll(
  sources: readonly Source[],
  notImported: NotImportedFields | undefined,
): AsyncGenerator<ImportRow> {
  for (const source of sources) {
    yield* rowsOf(source, notImported);
  }
}

async function* rowsOf(
  archived: Source,
  notImported: NotImportedFields | undefined,
): AsyncGenerator<ImportRow> {
  let damage: string | undefined;
  let line = 0;
  const source = upToDamage(archived, () => {
    damage = DAMAGED;
  });
  const match = await recognise(source).catch(asRefusal);
  if (!(match instanceof Error)) {
    for await (const row of match.format.rows(source, notImported)) {
      line = row.place.line;
      yield row;
    }
  }
  const refusal = match instanceof UnreadableFileError ? match.message : UNKNOWN;
  const reason = damage ?? (match instanceof Error ? refusal : undefined);
  if (reason !== undefined) {
    yield refused({ path: source.path, line: line + 1 }, reason);
  }
}

/** Returns the error if it is about the content of the file. Throws any other error. */
function asRefusal(error: unknown): UnreadableFileError | UnknownFormatError {
  if (error instanceof UnreadableFileError || error instanceof UnknownFormatError) {
    return error;
  }
  throw error;
}
