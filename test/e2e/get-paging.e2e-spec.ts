import { Dialect } from '../../src/auth/consumers/entities/consumer-key.entity.js';
import type { GetResponse } from '../../src/reading-list/get/get.presenter.js';
import { type End, listOf, PagingReader, type SinceOf } from '../support/paging-reader.js';
import { AN_HOUR_AGO, ReadingListApi } from '../support/reading-list-api.js';
import { dice } from '../support/syncing-reader.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

jest.setTimeout(120_000);

const PAGE = 30;
const ADDED = 1_700_000_000;
const ENDS: readonly End[] = ['empty page', 'short page', 'total'];
const SINCES: readonly SinceOf[] = ['first', 'middle', 'last'];

let app: TestApp;
let other: TestApp;
let api: ReadingListApi;
let classic: ReadingListApi;

beforeAll(async () => {
  app = await aTestApp();
  other = await aTestApp({ beside: app });
});
afterAll(async () => {
  await other.close();
  await app.close();
});

const urlOf = (n: number): string => `https://example.com/${n}`;
const add = (n: number, members: object = {}): object => ({
  ...{ action: 'add', url: urlOf(n), title: `Title ${n % 7}`, time: ADDED + n, ...members },
});
const remove = (n: number): object => ({ action: 'delete', url: urlOf(n) });
const numbers = (from: number, below: number): number[] =>
  Array.from({ length: below - from }, (_, at) => from + at);

/** Creates a list of this size. The last item is the newest. */
async function aListOf(size: number): Promise<void> {
  api = await ReadingListApi.of(app);
  classic = await ReadingListApi.of(app, { dialect: Dialect.Classic, user: api.user });
  await api.sent(...numbers(0, size).map((n) => add(n)));
}

/** Reads all pages. Calls `before` ahead of each page. */
async function readPages(
  members: object,
  before: (offset: number) => Promise<unknown> = () => Promise.resolve(),
): Promise<GetResponse[]> {
  const pages: GetResponse[] = [];
  for (let offset = 0, rows = PAGE; rows === PAGE; offset += PAGE) {
    await before(offset);
    const at = offset % (2 * PAGE) === 0 ? api : api.at(other);
    pages.push(await at.found({ state: 'all', total: 1, offset, ...members }));
    rows = Object.keys(pages.at(-1)!.list).length;
  }
  return pages;
}

const namesIn = (pages: readonly GetResponse[]): number[] =>
  pages.flatMap(({ list }) =>
    Object.values(list).flatMap((item) =>
      'given_url' in item ? [Number(new URL(item.given_url).pathname.slice(1))] : [],
    ),
  );

describe('reading a list in pages while it changes', () => {
  beforeEach(() => aListOf(100));

  it.each([
    ['a first load', {}],
    ['a delta', { since: AN_HOUR_AGO }],
  ])('returns each item once in %s while earlier items are deleted', async (_, members) => {
    const pages = await readPages(members, (offset) =>
      offset === PAGE ? api.at(other).sent(remove(99), remove(80)) : Promise.resolve(),
    );

    expect(namesIn(pages)).toEqual(numbers(0, 100).reverse());
    expect(new Set(pages.map(({ since }) => since)).size).toBe(1);
  });

  it.each(['oldest', 'title', 'site'])('returns each item once in the order %s', async (sort) => {
    const before = namesIn(await readPages({ sort }));
    const gone = before.slice(5, 9);

    const pages = await readPages({ sort }, (offset) =>
      offset === PAGE ? api.sent(...gone.map(remove)) : Promise.resolve(),
    );

    expect(namesIn(pages)).toEqual(before);
  });

  it('does not repeat items when new items are added at the front', async () => {
    const pages = await readPages({}, (offset) => api.sent(add(100 + offset)));

    expect(namesIn(pages)).toEqual([100, ...numbers(0, 100).reverse()]);
  });

  it('keeps the total while more pages follow', async () => {
    const first = await api.found({ state: 'all', total: 1 });
    await api.sent(...numbers(50, 100).map(remove));
    const second = await api.found({ state: 'all', total: 1, offset: PAGE });

    expect([first.total, second.total]).toEqual(['100', '100']);
    expect(namesIn([second])).toEqual(numbers(20, 50).reverse());
  });

  it('lowers the total on the last page to the number of returned rows', async () => {
    await api.found({ state: 'all', total: 1 });
    await api.sent(...numbers(5, 60).map(remove));
    const second = await api.found({ state: 'all', total: 1, offset: PAGE });
    const rows = PAGE + Object.keys(second.list).length;
    const behind = await api.found({ state: 'all', total: 1, offset: rows });

    expect([rows, second.total, behind.total]).toEqual([45, '45', '45']);
  });

  it('returns the current list to a client that starts again', async () => {
    await readPages({});
    await api.sent(remove(99), remove(98), remove(1));
    const pages = await readPages({});

    expect(pages.map(({ total }) => total)).toEqual(['97', '97', '97', '97']);
    expect(namesIn(pages)).toEqual(numbers(2, 98).reverse().concat(0));
  });

  it('returns the same page if a client repeats the request', async () => {
    await api.found({ state: 'all' });
    await api.sent(remove(99));
    const page = namesIn([await api.found({ state: 'all', offset: PAGE })]);
    const again = namesIn([await api.at(other).found({ state: 'all', offset: PAGE })]);

    expect(page).toEqual(numbers(40, 70).reverse());
    expect(again).toEqual(page);
  });

  it('returns every item to two clients that read at the same time', async () => {
    const pages: [GetResponse[], GetResponse[]] = [[], []];
    for (const offset of [0, 30, 60, 90]) {
      for (const [n, own] of pages.entries()) {
        own.push(await api.found({ state: 'all', offset }));
        await api.at(other).sent(remove(99 - offset / 15 - n));
      }
    }

    const left = namesIn([await classic.found({ state: 'all', count: 5000 })]);
    for (const own of pages) {
      expect(left.filter((name) => !namesIn(own).includes(name))).toEqual([]);
    }
  });

  it('returns the whole page if a client repeats the request after another client has started', async () => {
    await api.found({ state: 'all' });
    await api.found({ state: 'all', offset: PAGE });
    await api.sent(remove(99), remove(98));
    await api.at(other).found({ state: 'all' });
    const again = await api.found({ state: 'all', offset: PAGE });

    expect(namesIn([again])).toEqual(numbers(40, 70).reverse());
  });

  it('returns every item to a client that pauses for nine minutes while another client starts', async () => {
    await api.found({ state: 'all' });
    const past = `UPDATE page_cursors SET noted_at = noted_at - interval '9 minutes'`;
    await app.database.query(past, []);
    await api.sent(remove(99), remove(98));
    await api.at(other).found({ state: 'all' });
    const second = await api.found({ state: 'all', offset: PAGE });

    expect(namesIn([second])).toEqual(numbers(40, 70).reverse());
  });

  it('does not share page cursors between users, clients or queries', async () => {
    const stranger = await ReadingListApi.of(app);
    await stranger.sent(...numbers(0, 40).map((n) => add(n)));
    await Promise.all([api.found({ state: 'all' }), stranger.found({ state: 'all' })]);
    await api.sent(remove(99));
    await stranger.sent(remove(39));
    const archive = await api.found({ state: 'unread', offset: PAGE });
    const application = await ReadingListApi.of(app, { user: api.user });
    const counted = await application.found({ state: 'all', offset: PAGE });

    expect(namesIn([archive])).toEqual(numbers(39, 69).reverse());
    expect(namesIn([counted])).toEqual(numbers(39, 69).reverse());
    const rest = await stranger.found({ state: 'all', offset: PAGE });
    expect(namesIn([rest])).toEqual(numbers(0, 10).reverse());
  });
});

describe('deletions that are read in pages', () => {
  it('are each returned once while items are added and deleted', async () => {
    await aListOf(100);
    const { since } = await api.found();
    await api.sent(...numbers(20, 99).map(remove));
    await api.sent({ action: 'archive', url: urlOf(99) });

    const pages = await readPages({ since }, (offset) =>
      api.sent(add(20 + offset), remove(offset / PAGE)),
    );

    const ids = pages.flatMap(({ list }) => Object.keys(list));
    expect(new Set(ids).size).toBe(ids.length);
    const reader = new Set(ids);
    const { list } = await classic.found({ state: 'all', since, count: 5000 });
    const { list: next } = await classic.found({ since: pages.at(-1)!.since, count: 5000 });
    expect(Object.keys(list).filter((id) => !reader.has(id) && !(id in next))).toEqual([]);
  });
});

/** A random action of another client on a list of about a hundred items. */
function anAction(roll: (sides: number) => number, step: number): object {
  const url = urlOf(roll(110));
  const actions = [
    { action: 'delete', url },
    { action: 'delete', url },
    { action: 'archive', url },
    { action: 'readd', url },
    { action: 'favorite', url },
    { action: 'tags_add', url, tags: 'red' },
    { action: 'tags_clear', url },
    add(roll(110), { title: `Title ${roll(9)}` }),
    add(1000 + step),
    add(2000 + step, { time: ADDED + roll(110) }),
  ];
  return actions[roll(actions.length)]!;
}

describe('clients that synchronize a list in pages', () => {
  it.each([2, 3, 5, 8, 12, 18])(
    'have the current list after random changes (seed %d)',
    async (seed) => {
      await aListOf(100);
      const roll = dice(seed * 7919);
      const readers = numbers(0, 3).map(
        (n) =>
          new PagingReader({
            end: ENDS[(seed + n) % 3]!,
            sinceOf: SINCES[roll(3)]!,
            count: roll(2) === 0 ? PAGE : 7 + roll(20),
            members: roll(3) === 0 ? { sort: ['oldest', 'title', 'site'][roll(3)] } : {},
          }),
      );
      const anywhere = (): ReadingListApi => (roll(2) === 0 ? api : api.at(other));

      for (let step = 0; step < 60; step += 1) {
        if (roll(2) === 0) {
          await anywhere().sent(...numbers(0, 1 + roll(4)).map(() => anAction(roll, step)));
        } else {
          await readers[roll(readers.length)]!.step(anywhere());
        }
      }

      for (const reader of readers) {
        await reader.rest(anywhere());
        expect(reader.copy).toEqual(await listOf(classic));
      }
    },
  );
});

describe('page cursors', () => {
  const noted = () =>
    app.database.query(
      'SELECT ctid::text, xmin::text, question FROM page_cursors WHERE user_id = $1',
      [api.user.id],
    );

  it('are not written again if a client repeats a request', async () => {
    await aListOf(40);
    await Promise.all(numbers(0, 3).map(() => api.found()));
    const before = await noted();
    for (let poll = 0; poll < 5; poll += 1) {
      await api.found();
    }

    expect(before).toHaveLength(1);
    expect(await noted()).toEqual(before);
  });

  it('are not written for a delta without changes', async () => {
    await aListOf(2);
    const { since } = await classic.found({ state: 'archive' });
    await api.found({ since });
    await api.found({ since, offset: PAGE });

    expect(await noted()).toEqual([]);
  });

  it('are limited per user', async () => {
    await aListOf(2);
    const ask = (n: number) => api.found({ count: 1, updatedBefore: 2 ** 33 + n });
    for (let from = 0; from < 400; from += 20) {
      await Promise.all(numbers(from, from + 20).map(ask));
    }

    expect((await noted()).length).toBeLessThanOrEqual(270);
  });
});
