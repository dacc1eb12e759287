import { ReadingListApi, tagsOf } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

const URL_TO_ADD = 'https://example.com/page';

let app: TestApp;
let api: ReadingListApi;

beforeAll(async () => {
  app = await aTestApp();
});
afterAll(() => app.close());

beforeEach(async () => {
  api = await ReadingListApi.of(app);
});

/** The ways to save a page. Each returns the item id. */
const WAYS: [string, (url: string, members?: object) => Promise<string>][] = [
  ['add', (url, members) => api.saved(url, members)],
  [
    'send',
    async (url, members) => {
      await api.sent({ action: 'add', url, ...members });
      const [item] = await api.items();
      return item!.item_id;
    },
  ],
];

describe.each(WAYS)('saving a saved URL again with %s', (_, saved) => {
  let itemId: string;

  beforeEach(async () => {
    itemId = await api.saved(URL_TO_ADD, { title: 'First', tags: 'one', time: 1_500_000_000 });
    await api.saved('https://example.com/newer', { time: 1_600_000_000 });
  });

  it('returns the same item and moves it to the top', async () => {
    expect(await saved(URL_TO_ADD)).toBe(itemId);
    expect(await api.names()).toEqual(['page', 'newer']);
  });

  it('sets the time of the item to the given time', async () => {
    await saved(URL_TO_ADD, { time: 1_550_000_000 });

    expect((await api.item(itemId))!.time_added).toBe('1550000000');
  });

  it('moves the item from the archive to the unread items', async () => {
    await api.sent({ action: 'archive', item_id: itemId });

    await saved(URL_TO_ADD);

    expect(await api.item(itemId)).toMatchObject({ status: '0', time_read: '0' });
  });

  it('keeps the item a favorite', async () => {
    await api.sent({ action: 'favorite', item_id: itemId, time: 1_650_000_000 });

    await saved(URL_TO_ADD);

    expect(await api.item(itemId)).toMatchObject({ favorite: '1', time_favorited: '1650000000' });
  });

  it('keeps the tags and adds the new ones', async () => {
    await saved(URL_TO_ADD, { tags: 'two,ONE' });

    expect(tagsOf(await api.item(itemId))).toEqual(['one', 'two']);
  });

  it('keeps the title unless the call contains another title', async () => {
    await saved(URL_TO_ADD);
    const kept = await api.item(itemId);
    await saved(URL_TO_ADD, { title: 'Second' });

    expect(kept!.given_title).toBe('First');
    expect((await api.item(itemId))!.given_title).toBe('Second');
  });

  it('shows the URL as it was last sent', async () => {
    await saved('http://www.example.com/page/');

    expect((await api.item(itemId))!.given_url).toBe('http://www.example.com/page/');
  });

  it('adds a deleted item with its old id, but without its old data', async () => {
    await api.sent({ action: 'favorite', item_id: itemId }, { action: 'delete', item_id: itemId });

    expect(await saved(URL_TO_ADD)).toBe(itemId);
    expect(await api.item(itemId)).toMatchObject({ status: '0', favorite: '0', given_title: '' });
    expect(tagsOf(await api.item(itemId))).toEqual([]);
  });
});

describe('saving two similar URLs', () => {
  it.each([
    'http://example.com/page',
    'HTTPS://EXAMPLE.COM/page',
    'https://www.example.com/page',
    'https://example.com:443/page',
    'http://example.com:80/page',
    'https://example.com/page/',
    'https://example.com/page#part',
    'https://example.com/page?utm_source=x&utm_medium=y',
    'https://example.com/page?fbclid=x',
    'example.com/page',
    '//example.com/page',
    'https://example.com./page',
  ])('creates one item: %s', async (url) => {
    expect(await api.saved(url)).toBe(await api.saved(URL_TO_ADD));
    expect(await api.names()).toHaveLength(1);
  });

  it.each([
    'https://example.com/Page',
    'https://example.com/page?a=1',
    'https://example.com/page/more',
    'https://sub.example.com/page',
    'https://example.com:8443/page',
    'https://example.org/page',
  ])('creates two items: %s', async (url) => {
    expect(await api.saved(url)).not.toBe(await api.saved(URL_TO_ADD));
    expect(await api.items()).toHaveLength(2);
  });
});

describe('one URL saved by two users', () => {
  it('has the same item id, but each user has a separate item', async () => {
    const other = await ReadingListApi.of(app);

    const itemId = await api.saved(URL_TO_ADD, { title: 'Mine', tags: 'mine' });
    expect(await other.saved(URL_TO_ADD, { title: 'Theirs' })).toBe(itemId);

    await other.sent({ action: 'archive', item_id: itemId });
    expect(await api.item(itemId)).toMatchObject({ status: '0', given_title: 'Mine' });
    expect(await other.item(itemId)).toMatchObject({
      status: '1',
      given_title: 'Theirs',
      tags: {},
    });
  });
});

describe('concurrent calls that save one URL', () => {
  it('create one item, and each response contains its id', async () => {
    const spellings = [
      'https://example.com/page',
      'http://www.example.com/page/',
      'example.com/page',
    ];

    const ids = await Promise.all(
      Array.from({ length: 12 }, (_, at) => api.saved(spellings[at % 3]!, { tags: `t${at}` })),
    );

    expect(new Set(ids).size).toBe(1);
    expect(await api.items()).toHaveLength(1);
    expect(tagsOf(await api.item(ids[0]!))).toHaveLength(12);
  });
});
