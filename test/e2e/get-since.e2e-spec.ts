import type { GetResponse } from '../../src/reading-list/get/get.presenter.js';
import { expectRefusal, ReadingListApi } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

const A = 'https://example.com/a';
const B = 'https://example.com/b';
const C = 'https://example.com/c';

let app: TestApp;
let api: ReadingListApi;
/** The ids of A, B and C, which all exist at the first synchronization. */
let ids: string[];
let first: GetResponse;

beforeAll(async () => {
  app = await aTestApp();
});
afterAll(() => app.close());

beforeEach(async () => {
  api = await ReadingListApi.of(app);
  ids = await Promise.all([A, B, C].map((url) => api.saved(url, { tags: 'old' })));
  first = await api.found();
});

const delta = (members: object = {}): Promise<GetResponse> =>
  api.found({ since: first.since, ...members });
const idsOf = ({ list }: GetResponse): string[] => Object.keys(list).sort();
const sorted = (...some: (string | undefined)[]): (string | undefined)[] => [...some].sort();
const tombstone = (item_id: string): object => ({
  item_id,
  status: '2',
  listen_duration_estimate: 0,
});

describe('the field since of a /v3/get response', () => {
  it('is a number of seconds near the current time', async () => {
    const { since } = await (await ReadingListApi.of(app)).found();

    expect(Number.isInteger(since)).toBe(true);
    expect(Math.abs(Date.now() / 1000 - since)).toBeLessThan(100);
  });

  it('returns an empty delta if it is sent back and nothing has changed', async () => {
    expect(await delta()).toMatchObject({ status: 1, complete: 0, list: {} });
    expect((await delta()).since).toBeGreaterThanOrEqual(first.since);
  });
});

describe('the parameter since of /v3/get', () => {
  it('is accepted as an ISO 8601 date and time', async () => {
    await api.sent({ action: 'favorite', item_id: ids[1] });
    const isoDate = new Date(first.since * 1000).toISOString();

    expect(idsOf(await delta({ since: isoDate }))).toEqual([ids[1]]);
  });

  it('returns the whole list if a client sends its seconds as a date in 1970', async () => {
    const isoDate = new Date(first.since).toISOString();

    const answer = await delta({ since: isoDate });

    expect(answer.complete).toBe(1);
    expect(idsOf(answer)).toEqual(sorted(...ids));
  });

  it.each([
    ['archive', {}],
    ['favorite', {}],
    ['tags_add', { tags: 'new' }],
    ['tags_remove', { tags: 'old' }],
    ['tags_replace', { tags: 'new' }],
    ['tags_clear', {}],
    ['add', { url: B, title: 'Another' }],
  ])('returns only the item that %s changed', async (action, members) => {
    await api.sent({ action, ...members, item_id: ids[1] });

    expect(idsOf(await delta())).toEqual([ids[1]]);
  });

  it('returns an item that /v3/add has saved', async () => {
    const itemId = await api.saved('https://example.com/d');

    expect(idsOf(await delta())).toEqual([itemId]);
  });

  it.each([
    { action: 'tag_rename', old_tag: 'old', new_tag: 'new' },
    { action: 'tag_delete', tag: 'old' },
  ])('returns every item whose tag is renamed or deleted: $action', async (action) => {
    await api.sent(action);

    expect(idsOf(await delta())).toEqual(sorted(...ids));
  });

  it('returns each change once', async () => {
    await api.sent({ action: 'archive', item_id: ids[0] });
    const second = await delta();
    await api.sent({ action: 'favorite', item_id: ids[1] });
    const third = await api.found({ since: second.since });
    const fourth = await api.found({ since: third.since });

    expect([second, third, fourth].map(idsOf)).toEqual([[ids[0]], [ids[1]], []]);
  });

  it('can be combined with state', async () => {
    await api.sent(
      { action: 'archive', item_id: ids[0] },
      { action: 'favorite', item_id: ids[1] },
      { action: 'delete', item_id: ids[2] },
    );

    expect(idsOf(await delta({ state: 'unread' }))).toEqual([ids[1]]);
    expect(idsOf(await delta({ state: 'archive' }))).toEqual([ids[0]]);
    expect(await delta({ state: 'archive', total: 1 })).toMatchObject({ complete: 0, total: '1' });
  });

  it.each([
    ['state', 'unread'],
    ['favorite', 0],
    ['tag', 'old'],
    ['contentType', 'article'],
    ['search', 'example'],
    ['domain', 'example.com'],
    ['updatedBefore', 2 ** 33],
    ['hasAnnotations', 0],
  ])('returns no tombstones of deleted items with the filter %s', async (filter, value) => {
    await api.sent({ action: 'delete', item_id: ids[2] });

    expect(await delta({ [filter]: value, total: 1 })).toMatchObject({ list: {}, total: '0' });
  });

  it.each(['', 'all'])(
    'returns deleted items as tombstones after the other items, with state %j',
    async (state) => {
      await api.sent({ action: 'delete', item_id: ids[2] }, { action: 'archive', item_id: ids[1] });

      const { list } = await delta({ state, detailType: 'complete' });

      expect(Object.keys(list)).toEqual([ids[1], ids[2]]);
      expect(list[ids[2]!]).toEqual(tombstone(ids[2]!));
    },
  );

  it('includes deleted items in the field total', async () => {
    await api.sent({ action: 'delete', item_id: ids[2] }, { action: 'archive', item_id: ids[1] });

    expect((await delta({ total: 1 })).total).toBe('2');
  });

  it('returns no tombstone of an item that was added again', async () => {
    await api.sent({ action: 'delete', item_id: ids[2] }, { action: 'add', url: C });

    const { list } = await delta();

    expect(list[ids[2]!]).toMatchObject({ status: '0', given_url: C });
  });

  it('returns no items for actions without an effect', async () => {
    await api.sent(
      { action: 'archive', item_id: '1' },
      { action: 'tags_remove', item_id: ids[0], tags: 'absent' },
      { action: 'unfavorite', item_id: ids[0] },
      { action: 'nonsense', item_id: ids[0] },
    );

    expect(idsOf(await delta())).toEqual([]);
  });

  it('can be combined with filters', async () => {
    await api.sent({ action: 'tags_add', item_id: ids[0], tags: 'new' });
    await api.sent({ action: 'favorite', item_id: ids[1] });

    expect(idsOf(await delta({ tag: 'new' }))).toEqual([ids[0]]);
    expect(idsOf(await delta({ favorite: '1' }))).toEqual([ids[1]]);
    expect(idsOf(await delta({ search: 'example.com/b' }))).toEqual([ids[1]]);
  });

  it('returns a change regardless of the time that the client sends', async () => {
    await api.sent({ action: 'archive', item_id: ids[0], time: 1 });

    expect(idsOf(await delta())).toEqual([ids[0]]);
  });
});

describe('the format of the parameter since', () => {
  it.each([
    ['seconds', (since: number) => since],
    ['text', (since: number) => String(since)],
    ['milliseconds', (since: number) => since * 1000],
    ['text of milliseconds', (since: number) => `${since}000`],
    ['a fraction', (since: number) => since + 0.5],
    ['text of a fraction', (since: number) => `${since}.129312`],
  ])('can be %s', async (_, spell) => {
    await api.sent({ action: 'archive', item_id: ids[0] });

    expect(idsOf(await delta({ since: spell(first.since) }))).toEqual([ids[0]]);
  });

  it.each([0, '0', '', null, undefined])('%j returns the whole list', async (since) => {
    await api.sent({ action: 'delete', item_id: ids[2] });

    const answer = await api.found({ since });

    expect(answer.complete).toBe(1);
    expect(idsOf(answer)).toEqual(sorted(ids[0], ids[1]));
  });

  it.each([1, 3600, 315_360_000])(
    'returns the whole list if it is %d s later than any value the service has returned',
    async (ahead) => {
      await api.sent({ action: 'delete', item_id: ids[2] });
      const clock = 'SELECT ceil(extract(epoch FROM clock_timestamp()))::int + 60 AS now';
      const [row] = await app.database.query<{ now: number }>(clock);
      const latest = Math.max(row!.now, (await delta()).since);

      const answer = await delta({ since: latest + ahead, total: 1 });

      expect(answer).toMatchObject({ complete: 1, total: '2' });
      expect(idsOf(answer)).toEqual(sorted(ids[0], ids[1]));
      expect(await delta({ since: answer.since })).toMatchObject({ complete: 0, list: {} });
    },
  );

  it.each([-1, '-1', 'abc', '2019-03-08', '1e9', true, [], {}, '9'.repeat(30)])(
    '%j is rejected',
    async (since) => {
      const response = await api.get({ since });

      expectRefusal(response, 400, 130);
      expect(response.body.error).toContain('since');
    },
  );
});

describe('the parameter updatedBefore of /v3/get', () => {
  it('excludes items that changed at this time or later', async () => {
    await app.database.query(
      'UPDATE items SET time_updated = 1700000000 WHERE user_id = $1 AND item_id = $2',
      [api.user.id, ids[1]],
    );

    expect(idsOf(await api.found({ updatedBefore: 1_700_000_001 }))).toEqual([ids[1]]);
    expect(idsOf(await api.found({ updatedBefore: '1700000000' }))).toEqual([]);
  });
});

describe('the tag names in a /v3/get response', () => {
  it('are always returned with forcetaglist', async () => {
    expect((await delta({ forcetaglist: 1 })).tags).toEqual(['old']);
  });

  it('are returned with taglist only if a tag has changed', async () => {
    const before = await delta({ taglist: '1' });
    await api.sent({ action: 'tag_rename', old_tag: 'old', new_tag: 'new' });
    const after = await delta({ taglist: '1' });

    expect(before).not.toHaveProperty('tags');
    expect(after.tags).toEqual(['new']);
  });

  it('are not returned by default', () => {
    expect(first).not.toHaveProperty('tags');
  });
});

describe('a delta that is not fetched from its beginning', () => {
  it('contains items before tombstones at every offset, and ends after them', async () => {
    await api.sent(...[B, C].map((url) => ({ action: 'favorite', url })), {
      action: 'delete',
      url: A,
    });

    const found: (string | undefined)[] = [];
    // Backwards, so that no page directly follows one that was read.
    for (const offset of [3, 2, 1, 0]) {
      const [id] = idsOf(await delta({ offset, count: 1, sort: 'oldest' }));
      found.unshift(id);
    }

    expect(sorted(...found.slice(0, 2))).toEqual(sorted(ids[1], ids[2]));
    expect(found.slice(2)).toEqual([ids[0], undefined]);
  });
});
