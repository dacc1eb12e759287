import type { ImportRow } from '../import-row.js';
import { UnknownFormatError } from '../transfer.errors.js';
import type { Format } from './format.js';
import { formatOf } from './formats.js';
import type { ReadableFile } from './readable-file.js';
import type { Source } from './source.js';
import { refused } from './values/item-from.js';
import { archiveSources } from './zip/archive.js';
import { upToDamage } from './zip/up-to-damage.js';

/** What is called otherwise when it lies in an archive. */
const ARCHIVE_NAMES = new Map([['pocket-csv', 'pocket-zip']]);
/** An archive with more files before its first export is none. */
const MAX_TRIED = 1_000;

const UNKNOWN = 'This file of the archive is in no format that can be imported.';
const DAMAGED = 'The archive is damaged here: the rest of this file cannot be read.';

/** A ZIP, of whose files each may be in a format of its own. */
export async function readArchive(path: string): Promise<ReadableFile> {
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
