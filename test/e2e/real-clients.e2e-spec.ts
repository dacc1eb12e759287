import { ReadingListApi, tagsOf } from '../support/reading-list-api.js';
import { nodeGetPocket, REAL_CLIENTS, type RealClient } from '../support/real-clients.js';
import { type RedirectedHost, redirectedHost } from '../support/redirected-host.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

const PAGE = 'https://example.com/page?a=1&b=ü';

let app: TestApp;
let host: RedirectedHost;

beforeAll(async () => {
  app = await aTestApp();
  host = redirectedHost('getpocket.com', app);
});
afterAll(async () => {
  host.restore();
  await app.close();
});

describe.each(Object.entries(REAL_CLIENTS))('the npm package %s', (name, connect) => {
  let api: ReadingListApi;
  let client: RealClient;

  beforeEach(async () => {
    api = await ReadingListApi.of(app);
    client = connect(api.consumerKey, api.user.accessToken);
  });

  const savedId = async (url = PAGE, members: object = {}): Promise<string> => {
    const { item } = (await client.add({ url, ...members })) as { item: { item_id: string } };
    return item.item_id;
  };
  const listOf = async (parameters?: object): Promise<string[]> =>
    Object.keys((await client.retrieve(parameters)).list as object);

  it('retrieves an empty list', async () => {
    expect(await client.retrieve()).toMatchObject({
      status: 1,
      complete: 1,
      list: {},
      error: null,
    });
  });

  it('adds a page, and retrieves it with all details', async () => {
    const answer = await client.add({ url: PAGE, title: 'é & ü', tags: 'one,two words' });
    const { list } = await client.retrieve({ detailType: 'complete', state: 'unread' });

    const [item] = await api.items({ detailType: 'complete' });
    expect(answer).toMatchObject({ status: 1, item: { given_url: PAGE, title: 'é & ü' } });
    expect(list).toEqual({ [item!.item_id]: item });
    expect(tagsOf(item)).toEqual(['one', 'two words']);
  });

  it('filters, sorts and counts the retrieved items', async () => {
    const first = await savedId('https://example.com/first', { tags: 'red', title: 'First' });
    const second = await savedId('https://other.org/second', { title: '100% & more' });
    await client.modify([{ action: 'favorite', item_id: second }]);

    expect(await listOf({ tag: 'red' })).toEqual([first]);
    expect(await listOf({ search: '100% &' })).toEqual([second]);
    expect(await listOf({ domain: 'example.com' })).toEqual([first]);
    expect(await listOf({ favorite: 1 })).toEqual([second]);
    expect(await listOf({ sort: 'title', count: 1 })).toEqual([second]);
    expect(await listOf({ sort: 'title', count: 1, offset: 1 })).toEqual([first]);
    expect(await client.retrieve({ total: 1, state: 'unread' })).toMatchObject({ total: '2' });
  });

  it('runs several actions in one call', async () => {
    const itemId = await savedId(PAGE, { tags: 'old' });
    const answer = await client.modify([
      { action: 'archive', item_id: itemId },
      { action: 'favorite', item_id: Number(itemId) },
      { action: 'tags_add', item_id: itemId, tags: 'new' },
      { action: 'tags_remove', item_id: itemId, tags: 'old' },
      { action: 'tag_rename', old_tag: 'new', new_tag: 'newer' },
      { action: 'add', url: 'https://example.com/another', title: 'Another' },
    ]);

    expect(answer).toMatchObject({ status: 1, action_results: Array(6).fill(true) });
    const item = await api.item(itemId);
    expect(item).toMatchObject({ status: '1', favorite: '1' });
    expect(tagsOf(item)).toEqual(['newer']);
    expect(await listOf({ state: 'archive' })).toEqual([itemId]);
  });

  it('receives the result of each action', async () => {
    const itemId = await savedId();

    expect(
      await client.modify([
        { action: 'delete', item_id: '1' },
        { action: 'delete', item_id: itemId },
      ]),
    ).toMatchObject({ status: 0, action_results: [false, true] });
    expect(await api.items()).toEqual([]);
  });

  it('synchronizes with since', async () => {
    const [kept, gone] = [await savedId('https://example.com/kept'), await savedId()];
    const { since } = await client.retrieve();
    await client.modify([{ action: 'delete', item_id: gone }]);

    const delta = await client.retrieve({ since });

    expect(delta).toMatchObject({ complete: 0, list: { [gone]: { item_id: gone, status: '2' } } });
    expect(delta.list).not.toHaveProperty(kept);
    expect(await listOf({ since: delta.since })).toEqual([]);
  });

  it('reports a rejected call as an error', async () => {
    const logged = jest.spyOn(console, 'error').mockReturnValue(undefined);
    const stranger = connect(api.consumerKey, 'nonsense');
    const nobody = connect('1-0123456789abcdef01234567', api.user.accessToken);

    await expect(stranger.retrieve()).rejects.toThrow('401');
    await expect(nobody.add({ url: PAGE })).rejects.toThrow('401');
    await expect(client.add({ url: 'mailto:ada@example.com' })).rejects.toThrow('400');

    logged.mockRestore();
    expect(await api.items()).toEqual([]);
  });

  it('is unmodified and calls the original host', async () => {
    const before = host.sent.length;

    await client.retrieve({ count: 1 });
    await client.add({ url: PAGE });
    await client.modify([{ action: 'favorite', url: PAGE }]);

    const calls = host.sent.slice(before).map(({ method, path }) => `${method} ${path}`);
    const get = name === 'node-pocket' ? /^GET \/v3\/get\?consumer_key=/ : /^POST \/v3\/get$/;
    expect(calls).toEqual([expect.stringMatching(get), 'POST /v3/add', 'POST /v3/send']);
  });
});

describe('node-getpocket', () => {
  it('archives an item with its own method, which sends the time in milliseconds', async () => {
    const api = await ReadingListApi.of(app);
    const itemId = await api.saved(PAGE);
    const client = nodeGetPocket(api.consumerKey, api.user.accessToken);

    const answer = await new Promise((resolve) => {
      client.archive({ item_id: itemId }, (error, body) => {
        resolve({ error, body });
      });
    });

    expect(answer).toMatchObject({ body: { status: 1, action_results: [true] } });
    const { status, time_read } = (await api.item(itemId))!;
    expect([status, time_read.length]).toEqual(['1', 10]);
  });
});
