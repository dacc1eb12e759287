import { constants, createReadStream } from 'node:fs';
import { access, open, stat } from 'node:fs/promises';

import type { Format, ImportRow, Source } from './format.js';
import { formatOf } from './formats.js';
import { UnknownFormatError, UnreadableFileError } from './library-formats.errors.js';
import { refused } from './reading/item-from.js';
import { archiveSources, upToDamage } from './reading/zip-archive.js';

/** A file with a recognised format. */
export interface ReadableFile {
  /** Short and public, as `pocket-zip` or `netscape`. */
  readonly format: string;
  /** What stands in it, row by row, in the same order each time. */
  rows(): AsyncIterable<ImportRow>;
}

/** The formats with another name when the file is in an archive. */
const ARCHIVE_NAMES = new Map([['pocket-csv', 'pocket-zip']]);
/** An archive with more files before its first export is not read further. */
const MAX_TRIED = 1_000;

const UNKNOWN = 'This file of the archive is in no format that can be imported.';
const DAMAGED = 'The archive is damaged here: the rest of this file cannot be read.';

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

/** Checks the file before it is opened: to open a pipe would wait for ever. */
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

/** A ZIP; each of its files may have another format. */
async function readArchive(path: string): Promise<ReadableFile> {
  const sources = await archiveSources(path);
  const format = await firstFormat(sources);
  if (format === undefined) {
    throw new UnknownFormatError();
  }
  return {
    format: ARCHIVE_NAMES.get(format.name) ?? format.name,
    rows: () => rowsOfAll(sources),
  };
}

async function firstFormat(sources: readonly Source[]): Promise<Format | undefined> {
  for (const source of sources.slice(0, MAX_TRIED)) {
    const format = await formatOf(upToDamage(source, () => undefined));
    if (format !== undefined) {
      return format;
    }
  }
  return undefined;
}

async function* rowsOfAll(sources: readonly Source[]): AsyncGenerator<ImportRow> {
  for (const source of sources) {
    yield* rowsOf(source);
  }
}

async function* rowsOf(archived: Source): AsyncGenerator<ImportRow> {
  let reason: string | undefined;
  let line = 0;
  const source = upToDamage(archived, () => {
    reason = DAMAGED;
  });
  const format = await formatOf(source);
  if (format === undefined) {
    reason ??= UNKNOWN;
  } else {
    for await (const row of format.rows(source)) {
      line = row.place.line;
      yield row;
    }
  }
  if (reason !== undefined) {
    yield refused({ path: source.path, line: line + 1 }, reason);
  }
}
