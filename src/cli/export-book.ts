import type { FileHandle } from 'node:fs/promises';
import process from 'node:process';
import { pipeline } from 'node:stream/promises';

import type { INestApplicationContext } from '@nestjs/common';
import { InvalidArgumentError, Option } from 'commander';

import { EpubService } from '../articles/epub/epub.service.js';
import { UserAdministrationService } from '../auth/user-administration.service.js';
import { defined } from '../lib/util/defined.js';
import { Unreadable } from '../pocket-api/param-readers.js';
import { ListReader } from '../reading-list/get/list-reader.js';
import { readTagFilter } from '../reading-list/list-param-readers.js';
import type { ItemFilter } from '../reading-list/query/items-wanted.js';
import { STANDARD_OUTPUT, tell } from './terminal.js';
import { writeWholeFile } from './whole-file.js';

/** The format name of an EPUB book for e-readers. Satchel can export this format but not import it. */
export const BOOK = 'epub';

const STATES = {
  unread: { state: 'unread' },
  archive: { state: 'archive' },
  favorites: { favorite: true },
  all: {},
} as const;

/** The options of `satchel export` that select the user and the articles of a book. */
export interface BookGiven {
  readonly user: string;
  readonly state?: keyof typeof STATES;
  readonly tag?: NonNullable<ItemFilter['tag']>;
  readonly force?: true;
}

export const STATE_OPTION = new Option('--state <state>', 'in epub: which items').choices(
  Object.keys(STATES),
);

export const TAG_OPTION = new Option(
  '--tag <tag>',
  'in epub: items with the tag, or _untagged_',
).argParser(tagFilter);

/**
 * Writes an EPUB book with a user's unread or selected articles, newest first.
 *
 * @throws UserNotFoundError if no user has this email address.
 */
export async function exportBook(
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
    // The file is not written through a stream: a write stream that leaves the file open never reports its end.
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
