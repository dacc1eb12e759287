import { AN_HOUR_AGO, ReadingListApi, tagsOf } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

const PAGE = 'https://example.com/page';
const ADDED = 1_600_000_000;

let app: TestApp;
let api: ReadingListApi;
let itemId: string;

beforeAll(async () => {
  app = await aTestApp();
});
afterAll(() => app.close());

beforeEach(async () => {
  api = await ReadingListApi.of(app);
  itemId = await api.saved(PAGE, { title: 'Page', tags: 'one', time: ADDED });
});

const apply = (...names: string[]): Promise<unknown> =>
  api.sent(...names.map((action) => ({ action, item_id: itemId })));

describe('a state change of an item by /v3/send', () => {
  it.each([
    ['active', [], 'archive', { status: '1', favorite: '0' }],
    ['active, a favorite', ['favorite'], 'archive', { status: '1', favorite: '1' }],
    ['archived', ['archive'], 'readd', { status: '0', time_read: '0', favorite: '0' }],
    ['archived, a favorite', ['archive', 'favorite'], 'readd', { status: '0', favorite: '1' }],
    [
      'archived',
      ['archive'],
      'undo_archive',
      { status: '0', time_read: '0', time_added: '1600000000' },
    ],
    ['archived', ['archive'], 'add', { status: '0', time_read: '0' }],
    ['favorite 0', [], 'favorite', { status: '0', favorite: '1' }],
    ['favorite 0, archived', ['archive'], 'favorite', { status: '1', favorite: '1' }],
    ['favorite 1', ['favorite'], 'unfavorite', { favorite: '0', time_favorited: '0' }],
    ['favorite 1, archived', ['favorite', 'archive'], 'unfavorite', { status: '1', favorite: '0' }],
  ])('from %s (after %j) by %s succeeds', async (_, first, action, state) => {
    await apply(...first);

    expect(await api.results({ action, item_id: itemId })).toEqual([true]);

    const item = await api.item(itemId);
    expect(item).toMatchObject({ ...state, given_url: PAGE, given_title: 'Page' });
    expect(tagsOf(item)).toEqual(['one']);
  });

  it.each([[[]], [['archive']], [['favorite']]])('from %j to deleted by delete', async (first) => {
    await apply(...first);

    expect(await api.results({ action: 'delete', item_id: itemId })).toEqual([true]);

    const { list } = await api.found({ since: AN_HOUR_AGO });
    expect(await api.items()).toEqual([]);
    expect(list).toEqual({
      [itemId]: { item_id: itemId, status: '2', listen_duration_estimate: 0 },
    });
  });

  it('to deleted leaves no personal data in the database', async () => {
    const url = 'https://secret.example/diary';
    const secretId = await api.saved(url, { title: 'Confidential', tags: 'intimate' });

    await api.sent({ action: 'delete', item_id: secretId });

    const tables = ['items', 'item_search', 'item_tags', 'tags', 'tombstones', 'lists'];
    const rows = await app.database.query<{ row: string }>(
      tables
        .map((table) => `SELECT to_jsonb(${table})::text AS row FROM ${table}`)
        .join(' UNION ALL '),
    );
    const text = rows.map(({ row }) => row).join();
    expect(text).toContain(secretId);
    expect(text).not.toMatch(/secret\.example|confidential|intimate|diary/i);
  });

  it('from deleted by add creates a new item with the same id', async () => {
    await apply('favorite', 'archive', 'delete');

    await api.sent({ action: 'add', url: PAGE });

    const fresh = { status: '0', favorite: '0', given_title: '', time_read: '0', tags: {} };
    expect(await api.item(itemId)).toMatchObject(fresh);
  });

  it.each(['readd', 'undo_delete', 'add'])(
    'from deleted by %s with an item_id fails',
    async (action) => {
      await apply('delete');

      expect(await api.results({ action, item_id: itemId })).toEqual([false]);
      expect(await api.items()).toEqual([]);
    },
  );

  it.each([
    ['archive', 'archive'],
    ['favorite', 'favorite'],
    ['readd', undefined],
    ['undo_archive', undefined],
    ['undo_delete', undefined],
    ['unfavorite', undefined],
    ['tags_clear', 'tags_clear'],
  ])('that has already happened returns true and changes nothing: %s', async (action, first) => {
    await apply(...(first === undefined ? [] : [first]));
    const before = await api.item(itemId);
    const { since } = await api.found();

    const time = 1_650_000_000;
    expect(await api.results({ action, item_id: itemId, time })).toEqual([true]);

    expect(await api.item(itemId)).toEqual(before);
    expect(await api.found({ since })).toMatchObject({ list: {} });
  });

  it('that has already happened returns true for delete', async () => {
    await apply('delete');

    expect(await api.results({ action: 'delete', item_id: itemId })).toEqual([true]);
    expect(await api.results({ action: 'delete', url: PAGE })).toEqual([true]);
  });
});

describe('the item of an action', () => {
  const SPELLINGS: [string, (id: string) => object][] = [
    ['by item_id as text', (item_id) => ({ item_id })],
    ['by item_id as a number', (id) => ({ item_id: Number(id) })],
    ['by item_id with spaces around it', (id) => ({ item_id: ` ${id} ` })],
    ['by url', () => ({ url: PAGE })],
    ['by another spelling of the url', () => ({ url: 'http://www.example.com/page/#x' })],
    ['by url without an item_id worth the name', () => ({ item_id: 0, url: PAGE })],
    ['by url with a blank item_id', () => ({ item_id: '', url: PAGE })],
    ['by url with item_id "0"', () => ({ item_id: '0', url: PAGE })],
    ['by item_id, which wins over url', (item_id) => ({ item_id, url: 'https://example.com/x' })],
    ['by item_id with members nobody knows', (item_id) => ({ item_id, cxt_ui: 'x', status: '2' })],
    ['by item_id with the deprecated ref_id', (item_id) => ({ item_id, ref_id: 20 })],
  ];
  const EFFECTS: [action: object, effect: object, tags: string][] = [
    [{ action: 'archive' }, { status: '1' }, 'one'],
    [{ action: 'readd' }, { status: '0' }, 'one'],
    [{ action: 'favorite' }, { favorite: '1' }, 'one'],
    [{ action: 'unfavorite' }, { favorite: '0' }, 'one'],
    [{ action: 'tags_add', tags: 'two' }, {}, 'one,two'],
    [{ action: 'tags_remove', tags: 'one' }, {}, 'two'],
    [{ action: 'tags_replace', tags: 'a,b' }, {}, 'a,b'],
    [{ action: 'tags_clear' }, {}, ''],
  ];

  it.each(SPELLINGS)('is identified %s', async (_, spell) => {
    await api.saved('https://example.com/x');

    for (const [action, effect, tags] of EFFECTS) {
      expect(await api.results({ ...spell(itemId), ...action })).toEqual([true]);
      const item = await api.item(itemId);
      expect(item).toMatchObject(effect);
      expect(tagsOf(item).join()).toBe(tags);
    }
    expect(await api.results({ ...spell(itemId), action: 'delete' })).toEqual([true]);

    expect(await api.names()).toEqual(['x']);
  });
});

describe('the time of an action', () => {
  const NOW = (): number => Math.floor(Date.now() / 1000);
  const FIELDS: [string, string, string | undefined][] = [
    ['archive', 'time_read', undefined],
    ['favorite', 'time_favorited', undefined],
    ['readd', 'time_added', 'archive'],
    ['add', 'time_added', undefined],
  ];

  describe.each(FIELDS)('%s', (action, field, first) => {
    const timeAfter = async (time: unknown): Promise<number> => {
      await apply(...(first === undefined ? [] : [first]));
      await api.sent({ action, item_id: itemId, time });
      const item = await api.item(itemId);
      return Number(new Map(Object.entries(item!)).get(field));
    };

    it.each([1_650_000_000, '1650000000', 1_650_000_000_123, '1650000000123'])(
      '%j is stored in seconds',
      async (time) => {
        expect(await timeAfter(time)).toBe(1_650_000_000);
      },
    );

    it.each([undefined, null, '', 0, '0', 4_000_000_000])('%j means now', async (time) => {
      const before = NOW();

      const after = await timeAfter(time);

      expect(after).toBeGreaterThanOrEqual(before);
      expect(after).toBeLessThanOrEqual(NOW());
    });
  });

  it('does not set time_updated, which is the time of the service', async () => {
    const before = NOW();

    await api.sent({ action: 'archive', item_id: itemId, time: 1 });

    expect(Number((await api.item(itemId))!.time_updated)).toBeGreaterThanOrEqual(before - 5);
  });
});
