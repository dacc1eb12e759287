import { aFetcher } from '../support/a-fetcher.js';
import { until, Workplace } from '../support/processes.js';
import { ok, PublicHost } from '../support/public-host.js';
import { ReadingListApi } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

const MODIFIED = 'Last-Modified: Sun, 01 Mar 2026 10:00:00 GMT';
const page = (title: string): string => `<title>${title}</title><p>Words of ${title}.`;

let host: PublicHost;
let app: TestApp;
let api: ReadingListApi;
let workplace: Workplace;
let pages = 0;

beforeAll(async () => {
  host = await PublicHost.start();
  app = await aTestApp({
    config: { resolverConcurrency: 2, resolveWaitMs: 60_000 },
    fetcher: aFetcher(host),
  });
  workplace = new Workplace();
});
afterAll(async () => {
  workplace.remove();
  await app.close();
  await host.stop();
});
// The commands affect all pages in the database.
beforeEach(async () => {
  await app.database.query('DELETE FROM users; DELETE FROM pages');
  api = await ReadingListApi.of(app);
});

const resolve = (...words: string[]) =>
  workplace.runHere(['resolve', ...words], { variables: { DATABASE_URL: app.database.url } });
const status = async (): Promise<object> =>
  JSON.parse((await resolve('status', '--json')).stdout) as object;
const aUrl = (): string => host.url('/', `page${(pages += 1)}.example`);
const nobodyWaits = async (): Promise<boolean> =>
  (await app.database.query('SELECT FROM page_requests')).length === 0;

describe('satchel resolve status', () => {
  it('prints the page counts as a table, or as an object with --json', async () => {
    host.answer(ok(page('One')), 'HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n');
    await api.saved(aUrl());
    await api.saved(aUrl());

    const { code, stdout, stderr } = await resolve('status');

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/read +1\b[^]*given up +1\b[^]*failed: status 404 +1\b/);
    expect(await status()).toEqual({
      ...{ read: 1, waiting: 0, reading: 0, postponed: 0, givenUp: 1 },
      failures: [{ reason: 'status 404', pages: 1 }],
    });
  });
});

describe('satchel resolve retry', () => {
  it('fetches only the failed pages again', async () => {
    host.answer(ok(page('One')), 'HTTP/1.1 410 Gone\r\nContent-Length: 0\r\n\r\n');
    await api.saved(aUrl());
    await api.saved(aUrl());
    const { since } = await api.found();
    host.answer(ok(page('Two')));

    const { code, stdout, stderr } = await resolve('retry');
    await until(nobodyWaits);

    expect({ code, stdout, stderr }).toEqual({
      ...{ code: 0, stdout: '' },
      stderr: '1 items wait for their pages\n',
    });
    expect(host.heads).toHaveLength(1);
    expect(await api.items({ since })).toMatchObject([{ resolved_title: 'Two' }]);
    expect(await status()).toMatchObject({ read: 2, givenUp: 0, failures: [] });
  });
});

describe('satchel resolve refresh', () => {
  it('sends a conditional request and changes nothing if the page has not changed', async () => {
    host.answer(ok(page('One'), 'ETag: "one"', MODIFIED));
    await api.saved(aUrl());
    const { since } = await api.found();
    host.answer('HTTP/1.1 304 Not Modified\r\nETag: "one"\r\n\r\n');

    const { code, stderr } = await resolve('refresh');
    await until(nobodyWaits);

    expect({ code, stderr }).toEqual({ code: 0, stderr: '1 items wait for their pages\n' });
    expect(host.heads).toHaveLength(1);
    expect(host.heads[0]).toMatch(/^if-none-match: "one"\r$/m);
    expect(host.heads[0]).toMatch(/^if-modified-since: Sun, 01 Mar 2026 10:00:00 GMT\r$/m);
    expect((await api.found({ since })).list).toEqual({});
    expect(await api.items()).toMatchObject([{ resolved_title: 'One' }]);
  });

  it('reports a changed page to clients through since, and keeps the tags and status of the item', async () => {
    host.answer(ok(page('One'), 'ETag: "one"'));
    const itemId = await api.saved(aUrl(), { tags: 'mine' });
    await api.sent({ action: 'archive', item_id: itemId });
    const { since } = await api.found();
    host.answer(ok(page('Another one'), 'ETag: "two"'));

    await resolve('refresh');
    await until(nobodyWaits);

    expect(await api.items({ since, detailType: 'complete' })).toMatchObject([
      { item_id: itemId, resolved_title: 'Another one', status: '1', tags: { mine: {} } },
    ]);
    host.answer('HTTP/1.1 304 Not Modified\r\n\r\n');
    await resolve('refresh');
    await until(nobodyWaits);
    expect(host.heads[0]).toMatch(/^if-none-match: "two"\r$/m);
  });

  it('keeps the data of a page that no longer exists', async () => {
    host.answer(ok(page('One')));
    await api.saved(aUrl());
    host.answer('HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n');

    await resolve('refresh');
    await until(nobodyWaits);

    expect(await api.items()).toMatchObject([{ resolved_title: 'One' }]);
    expect(await status()).toMatchObject({ read: 1, failures: [{ reason: 'status 404' }] });
  });
});

describe('satchel resolve', () => {
  it('names an unknown command in the error', async () => {
    const { code, stderr } = await resolve('everything');

    expect(code).toBe(2);
    expect(stderr).toContain('everything');
  });
});
