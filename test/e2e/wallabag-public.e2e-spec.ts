import { aFetcher } from '../support/a-fetcher.js';
import { until } from '../support/processes.js';
import { ok, PublicHost } from '../support/public-host.js';
import { aTestApp, type TestApp } from '../support/test-app.js';
import { WallabagCalls } from '../support/wallabag-calls.js';
import { strictEntry, strictList } from '../support/wallabag-entry.js';

const PAGE = '<title>Fetched</title><article><p>Words of the page.</p></article>';

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
  host.answer(ok(PAGE));
});

/** Returns a new URL. */
const aUrl = (): string => host.url('/page', `filtered${(pages += 1)}.example`);

const entryOf = async (id: number): Promise<ReturnType<typeof strictEntry>> =>
  strictEntry((await calls.call('get', `entries/${id}`).expect(200)).body);

/** Saves an entry and waits until its page is fetched. */
async function fetched(members: Record<string, unknown>): Promise<ReturnType<typeof strictEntry>> {
  const { id } = await calls.saved(members);
  await until(async () => (await entryOf(id)).http_status !== null);
  return entryOf(id);
}

const listOf = async (query: Record<string, unknown>): Promise<number[]> =>
  strictList((await calls.call('get', 'entries', query, 'query').expect(200)).body).items.map(
    ({ id }) => id,
  );

/** Moves all fetches and retries two hours into the past. */
const timePasses = (): Promise<unknown> =>
  app.database.query(
    `UPDATE pages SET fetched_at = fetched_at - interval '2 hours', retry_at = retry_at - interval '2 hours'`,
  );

describe('a public entry', () => {
  it('has a uid until it is private again, and a public page', async () => {
    const { id } = await calls.saved({ url: aUrl() });
    const other = await calls.saved({ url: aUrl(), public: 1 }).then(strictEntry);
    expect(await entryOf(id)).toMatchObject({ is_public: false, uid: null });

    await calls.call('patch', `entries/${id}`, { public: 1 }).expect(200);
    const first = await entryOf(id);
    await calls.call('patch', `entries/${id}`, { public: true, title: 'Other' }).expect(200);
    const kept = await entryOf(id);
    await calls.call('patch', `entries/${id}`, { public: 0 }).expect(200);
    const ended = await entryOf(id);
    await calls.call('patch', `entries/${id}`, { public: 1 }).expect(200);
    const anew = await entryOf(id);

    expect(first).toMatchObject({ is_public: true, uid: expect.stringMatching(/^[\w-]{56}$/) });
    expect(kept.uid).toBe(first.uid);
    expect(ended).toMatchObject({ is_public: false, uid: null });
    expect(new Set([first.uid, anew.uid, other.uid]).size).toBe(3);
    const [ended404, shared] = await Promise.all(
      [first, anew].map(({ uid }) => fetch(`${app.url}/wallabag/share/${String(uid)}`)),
    );
    expect(ended404?.status).toBe(404);
    expect(shared).toMatchObject({ status: 200, url: `${app.url}/shared/${String(anew.uid)}` });
    expect(anew.updated_at >= first.updated_at).toBe(true);
  });

  it('is private after its link has expired', async () => {
    const { id } = await calls.saved({ url: aUrl(), public: 1 });

    await app.database.query(`UPDATE shared_items SET expires_at = now() - interval '1 second'`);

    expect(await entryOf(id)).toMatchObject({ is_public: false, uid: null });
    expect(await listOf({ public: 1 })).toEqual([]);
    expect(await listOf({ public: 0 })).toEqual([id]);
  });

  it('is found by the filter public, also together with other filters', async () => {
    const url = aUrl();
    const plain = await calls.saved({ url, tags: 'a' });
    const one = await calls.saved({ url: aUrl(), public: 1, tags: 'a', archive: 1 });
    const two = await calls.saved({ url: aUrl(), public: 1 });
    const ended = await calls.saved({ url: aUrl(), public: 1 });
    await calls.call('patch', `entries/${ended.id}`, { public: 0 }).expect(200);
    await WallabagCalls.of(app).then((other) => other.saved({ url, public: 1 }));

    expect(await listOf({ public: 1, order: 'asc' })).toEqual([one.id, two.id]);
    expect(await listOf({ public: 0, order: 'asc' })).toEqual([plain.id, ended.id]);
    expect(await listOf({ public: 1, tags: 'a' })).toEqual([one.id]);
    expect(await listOf({ public: 0, tags: 'a' })).toEqual([plain.id]);
    expect(await listOf({ public: 1, archive: 0, sort: 'updated' })).toEqual([two.id]);
    const paged = await calls
      .call('get', 'entries', { public: 1, perPage: 1, page: 2 }, 'query')
      .expect(200);
    expect(strictList(paged.body)).toMatchObject({ total: 2, pages: 2, items: [{ id: one.id }] });
    await calls.call('post', 'entries', { url: aUrl(), public: 'perhaps' }).expect(400);
  });
});

describe('the field http_status of an entry', () => {
  it.each([403, 404, 410, 451, 500, 503])(
    'is returned after a fetch that ended with %i',
    async (status) => {
      host.answer(statusOnly(status));

      const { id } = await fetched({ url: aUrl() });

      expect(await entryOf(id)).toMatchObject({ http_status: String(status), headers: null });
      expect(await listOf({ http_status: status })).toEqual([id]);
      expect(await listOf({ http_status: 200 })).toEqual([]);
      expect(await listOf({ notParsed: 1 })).toEqual([id]);
    },
  );

  it('is updated by the next fetch', async () => {
    host.answer(statusOnly(403));
    const url = aUrl();
    const { id } = await fetched({ url });
    host.answer(ok(PAGE));
    await timePasses();

    await calls.saved({ url });
    await until(async () => (await entryOf(id)).http_status === '200');

    expect(await entryOf(id)).toMatchObject({ http_status: '200', title: 'Fetched' });
    expect(await listOf({ http_status: 403 })).toEqual([]);
    expect(await listOf({ http_status: 200 })).toEqual([id]);
  });
});
