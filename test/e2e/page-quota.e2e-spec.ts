import { aFetcher } from '../support/a-fetcher.js';
import { timePasses } from '../support/page-times.js';
import { until } from '../support/processes.js';
import { ok, PublicHost } from '../support/public-host.js';
import { ReadingListApi } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

const PER_HOUR = 2;

let host: PublicHost;
let app: TestApp;

const addressesOf = (requests: readonly string[]): string[] =>
  requests.map((head) => head.split(' ')[1] ?? '');

beforeAll(async () => {
  host = await PublicHost.start();
  app = await aTestApp({
    config: { resolverConcurrency: 2, resolverPagesPerHour: PER_HOUR },
    fetcher: aFetcher(host),
  });
});
beforeEach(() => {
  host.answer(ok('<title>A page</title><p>Words.'));
});
afterAll(async () => {
  await app.close();
  await host.stop();
});

const urls = (count: number, name: string): string[] =>
  Array.from({ length: count }, (_, n) => host.url(`/${name}${n + 1}`));

const adds = (addresses: readonly string[]): object[] =>
  addresses.map((url) => ({ action: 'add', url }));

/** Waits until this many items have a fetched page. The others have none. */
async function resolved(api: ReadingListApi, count: number): Promise<void> {
  const read = async (): Promise<number> =>
    (await api.items()).filter(({ resolved_id: id }) => id !== '0').length;
  await until(async () => (await read()) >= count);
  expect(await read()).toBe(count);
}

/** Returns the number of queued requests. None of them may be fetched yet. */
async function postponed(): Promise<number> {
  const rows = await app.database.query<{ is_later: boolean }>(
    'SELECT retry_at > now() AS is_later FROM page_requests WHERE page_id IS NULL',
  );
  expect(rows.every(({ is_later: isLater }) => isLater)).toBe(true);
  return rows.length;
}

describe('the pages of a user', () => {
  it('are fetched up to the hourly quota, and the others in later hours', async () => {
    const [many, other] = [await ReadingListApi.of(app), await ReadingListApi.of(app)];

    expect(await many.results(...adds(urls(5, 'many')))).toEqual(Array(5).fill(true));
    await other.results(...adds(urls(1, 'other')));
    await resolved(many, PER_HOUR);
    await resolved(other, 1);
    expect(await postponed()).toBe(3);

    await timePasses(app.database, '1 hour');
    await resolved(many, 2 * PER_HOUR);
    expect(await postponed()).toBe(1);

    await many.results(...adds(urls(6, 'many')));
    await timePasses(app.database, '1 hour');
    await resolved(many, 3 * PER_HOUR);
    expect(addressesOf(host.heads).toSorted()).toEqual(
      [...urls(6, 'many'), ...urls(1, 'other')].map((url) => new URL(url).pathname).toSorted(),
    );
  });

  it('count toward the quota of the hour even if their items were deleted', async () => {
    const api = await ReadingListApi.of(app);
    const [kept = '', later = '', last = '', ...deleted] = urls(6, 'again');

    for (const url of deleted) {
      await api.results({ action: 'add', url });
      await api.results({ action: 'delete', url });
    }
    await api.results(...adds([kept]));
    expect(await postponed()).toBe(1);
    await timePasses(app.database, '3 hours');
    await resolved(api, 1);
    await api.results(...adds([later, last]));
    await resolved(api, 3);
  });

  it('are not fetched over the quota by /v3/add, which does not wait for them', async () => {
    const beside = await aTestApp({
      config: { resolverConcurrency: 2, resolverPagesPerHour: 1, resolveWaitMs: 60_000 },
      fetcher: aFetcher(host),
    });
    const api = await ReadingListApi.of(beside);
    const [first = '', second = ''] = urls(2, 'add');

    const read = await api.add({ url: first }).expect(200);
    const unread = await api.add({ url: second }).expect(200);
    await beside.close();

    expect(read.body.item.resolved_id).not.toBe('0');
    expect(unread.body.item.resolved_id).toBe('0');
    expect(addressesOf(host.heads)).not.toContain('/add2');
  });
});
