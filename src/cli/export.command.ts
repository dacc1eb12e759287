import type { FileHandle } from 'node:fs/promises';
import process from 'node:process';
import { pipeline } from 'node:stream/promises';

import type { INestApplicationContext } from '@nestjs/common';
import { Command, InvalidArgumentError, Option } from 'commander';

import { EpubService } from '../articles/epub/epub.service.js';
import { UserAdministrationService } from '../auth/user-administration.service.js';
import {
  EXPORT_FORMATS,
  type ExportFormatName,
  type ExportOptions,
} from '../lib/library-formats/writing/export-formats.js';
import { defined } from '../lib/util/defined.js';
import { writeWholeFile } from '../lib/util/whole-file.js';
import { Unreadable } from '../pocket-api/param-readers.js';
import { ListReader } from '../reading-list/get/list-reader.js';
import { readTagFilter } from '../reading-list/list-param-readers.js';
import type { ItemFilter } from '../reading-list/query/items-wanted.js';
import { Snapshots } from '../reading-list/snapshots/snapshots.service.js';
import { ExportService } from '../transfer/export/export.service.js';
import { withServices } from './services.js';
import { STANDARD_OUTPUT, tell, UsageError } from './terminal.js';

/** The name of the EPUB format, which Satchel can export but not import. */
const BOOK = 'epub';

const STATES = {
  unread: { state: 'unread' },
  archive: { state: 'archive' },
  favorites: { favorite: true },
  all: {},
} as const;

/** The command line options for an EPUB book: the user, and the articles to include. */
interface BookGiven {
  readonly user: string;
  readonly state?: keyof typeof STATES;
  readonly tag?: NonNullable<ItemFilter['tag']>;
  readonly force?: true;
}

const STATE_OPTION = new Option('--state <state>', 'in epub: which items').choices(
  Object.keys(STATES),
);

const TAG_OPTION = new Option(
  '--tag <tag>',
  'in epub: items with the tag, or _untagged_',
).argParser(tagFilter);

interface Given extends BookGiven {
  readonly format: ExportFormatName | typeof BOOK;
  readonly articles?: true;
}

interface Export extends ExportOptions {
  readonly email: string;
  readonly format: ExportFormatName;
  readonly path: string;
  readonly force: boolean;
}

export function exportCommand(): Command {
  return new Command('export')
    .description(
      'write the library of a person to a file, which must be new, or to standard output',
    )
    .argument('[file]', 'where to; - is standard output', STANDARD_OUTPUT)
    .requiredOption('--user <email>', 'whose library')
    .addOption(
      new Option('--format <format>')
        .choices([...Object.keys(EXPORT_FORMATS), BOOK])
        .default('jsonl'),
    )
    .option('--articles', 'with the texts of articles, in jsonl; zip always has them')
    .addOption(STATE_OPTION)
    .addOption(TAG_OPTION)
    .option('--force', 'replace a file that is there')
    .action(run);
}

async function run(path: string, given: Given): Promise<void> {
  const { user, format, articles, force } = given;
  refuseTerminal(path, format);
  if (format === BOOK) {
    await withServices((services) => exportBook(services, path, given));
    return;
  }
  if (given.state !== undefined || given.tag !== undefined) {
    throw new UsageError('--state and --tag choose the articles of an epub');
  }
  const wanted = { email: user, format, withArticles: articles === true, path };
  await withServices((services) => exportLibrary(services, { ...wanted, force: force === true }));
}

function refuseTerminal(path: string, format: Given['format']): void {
  const isArchive = format === 'pocket-csv' || format === 'zip' || format === BOOK;
  if (path === STANDARD_OUTPUT && process.stdout.isTTY && isArchive) {
    throw new UsageError('a ZIP archive is nothing for a terminal: name a file');
  }
}

/**
 * Exports a user's library to a file. A failed export leaves no partial file.
 *
 * @throws UserNotFoundError if no user has this email address.
 */
export async function exportLibrary(
  services: INestApplicationContext,
  { email, format, withArticles, path, force }: Export,
): Promise<void> {
  const { id: userId } = await services.get(UserAdministrationService).find(email);
  const wanted = { userId, format, withArticles };
  const exports = services.get(ExportService);
  if (path === STANDARD_OUTPUT) {
    // Writes to a temporary file first. Otherwise, a slow reader of standard output would keep the
    // database snapshot open.
    await exports.download(wanted, new AbortController().signal, ({ content }) =>
      pipeline(content, process.stdout, { end: false }),
    );
  } else {
    await writeWholeFile(path, { force }, (file) => exports.write(wanted, file));
    tell(`wrote ${path}`);
  }
  if (format !== 'zip') {
    await reportSnapshots(services.get(Snapshots), userId);
  }
}

async function reportSnapshots(snapshots: Snapshots, userId: string): Promise<void> {
  const count = await snapshots.count(userId);
  if (count > 0) {
    tell(`the export does not contain the snapshots (${count}): download them at /snapshots`);
  }
}

/**
 * Writes an EPUB book with a user's unread or selected articles, newest first.
 *
 * @throws UserNotFoundError if no user has this email address.
 */
async function exportBook(
  services: INestApplicationContext,
  path: string,
  { user, state = 'unread', tag, force }: BookGiven,
): Promise<void> {
  const { id: userId } = await services.get(UserAdministrationService).find(user);
  const filter = { ...STATES[state], ...defined({ tag }) };
  const lists = services.get(ListReader, { strict: false });
  const rows = lists.rows(userId, { filter, order: 'newest' });
  const title = state === 'all' ? 'Satchel' : `Satchel: ${state}`;
  const book = services.get(EpubService, { strict: false }).stream(userId, rows, { title });
  if (path === STANDARD_OUTPUT) {
    await pipeline(book, process.stdout, { end: false });
    return;
  }
  await writeWholeFile(path, { force: force === true }, (file) =>
    // Uses no write stream, because a stream that leaves the file open never reports its end.
    writeAll(file, book),
  );
  tell(`wrote ${path}`);
}

async function writeAll(file: FileHandle, pieces: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const piece of pieces) {
    await file.appendFile(piece);
  }
}

function tagFilter(text: string): NonNullable<ItemFilter['tag']> {
  const filter = readTagFilter(text);
  if (filter instanceof Unreadable) {
    throw new InvalidArgumentError(`It ${filter.reason}.`);
  }
  return filter;
}
