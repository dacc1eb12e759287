import { DeletionsService } from '../../src/reading-list/deletions/deletions.service.js';
import { aFetcher } from '../support/a-fetcher.js';
import { exportCall } from '../support/export-call.js';
import { ImportApi } from '../support/import-api.js';
import { until } from '../support/processes.js';
import { ok, PublicHost } from '../support/public-host.js';
import { aTestApp, type TestApp } from '../support/test-app.js';
import { type Entry, WallabagCalls, WAYS } from '../support/wallabag-calls.js';
import { strictEntry } from '../support/wallabag-entry.js';

const SAID = {
  origin_url: 'https://news.example/today',
  published_at: '2020-02-03T04:05:06+0100',
  authors: 'Ada Lovelace, Grace Hopper',
  language: 'de-AT',
  preview_picture: 'https://pictures.example/mine.png',
};
const SHOWN = {
  origin_url: 'https://news.example/today',
  published_at: '2020-02-03T03:05:06+0000',
  published_by: ['Ada Lovelace', 'Grace Hopper'],
  language: 'de_AT',
  preview_picture: 'https://pictures.example/mine.png',
};
const UNSAID = {
  origin_url: null,
  published_at: null,
  published_by: null,
  language: null,
  preview_picture: null,
};

/** A page with its own metadata, which differs from the entry's. */
const pageOf = (words: string): string =>
  `<html lang="fr"><head><title>${words}</title><meta property="og:image" content="https://pictures.example/theirs.png">
   <meta property="article:published_time" content="2001-01-01T00:00:00Z"><meta name="author" content="Somebody Else"></head>
   <body><article><p>${`${words} et encore des mots. `.repeat(40)}</p></article></body></html>`;

const statusOnly = (status: number): Buffer =>
  Buffer.from(`HTTP/1.1 ${status} Status\r\ncontent-length: 0\r\n\r\n`);

let host: PublicHost;
let app: TestApp;
let calls: WallabagCalls;
let pages = 0;

beforeAll(async () => {
  host = await PublicHost.start();
  app = await aTestApp({ config: { resolveWaitMs: 60_000 }, fetcher: aFetcher(host) });
});
afterAll(async () => {
  await app.close();
  await host.stop();
});
beforeEach(async () => {
  calls = await WallabagCalls.of(app);
  host.answer(ok(pageOf('Premier')));
});

/** Returns a new URL. */
const aUrl = (): string => host.url('/page', `details${(pages += 1)}.example`);

const entryOf = async (id: number): Promise<ReturnType<typeof strictEntry>> =>
  strictEntry((await calls.call('get', `entries/${id}`).expect(200)).body);

/** Saves an entry and waits until its page is fetched. */
async function fetched(members: Record<string, unknown>): Promise<ReturnType<typeof strictEntry>> {
  const { id } = await calls.saved(members);
  await until(async () => (await entryOf(id)).http_status !== null);
  return entryOf(id);
}

/** Moves all fetches and retries two hours into the past. */
const timePasses = (): Promise<unknown> =>
  app.database.query(
    `UPDATE pages SET fetched_at = fetched_at - interval '2 hours', retry_at = retry_at - interval '2 hours'`,
  );

describe('details of a page that a client sends', () => {
  it.each(WAYS)('win over the page when the entry is saved (%s)', async (way) => {
    const members = { url: aUrl(), ...SAID };

    const { body } = await calls.call('post', 'entries', members, way).expect(200);

    expect(strictEntry(body)).toMatchObject(SHOWN);
    await until(async () => (await entryOf((body as Entry).id)).http_status !== null);
    expect(await entryOf((body as Entry).id)).toMatchObject({ title: 'Premier', ...SHOWN });
    const [item] = await calls.v3.items({ detailType: 'complete' });
    expect(item).toMatchObject({ lang: 'de-AT', top_image_url: SAID.preview_picture });
    expect(Object.values(item?.authors ?? {}).map(({ name }) => name)).toEqual(SHOWN.published_by);
  });

  it.each(WAYS)('win over the page when the entry is changed (%s)', async (way) => {
    const { id, updated_at } = await fetched({ url: aUrl() });
    const { since } = await calls.v3.found();
    const before = await entryOf(id);
    expect(before).toMatchObject({ published_by: ['Somebody Else'], language: 'fr' });

    const { body } = await calls.call('patch', `entries/${id}`, SAID, way).expect(200);

    expect(strictEntry(body)).toMatchObject(SHOWN);
    expect(Date.parse((body as Entry).updated_at)).toBeGreaterThan(Date.parse(updated_at));
    expect(await calls.v3.items({ since, state: 'all' })).toHaveLength(1);
  });

  it('are kept when the page is fetched again and when the client sends content', async () => {
    const { id } = await fetched({ url: aUrl(), ...SAID });
    host.answer(ok(pageOf('Second')));
    await timePasses();

    await calls.call('patch', `entries/${id}/reload`).expect(200);
    expect(await entryOf(id)).toMatchObject({ title: 'Second', ...SHOWN });
    await calls.call('patch', `entries/${id}`, { content: '<p>Mine</p>' }).expect(200);

    expect(await entryOf(id)).toMatchObject({ ...SHOWN, content: '<p>Mine</p>' });
  });

  it('can be changed one by one, and blank values are ignored', async () => {
    const { id } = await calls.saved({ url: aUrl(), ...SAID });

    const blank = { origin_url: '', published_at: null, authors: ' ', language: '' };
    await calls.call('patch', `entries/${id}`, { ...blank, authors: 'Radia Perlman' }).expect(200);

    expect(await entryOf(id)).toMatchObject({ ...SHOWN, published_by: ['Radia Perlman'] });
  });

  it.each([
    [1_580_699_106, '2020-02-03T03:05:06+0000'],
    ['1580699106', '2020-02-03T03:05:06+0000'],
    [-86_400, '1969-12-31T00:00:00+0000'],
    ['2020-02-03', '2020-02-03T00:00:00+0000'],
    ['2020-02-03 04:05:06', '2020-02-03T04:05:06+0000'],
    ['Mon, 03 Feb 2020 03:05:06 GMT', '2020-02-03T03:05:06+0000'],
  ])('accept the publication time %j', async (published_at, shown) => {
    const { id } = await calls.saved({ url: aUrl(), published_at });

    expect((await entryOf(id)).published_at).toBe(shown);
  });

  it.each([
    { origin_url: 'javascript:alert(1)', preview_picture: 'javascript:alert(1)' },
    { origin_url: `https://example.com/${'a'.repeat(4096)}`, preview_picture: 'not a URL' },
    { published_at: 'soon', language: 'no language', authors: ' , ,' },
    { published_at: '9'.repeat(30), language: 'x'.repeat(6000), authors: { a: 1 } },
    { published_at: 0, language: { a: 1 }, preview_picture: ['a', 'b'] },
    { published_at: '2020-13-45', language: 'de_AT_', authors: '\u2028' },
  ])('are ignored if they are invalid (%#)', async (members) => {
    host.answer(statusOnly(404));

    const { id } = await calls.saved({ url: aUrl(), ...members });

    expect(await entryOf(id)).toMatchObject(UNSAID);
  });

  it('are not shown to another user who saves the same page', async () => {
    const url = aUrl();
    await fetched({ url, ...SAID, public: 1 });
    const other = await WallabagCalls.of(app);

    const { body } = await other.call('post', 'entries', { url }).expect(200);

    expect(strictEntry(body)).toMatchObject({
      ...{ origin_url: null, published_by: ['Somebody Else'], language: 'fr', uid: null },
      ...{ preview_picture: 'https://pictures.example/theirs.png', is_public: false },
    });
  });

  it('are deleted with the item, and restored when the deletion in the reader is undone', async () => {
    const read = await fetched({ url: aUrl(), ...SAID, public: 1 });
    host.answer(statusOnly(404));
    const unread = await fetched({ url: aUrl(), ...SAID });
    const before = [await entryOf(read.id), await entryOf(unread.id)];
    const itemIds = (await calls.v3.items({ sort: 'oldest' })).map(({ item_id: id }) => id);

    const deletions = app.app.get(DeletionsService, { strict: false });
    await deletions.delete(calls.v3.user.id, itemIds);
    expect(
      await app.database.query('SELECT FROM item_details WHERE user_id = $1', [calls.v3.user.id]),
    ).toEqual([]);
    await deletions.undo(calls.v3.user.id, itemIds);

    const after = [await entryOf(read.id), await entryOf(unread.id)];
    const anyText = expect.any(String) as string;
    // The page that could not be fetched is requested again.
    expect(after).toEqual([
      { ...before[0], updated_at: anyText, is_public: false, uid: null },
      { ...before[1], updated_at: anyText, content: anyText },
    ]);
    expect(before[0]?.uid).toMatch(/^[\w-]{56}$/);
  });

  it('are deleted when the entry is deleted and saved again', async () => {
    const url = aUrl();
    const { id } = await fetched({ url, ...SAID, public: 1 });
    await calls.call('delete', `entries/${id}`).expect(200);

    const again = await calls.saved({ url });

    expect(again).toMatchObject({ origin_url: null, uid: null, published_by: ['Somebody Else'] });
  });
});

describe('details in an export of Satchel', () => {
  it('are imported into another list, without the public link', async () => {
    const url = aUrl();
    const { uid } = await fetched({ url, ...SAID, public: 1 });
    await calls.saved({ url: aUrl() });
    const { body } = await exportCall(app, calls.v3, { format: 'jsonl' }).expect(200);
    const file = (body as Buffer).toString();
    const rows = file
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { details?: unknown });
    const other = await WallabagCalls.of(app);
    const imports = new ImportApi(app, other.v3);

    const first = await imports.imported(file);
    const again = await imports.imported(file);

    expect(rows.map(({ details }) => details)).toEqual([
      undefined,
      {
        ...{ origin_url: SAID.origin_url, published_at: 1_580_699_106, language: 'de-AT' },
        ...{ authors: SHOWN.published_by, preview_picture: SAID.preview_picture },
      },
      undefined,
    ]);
    expect(file).not.toContain(uid);
    expect([first.added, first.incomplete, again.unchanged]).toEqual([2, 0, 2]);
    const entry = strictEntry((await other.call('post', 'entries', { url }).expect(200)).body);
    expect(entry).toMatchObject({ ...SHOWN, is_public: false, uid: null });
  });

  it('are added to an imported item only if no earlier file contained them', async () => {
    const row = { url: aUrl(), time_added: 1_600_000_000, status: 'unread' };
    const fileOf = (details: object): string =>
      ['{"satchel":1}', JSON.stringify({ ...row, details })].join('\n');
    const imports = new ImportApi(app, calls.v3);

    await imports.imported(fileOf({ language: 'it' }));
    await imports.imported(fileOf({ language: 'es', authors: ['Ada'] }));

    expect(await entryOf(1)).toMatchObject({ language: 'it', published_by: ['Ada'] });
  });

  it('do not replace details that a client has sent', async () => {
    const url = aUrl();
    await calls.saved({ url, language: 'it', origin_url: 'https://mine.example/' });
    const row = {
      ...{ url, time_added: 1_600_000_000, status: 'unread' },
      details: { language: 'es', authors: ['Ada'], published_at: 'never', origin_url: 7 },
    };
    const file = ['{"satchel":1}', JSON.stringify(row)].join('\n');
    const fresh = await WallabagCalls.of(app);

    const mine = await new ImportApi(app, calls.v3).imported(file);
    const theirs = await new ImportApi(app, fresh.v3).imported(file);

    expect([mine.unchanged, mine.incomplete]).toEqual([1, 1]);
    expect([theirs.added, theirs.incomplete]).toEqual([1, 1]);
    expect(await entryOf(1)).toMatchObject({ language: 'it', origin_url: 'https://mine.example/' });
    const { body } = await fresh.call('get', 'entries/1').expect(200);
    expect(body).toMatchObject({ language: 'es', published_by: ['Ada'], origin_url: null });
  });
});
