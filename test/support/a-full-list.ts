import { randomBytes } from 'node:crypto';

import { aVisitor } from './oauth-api.js';
import { shownText } from './page-visitor.js';
import type { ReadingListApi } from './reading-list-api.js';
import type { TestApp } from './test-app.js';

/** `STORAGE_LIMIT` of the services in these tests, in bytes. About 19 items without text fit. */
export const STORAGE_LIMIT = 20_000;

export const FULL =
  'Your list is full: it can store 20 KB. Delete items and empty the trash, or ask your administrator for more.';

/** The same reason, as pages show it. */
export const FULL_ON_PAGES =
  'Your list is full. It can store 20 KB. Delete items and empty the trash, or ask your administrator for more.';

/** Returns random letters that compress to no less than three quarters of their length. */
export const incompressible = (letters: number): string =>
  randomBytes(letters).toString('base64url').slice(0, letters);

/** Saves two pages with notes. Afterwards the list has room for exactly `bytesLeft` more bytes. */
export async function fillUpTo(api: ReadingListApi, bytesLeft: number): Promise<void> {
  const urls = ['https://full.example/1', 'https://full.example/2'];
  const [first = 0, second = 0] = urls.map((url) => 1000 + url.length);
  const notes = [9000, STORAGE_LIMIT - bytesLeft - first - second - 9000];
  const results = await api.results(
    ...urls.map((url) => ({ action: 'add', url })),
    ...urls.map((url, at) => ({ action: 'set_note', url, note: 'n'.repeat(notes[at] ?? 0) })),
  );
  expect(results.map(Boolean)).toEqual([true, true, true, true]);
}

/** Reads the storage usage from the account page. */
export async function shownStorage(app: TestApp, api: ReadingListApi): Promise<string> {
  const visitor = await aVisitor(app, api.user);
  const page = shownText(await visitor.open('/account').expect(200));
  return /Storage: ((?:[\d.,]+ \w+)(?: of [\d.,]+ \w+)?)/.exec(page)?.[1] ?? page;
}

/** Returns everything that is stored for the user, except storage counters. */
export async function storedFor(app: TestApp, api: ReadingListApi): Promise<unknown> {
  const { list } = await api.found({ detailType: 'complete', annotations: 1, state: 'all' });
  const counts = await app.database.query(
    `SELECT (SELECT count(*) FROM sent_pages WHERE user_id = $1) AS sent,
       (SELECT count(*) FROM pages WHERE owner_id = $1) AS pages,
       (SELECT count(*) FROM item_details WHERE user_id = $1) AS details,
       (SELECT stamp FROM lists WHERE user_id = $1) AS version`,
    [api.user.id],
  );
  return { list, counts };
}

/** Fills a list that already has other items. Afterwards it has room for exactly `bytesLeft` more bytes. */
export async function topUpTo(app: TestApp, api: ReadingListApi, bytesLeft: number): Promise<void> {
  // Opening the account page makes the service measure the list.
  await shownStorage(app, api);
  const [{ bytes } = { bytes: 0 }] = await app.database.query<{ bytes: number }>(
    'SELECT stored_bytes::float8 AS bytes FROM lists WHERE user_id = $1',
    [api.user.id],
  );
  const url = 'https://full.example/3';
  const note = 'n'.repeat(STORAGE_LIMIT - bytesLeft - bytes - 1000 - url.length);
  const results = await api.results({ action: 'add', url }, { action: 'set_note', url, note });
  expect(results.map(Boolean)).toEqual([true, true]);
}
