import { randomBytes } from 'node:crypto';

import { aVisitor } from './oauth-api.js';
import { shownText } from './page-visitor.js';
import type { ReadingListApi } from './reading-list-api.js';
import type { TestApp } from './test-app.js';

/** Of the services that these tests start: some 19 items without texts. */
export const STORAGE_LIMIT = 20_000;

export const FULL =
  'Your list is full: it can store 20 KB. Delete items, or ask your administrator for more.';

/** Letters that no compression makes shorter than three quarters of their number. */
export const incompressible = (letters: number): string =>
  randomBytes(letters).toString('base64url').slice(0, letters);

/** Saves two pages with notes, so that the list has room for so many bytes more. */
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

/** The storage that the account page shows. */
export async function shownStorage(app: TestApp, api: ReadingListApi): Promise<string> {
  const visitor = await aVisitor(app, api.user);
  const page = shownText(await visitor.open('/account').expect(200));
  return /Storage: ((?:[\d.,]+ \w+)(?: of [\d.,]+ \w+)?)/.exec(page)?.[1] ?? page;
}

/** All that is stored for the user, but for what counts it. */
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

/** Fills a list that has other items too, so that it has room for so many bytes more. */
export async function topUpTo(app: TestApp, api: ReadingListApi, bytesLeft: number): Promise<void> {
  // Has the list measured.
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
