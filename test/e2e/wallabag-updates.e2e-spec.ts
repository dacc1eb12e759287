import { EntryReader } from '../../src/apis/wallabag/entries/entry-reader.service.js';
import { aFetcher } from '../support/a-fetcher.js';
import { ok, PublicHost } from '../support/public-host.js';
import { aTestApp, type TestApp } from '../support/test-app.js';
import { type Entry, WallabagCalls } from '../support/wallabag-calls.js';

const pageOf = (words: string): string =>
  `<html><head><title>${words}</title></head><body><article><p>${`${words} and more of it. `.repeat(40)}</p></article></body></html>`;

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
  host.answer(ok(pageOf('First words')));
});

/** Returns a new URL. */
const aUrl = (): string => host.url('/page', `page${(pages += 1)}.example`);

const entryOf = async (id: number): Promise<Entry> =>
  (await calls.call('patch', `entries/${id}`).expect(200)).body as Entry;

describe('a change', () => {
  it.each([
    ['patch', (id: number) => `entries/${id}`, { title: 'Other' }],
    ['patch', (id: number) => `entries/${id}`, { archive: 1 }],
    ['patch', (id: number) => `entries/${id}`, { starred: 1 }],
    ['patch', (id: number) => `entries/${id}`, { tags: 'x' }],
    ['patch', (id: number) => `entries/${id}`, { content: '<p>Mine</p>' }],
    ['post', (id: number) => `entries/${id}/tags`, { tags: 'x' }],
    ['post', (id: number) => `annotations/${id}`, { quote: 'x' }],
    ['delete', () => 'tag/label', { tag: 'a' }],
  ] as const)('by wallabag is in the next v3 delta: %s (%#)', async (method, path, members) => {
    const { id, updated_at } = await calls.saved({ url: aUrl(), tags: 'a' });
    const { since } = await calls.v3.found();

    await calls.call(method, path(id), members).expect(200);

    expect(await calls.v3.names({ since, state: 'all' })).toEqual(['page']);
    expect(Date.parse((await entryOf(id)).updated_at)).toBeGreaterThan(Date.parse(updated_at));
  });

  it.each([
    { action: 'archive' },
    { action: 'favorite' },
    { action: 'tags_add', tags: 'x' },
    { action: 'tag_rename', old_tag: 'a', new_tag: 'b' },
    { action: 'add_annotation', annotation: { quote: 'x', patch: 'x' } },
  ])('by a v3 client increases updated_at: $action', async (action) => {
    const { id, updated_at } = await calls.saved({ url: aUrl(), tags: 'a' });
    const item_id = (await calls.v3.items())[0]?.item_id;

    expect(await calls.v3.results({ item_id, ...action })).toEqual([true]);

    expect(Date.parse((await entryOf(id)).updated_at)).toBeGreaterThan(Date.parse(updated_at));
  });

  it('of an annotation increases updated_at', async () => {
    const { id } = await calls.saved({ url: aUrl() });
    const { body } = await calls.call('post', `annotations/${id}`, { quote: 'x' }).expect(200);
    const before = await entryOf(id);

    await calls.call('put', `annotations/${body.id}`, { text: 'x' }).expect(200);
    const between = await entryOf(id);
    await calls.call('delete', `annotations/${body.id}`).expect(200);
    const after = await entryOf(id);

    const times = [before, between, after].map((entry) => Date.parse(entry.updated_at));
    expect(times).toEqual([...new Set(times)].sort());
  });
});

describe('a page', () => {
  it('is fetched before the response, and a title from the client is kept', async () => {
    expect(await calls.saved({ url: aUrl() })).toMatchObject({
      ...{ title: 'First words', content: expect.stringContaining('First words and more') },
    });
    expect(await calls.saved({ url: aUrl(), title: 'Mine' })).toMatchObject({
      ...{ title: 'Mine', content: expect.stringContaining('First words and more') },
    });
  });

  it('that cannot be fetched is saved with a note and fetched again by the next save', async () => {
    host.answer(Buffer.from('HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n'));
    const url = aUrl();

    const { id } = await calls.saved({ url });
    expect(await entryOf(id)).toMatchObject({ content: expect.stringContaining('could not') });
    host.answer(ok(pageOf('Second words')));
    await timePasses();

    expect(await calls.saved({ url })).toMatchObject({ id, title: 'Second words' });
  });

  it('whose fetch fails updates the entry for clients that saw it as pending', async () => {
    host.answer(Buffer.from('HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n'));
    const url = aUrl();
    const { body } = await calls.call('post', 'entries/lists', { urls: [url] }).expect(200);
    const before = await entryOf((body as [{ entry: number }])[0].entry);
    const { since } = await calls.v3.found();

    const after = await calls.saved({ url });

    expect([before.content, after.content]).toEqual([
      expect.stringContaining('is being read'),
      expect.stringContaining('could not be read'),
    ]);
    expect(Date.parse(after.updated_at)).toBeGreaterThan(Date.parse(before.updated_at));
    expect(await calls.v3.names({ since, state: 'all' })).toEqual(['page']);
  });

  it('is fetched again by a reload, but not twice in a short time', async () => {
    const { id } = await calls.saved({ url: aUrl() });
    host.answer(ok(pageOf('Second words')));
    const reload = () => calls.call('patch', `entries/${id}/reload`);

    expect((await reload().expect(304)).text).toBe('');
    await timePasses();
    const { body } = await reload().expect(200);

    expect(body).toMatchObject({ id, content: expect.stringContaining('Second words') });
    await reload().expect(304);
  });

  it('is not changed by a reload if the fetch fails or a client has sent the content', async () => {
    const { id, content } = await calls.saved({ url: aUrl() });
    const sent = await calls.saved({ url: aUrl(), content: '<p>Of a client</p>' });
    await calls.call('patch', `entries/${sent.id}/reload`).expect(304);
    host.answer(Buffer.from('HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n'));
    await timePasses();

    await calls.call('patch', `entries/${id}/reload`).expect(304);

    expect((await entryOf(id)).content).toBe(content);
    expect((await entryOf(sent.id)).content).toContain('Of a client');
  });
});

it('an entry whose page is fetched during the request is not shown as failed', async () => {
  const reader = app.app.get(EntryReader, { strict: false });
  const user = {
    ...{ name: 'Ada', email: '' },
    id: Number(calls.v3.user.id),
    createdAt: new Date(),
  };
  const { id } = await calls.saved({ url: aUrl() });
  const read = (await reader.byNumber(String(user.id), id))!;

  const entry = await reader.presentOne(user, { ...read, resolved_id: '0', excerpt: '' }, 'full');

  expect(entry.content).toBe('<p>This page is being read.</p>');
});

/** Moves all fetches and retries two hours into the past. */
const timePasses = (): Promise<unknown> =>
  app.database.query(
    `UPDATE pages SET fetched_at = fetched_at - interval '2 hours', retry_at = retry_at - interval '2 hours'`,
  );
