import { incompressible, shownStorage } from '../support/a-full-list.js';
import { ReadingListApi } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

/** Room for one snapshot of 19,000 random letters, and not for two. */
const LIMIT = 25_000;
const URL = 'https://example.com/page';
const HTML = '<!doctype html><title>Page</title><p>Words of the page';

let app: TestApp;
let api: ReadingListApi;
let itemId: string;

beforeAll(async () => {
  app = await aTestApp({ config: { storageLimitBytes: LIMIT, snapshotLimitBytes: 20_000 } });
});
afterAll(() => app.close());
beforeEach(async () => {
  api = await ReadingListApi.of(app);
  itemId = await api.saved(URL);
});

interface Row {
  readonly id: string;
  readonly item: string | null;
  readonly trashed: string | null;
  readonly bytes: number;
}

const rows = (whose = api): Promise<Row[]> =>
  app.database.query<Row>(
    `SELECT snapshot_id AS id, item_id AS item, trashed_item_id AS trashed, bytes FROM snapshots
     WHERE user_id = $1 ORDER BY created_at`,
    [whose.user.id],
  );

const stored = async (members: object = {}): Promise<string> => {
  const { body } = await api
    .post('/v3/snapshot', { item_id: itemId, html: HTML, ...members })
    .expect(200);
  expect(body.status).toBe(1);
  return body.snapshot_id as string;
};

const storedBytes = async (): Promise<number> => {
  await shownStorage(app, api);
  const [list] = await app.database.query<{ bytes: number }>(
    'SELECT stored_bytes::float8 AS bytes FROM lists WHERE user_id = $1',
    [api.user.id],
  );
  return list!.bytes;
};

describe('a snapshot of a page', () => {
  it('is stored for an item by id, or by the address in any spelling', async () => {
    const ids = [
      await stored(),
      await stored({ item_id: undefined, url: `${URL}?utm_source=mail` }),
    ];

    expect(await rows()).toEqual(
      ids.map((id) => expect.objectContaining({ id, item: itemId, trashed: null })),
    );
  });

  it.each([
    ['no item', { item_id: undefined }, 400],
    ['no HTML', { html: undefined }, 400],
    ['an id that is not a number', { item_id: 'x' }, 400],
    ['an unknown item', { item_id: '1' }, 404],
    ['an address that is not in the list', { item_id: undefined, url: `${URL}/2` }, 404],
    ['more than the maximum size', { html: 'é'.repeat(10_001) }, 413],
    ['elements that are nested too deep', { html: '<b></i>'.repeat(513) }, 400],
  ])('is rejected with %s', async (_, members, status) => {
    await api.post('/v3/snapshot', { item_id: itemId, html: HTML, ...members }).expect(status);

    expect(await rows()).toEqual([]);
  });

  it("is rejected for another user's item", async () => {
    const bob = await ReadingListApi.of(app);

    await bob.post('/v3/snapshot', { item_id: itemId, html: HTML }).expect(404);
    await bob.post('/v3/snapshot', { url: URL, html: HTML }).expect(404);

    expect(await rows()).toEqual([]);
    expect(await rows(bob)).toEqual([]);
  });

  it('replaces the oldest one after five', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 6; n += 1) {
      ids.push(await stored());
    }

    expect((await rows()).map(({ id }) => id)).toEqual(ids.slice(1));
  });

  it('replaces only the oldest one if a merge has given the item more than five', async () => {
    const ids = [];
    for (let count = 0; count < 4; count += 1) {
      ids.push(await stored());
    }
    const other = await api.saved(`${URL}/other`);
    for (let count = 0; count < 4; count += 1) {
      ids.push(await stored({ item_id: other }));
    }
    await app.database.query('UPDATE snapshots SET item_id = $2 WHERE user_id = $1', [
      api.user.id,
      itemId,
    ]);

    const last = await stored();

    expect((await rows()).map((row) => row.id)).toEqual([...ids.slice(1), last]);
  });

  it('stays within five if several arrive at once', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => stored()));

    const ids = (await rows()).map(({ id }) => id);
    expect(ids).toHaveLength(5);
    expect(answers).toEqual(expect.arrayContaining(ids));
  });
});

describe('the storage of a user', () => {
  it('contains the snapshots, exactly as a measurement counts them', async () => {
    const before = await storedBytes();
    await stored({ html: incompressible(4000) });

    const [row] = await rows();
    expect(row!.bytes).toBeGreaterThan(2500);
    expect(await storedBytes()).toBe(before + row!.bytes);
    await app.database.query('UPDATE lists SET stored_bytes = NULL WHERE user_id = $1', [
      api.user.id,
    ]);
    expect(await storedBytes()).toBe(before + row!.bytes);
  });

  it('rejects a snapshot that does not fit, and stores nothing', async () => {
    await stored({ html: incompressible(19_000) });

    const { body } = await api
      .post('/v3/snapshot', { item_id: itemId, html: incompressible(19_000) })
      .expect(507);

    expect(body).toMatchObject({ status: 0, code: 160 });
    expect(await rows()).toHaveLength(1);
  });

  it('has room again after the item was deleted', async () => {
    await stored({ html: incompressible(19_000) });

    await api.sent({ action: 'delete', item_id: itemId });

    expect(await rows()).toEqual([]);
    itemId = await api.saved(URL);
    await stored({ html: incompressible(19_000) });
  });
});
