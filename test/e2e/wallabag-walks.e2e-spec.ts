import { AN_HOUR_AGO } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';
import { WallabagCalls } from '../support/wallabag-calls.js';
import { type StrictList, strictList } from '../support/wallabag-entry.js';
import { everyEntry, WallabagReader } from '../support/wallabag-reader.js';

const PAGE = 3;

let app: TestApp;
let other: TestApp;
let calls: WallabagCalls;

beforeAll(async () => {
  app = await aTestApp();
  other = await aTestApp({ beside: app });
});
afterAll(async () => {
  await other.close();
  await app.close();
});
beforeEach(async () => {
  calls = await WallabagCalls.of(app);
});

const at = (n: number): string => `https://example.com/${n}`;
const numbers = (from: number, below: number): number[] =>
  Array.from({ length: below - from }, (_, n) => from + n);

/** Adds pages one after another by v3. */
async function add(from: number, below: number): Promise<void> {
  for (const n of numbers(from, below)) {
    await calls.v3.saved(at(n));
  }
}

/** Applies an action to pages one after another by v3. */
async function act(action: string, ...pages: readonly number[]): Promise<void> {
  for (const n of pages) {
    expect(await calls.v3.results({ action, url: at(n) })).toEqual([true]);
  }
}

const namesIn = ({ items }: StrictList): number[] =>
  items.map(({ given_url: url }) => Number(new URL(url).pathname.slice(1)));

async function page(number: number, query: object = {}): Promise<StrictList> {
  const members = { perPage: PAGE, page: number, ...query };
  return strictList((await calls.call('get', 'entries', members, 'query').expect(200)).body);
}

/** Returns the reader's copy and the list, for comparison. */
async function copies(reader: WallabagReader): Promise<[unknown[], unknown[]]> {
  const order = (one: { id: number }, two: { id: number }): number => two.id - one.id;
  return [[...reader.copy.values()].toSorted(order), (await everyEntry(calls)).toSorted(order)];
}

describe('a wallabag list that a client fetches page by page while it changes', () => {
  it.each([
    ['added first', { order: 'asc' }, numbers(0, 9)],
    ['added last', { order: 'desc' }, numbers(0, 9).reverse()],
    ['changed first', { sort: 'updated', order: 'asc', since: AN_HOUR_AGO }, numbers(0, 9)],
    ['changed last', { sort: 'updated', order: 'desc' }, numbers(0, 9).reverse()],
  ])('returns every entry once despite deletions, in order: %s', async (_, query, names) => {
    await add(0, 9);
    const first = await page(1, query);
    await act('delete', ...namesIn(first).slice(0, 2));
    const pages = [first, await page(2, query), await page(3, query)];

    expect(pages.flatMap(namesIn)).toEqual(names);
    expect(pages.map((one) => one.pages)).toEqual([3, 3, 3]);
    await calls.call('get', 'entries', { ...query, perPage: PAGE, page: 4 }, 'query').expect(404);
  });

  it('returns every entry once despite a deletion, in the order of archiving', async () => {
    await add(0, 6);
    await act('archive', ...numbers(0, 6));
    const query = { sort: 'archived', order: 'asc' };
    const first = namesIn(await page(1, query));
    await act('delete', first[0]!);

    const second = namesIn(await page(2, query));

    expect([...first, ...second].toSorted()).toEqual(numbers(0, 6));
  });

  it('returns entries again at the end after they have changed', async () => {
    await add(0, 6);
    const query = { sort: 'updated', order: 'asc' };
    await page(1, query);
    await act('archive', 0, 1);

    const rest = [await page(2, query), await page(3, query)];

    expect(rest.map(namesIn)).toEqual([
      [3, 4, 5],
      [0, 1],
    ]);
    expect(rest.map((one) => one.pages)).toEqual([3, 3]);
  });

  it('continues at another instance, and separately for each client and filter', async () => {
    await add(0, 9);
    const stranger = await WallabagCalls.of(app, { v3: calls.v3 });
    const first = namesIn(await page(1));
    await act('delete', 8);
    const query = { perPage: PAGE, page: 2 };

    const counted = await stranger.call('get', 'entries', query, 'query');
    const starred = await calls.call('get', 'entries', { ...query, starred: 0 }, 'query');
    const second = await calls.at(other).call('get', 'entries', query, 'query');

    expect(first).toEqual([8, 7, 6]);
    expect(namesIn(strictList(counted.body))).toEqual([4, 3, 2]);
    expect(namesIn(strictList(starred.body))).toEqual([4, 3, 2]);
    expect(namesIn(strictList(second.body))).toEqual([5, 4, 3]);
  });

  it('returns the announced last page even if it is empty, and 404 after it', async () => {
    await add(0, 4);
    expect((await page(1)).pages).toBe(2);
    await act('delete', 0);

    expect(await page(2)).toMatchObject({ page: 2, pages: 2, total: 3, items: [] });

    await calls.call('get', 'entries', { perPage: PAGE, page: 3 }, 'query').expect(404);
    expect(await page(1)).toMatchObject({ page: 1, pages: 1, total: 3 });
  });
});

describe('a wallabag client that syncs with the parameter since', () => {
  it('gets entries that changed on an earlier page during the full sync', async () => {
    const reader = new WallabagReader(calls, PAGE);
    await add(0, 6);
    await reader.update(() => act('archive', 0, 5));

    await reader.update();

    const [copy, list] = await copies(reader);
    expect(copy).toEqual(list);
  });

  it('gets entries that changed or were added during a sync, and sweeps deleted entries', async () => {
    const reader = new WallabagReader(calls, PAGE);
    await add(0, 8);
    await reader.update();
    await act('favorite', ...numbers(0, 8));
    const steps = [0, 3];
    await reader.update(async () => {
      for (const n of steps.splice(0, 1)) {
        await act('archive', n, n + 1);
        await act('delete', n + 2);
        await add(n + 8, n + 9);
      }
    });

    await reader.update();
    await reader.sweep();

    const [copy, list] = await copies(reader);
    expect(copy).toEqual(list);
  });
});
