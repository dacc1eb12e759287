import { aFetcher } from '../support/a-fetcher.js';
import { fillUpTo, FULL_ON_PAGES, STORAGE_LIMIT } from '../support/a-full-list.js';
import { ListsOnPostgres } from '../support/a-list.js';
import { aGate } from '../support/barrier.js';
import { aVisitor } from '../support/oauth-api.js';
import { type PageVisitor, shownText } from '../support/page-visitor.js';
import { until } from '../support/processes.js';
import { ok, PublicHost } from '../support/public-host.js';
import { ReadingListApi, tagsOf } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

const ROUNDS = 8;

let host: PublicHost;
let app: TestApp;
/** Another instance on the same database, so that only the database orders the changes of both. */
let beside: TestApp;
let lists: ListsOnPostgres;
let api: ReadingListApi;
let tab: Tab;
/** A tab of the same user on the other instance. */
let another: Tab;

interface Tab {
  readonly visitor: PageVisitor;
  readonly _csrf: string;
}

async function aTab(instance: TestApp): Promise<Tab> {
  const visitor = await aVisitor(instance, api.user);
  return { visitor, _csrf: await visitor.csrfToken() };
}

beforeAll(async () => {
  host = await PublicHost.start();
  app = await aTestApp({
    config: { resolverConcurrency: 2, storageLimitBytes: STORAGE_LIMIT },
    fetcher: aFetcher(host),
  });
  beside = await aTestApp({ beside: app, fetcher: aFetcher(host) });
  lists = await ListsOnPostgres.start(app.database);
});
afterAll(async () => {
  await lists.dataSource.destroy();
  await beside.close();
  await app.close();
  await host.stop();
});
beforeEach(async () => {
  api = await ReadingListApi.of(app);
  [tab, another] = [await aTab(app), await aTab(beside)];
});
afterEach(async () => {
  expect(await lists.faults(api.user.id)).toEqual([]);
});

/** Changes the address of an item, and its tags to `mine`. Returns the status. */
async function moving(id: string, url: string, { visitor, _csrf } = tab): Promise<number> {
  const form = { title: '', tags: 'mine', was: '', url, _csrf };
  return (await visitor.post(`/read/${id}/edit`, form)).status;
}

const urls = async (): Promise<string[]> =>
  (await api.items({ state: 'all', sort: 'site' })).map(({ given_url: url }) => url);

describe('two changes of an address at once', () => {
  it('move an item once, and redirect the other form to the moved item', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const id = await api.saved('https://old.example/', { tags: 'mine' });
      const [one, other] = [`https://one.example/${round}`, `https://other.example/${round}`];

      const statuses = await Promise.all([moving(id, one), moving(id, other, another)]);

      expect(statuses.toSorted()).toEqual([303, 307]);
      const left = await api.items({ tag: 'mine' });
      expect(left.map(({ given_url: url }) => url)).toEqual([statuses[0] === 303 ? one : other]);
      await api.results({ action: 'delete', item_id: left[0]?.item_id });
    }
  });

  it('never move two items to the same address', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const [a, b] = [await api.saved('https://a.example/'), await api.saved('https://b.example/')];
      const url = `https://same.example/${round}`;

      const statuses = await Promise.all([moving(a, url), moving(b, url, another)]);

      expect(statuses.toSorted()).toEqual([303, 400]);
      expect(await urls()).toEqual([
        ...(statuses[0] === 303 ? ['https://b.example/'] : ['https://a.example/']),
        url,
      ]);
      const all = await api.items();
      await api.results(...all.map(({ item_id }) => ({ action: 'delete', item_id })));
    }
  });
});

describe('a change of an address', () => {
  it('beside a deletion has the result of one of the two orders', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const id = await api.saved('https://old.example/');
      const url = `https://new.example/${round}`;

      const [status, deleted] = await Promise.all([
        moving(id, url, another),
        api.results({ action: 'delete', item_id: id }),
      ]);

      // Deleting a deleted item succeeds.
      expect(deleted).toEqual([true]);
      expect(await urls()).toEqual(status === 303 ? [url] : []);
      const all = await api.items();
      await api.results(...all.map(({ item_id }) => ({ action: 'delete', item_id })));
    }
  });

  it('beside adds of the new address leaves one item with this address', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const id = await api.saved('https://old.example/', { tags: 'mine' });
      const url = `https://new.example/${round}`;

      const [status] = await Promise.all([
        moving(id, url, another),
        api.saved(url, { tags: 'added' }),
      ]);

      const found = await api.items({ sort: 'site', detailType: 'complete' });
      const tags = Object.fromEntries(found.map((item) => [item.given_url, tagsOf(item)]));
      expect(tags).toEqual(
        status === 303
          ? { [url]: ['added', 'mine'] }
          : { 'https://old.example/': ['mine'], [url]: ['added'] },
      );
      await api.results(...found.map(({ item_id }) => ({ action: 'delete', item_id })));
    }
  });

  it('while the old page is fetched does not get the old page', async () => {
    const gate = aGate();
    const page = (title: string): Buffer =>
      ok(`<title>${title}</title><article><p>${`${title} words. `.repeat(60)}</article>`);
    host.speak((socket, head) => {
      const isOld = head.startsWith('GET /old');
      void (isOld ? gate.opened : Promise.resolve()).then(() =>
        socket.end(page(isOld ? 'Old' : 'New')),
      );
    });
    const id = await api.saved(host.url(`/old-${api.user.id}`));
    await until(() => Promise.resolve(host.heads.length === 1), 'the fetch of the old page');

    expect(await moving(id, host.url(`/new-${api.user.id}`))).toBe(303);
    gate.open();

    const title = async (): Promise<string | undefined> => (await api.items())[0]?.resolved_title;
    await until(async () => (await title()) === 'New', 'the new page');
    await until(async () => (await waitingPages()) === 0, 'the end of all fetches');
    expect((await api.items()).map(({ resolved_title }) => resolved_title)).toEqual(['New']);
  });
});

const waitingPages = async (): Promise<number> =>
  (await app.database.query(`SELECT FROM page_requests WHERE user_id = $1`, [api.user.id])).length;

describe('a change of an address in a full list', () => {
  const [OLD, NEW] = ['https://full.example/1', 'https://full.example/9'];

  it('is possible if the item does not grow, also with highlights', async () => {
    const id = await api.saved(OLD, { tags: 'mine' });
    const annotation = { annotation_id: 'one', quote: 'nets', patch: 'n'.repeat(2000), note: 'so' };
    await api.results({ action: 'add_annotation', item_id: id, annotation });
    await api.results({ action: 'set_note', item_id: id, note: 'n'.repeat(9000) });
    await fillRest();

    expect(await moving(id, NEW)).toBe(303);

    const [item] = await api.items({ annotations: 1, sort: 'oldest' });
    expect(item?.annotations?.map(({ annotation_id }) => annotation_id)).toContain('one');
  });

  it('is refused like an add if the new address needs more room', async () => {
    await fillUpTo(api, 10);
    const [{ item_id: id } = { item_id: '' }] = await api.items({ sort: 'oldest' });
    const { visitor, _csrf } = tab;
    const form = { _csrf, title: '', tags: '', was: OLD, url: `${NEW}${'x'.repeat(50)}` };

    const refused = await visitor.post(`/read/${id}/edit`, form).expect(400);
    const json = await visitor.post(`/read/${id}/edit`, form).set('Accept', 'application/json');

    expect(shownText(refused, '[role=alert]')).toContain(FULL_ON_PAGES);
    expect(json.status).toBe(507);
    expect((await urls()).includes(OLD)).toBe(true);
  });

  /** Fills the list, so that no further item fits. */
  async function fillRest(): Promise<void> {
    for (let left = 0; left < 20; left += 1) {
      await api.add({ url: `https://rest.example/${left}` });
    }
    await api.add({ url: 'https://rest.example/full' }).expect(507);
  }
});
