import { Dialect } from '../../src/auth/consumers/entities/consumer-key.entity.js';
import { AN_HOUR_AGO, ReadingListApi } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

const ENVELOPE = {
  status: 1,
  error: null,
  search_meta: { search_type: 'normal' },
  since: expect.any(Number),
  maxActions: 30,
  cachetype: 'db',
};

let app: TestApp;
let api: ReadingListApi;
let classic: ReadingListApi;

beforeAll(async () => {
  app = await aTestApp();
});
afterAll(() => app.close());

beforeEach(async () => {
  api = await ReadingListApi.of(app);
  classic = await ReadingListApi.of(app, { dialect: Dialect.Classic, user: api.user });
});

describe('/v3/get', () => {
  it('returns the list with the other documented fields', async () => {
    const itemId = await api.saved('https://example.com/');

    const { body, headers } = await api.get().expect(200);

    const list = { [itemId]: expect.objectContaining({ item_id: itemId }) };
    expect(body).toEqual({ ...ENVELOPE, complete: 1, list });
    expect(headers).toMatchObject({ 'content-type': 'application/json', 'x-source': 'Pocket' });
    expect(headers).not.toHaveProperty('x-error');
  });

  it('returns {} for an empty list, never []', async () => {
    const { text, body } = await api.get().expect(200);

    expect(text).toContain('"list":{}');
    expect(body).toEqual({ ...ENVELOPE, complete: 1, list: {} });
  });

  it('returns complete 1 for since 0, and complete 0 for a later since', async () => {
    await api.saved('https://example.com/');

    expect(await api.found({ since: 0 })).toMatchObject({ complete: 1 });
    expect(await api.found({ since: AN_HOUR_AGO })).toMatchObject({ complete: 0 });
  });

  it('returns status 1 with items and status 2 without items in the classic dialect', async () => {
    const empty = await classic.found();
    await api.saved('https://example.com/');
    const filled = await classic.found();
    const narrowed = await classic.found({ state: 'archive' });

    expect([empty, filled, narrowed].map(({ status }) => status)).toEqual([2, 1, 2]);
    expect(empty).toEqual({ ...ENVELOPE, status: 2, complete: 1, list: {} });
  });

  it('returns no items or tags of another user', async () => {
    const other = await ReadingListApi.of(app);
    const itemId = await api.saved('https://example.com/', { tags: 'mine' });

    expect(await other.found({ total: 1, forcetaglist: 1 })).toMatchObject({ list: {}, tags: [] });
    expect(await other.found({ item: itemId })).toMatchObject({ list: {} });
    expect(await other.found({ since: AN_HOUR_AGO })).toMatchObject({ list: {} });
  });

  it('returns no deleted items', async () => {
    const itemId = await api.saved('https://example.com/');
    await api.sent({ action: 'delete', item_id: itemId });

    expect(await api.found({ state: 'all', total: '1' })).toMatchObject({ list: {} });
  });

  it('does not change the list', async () => {
    await api.saved('https://example.com/', { tags: 'x' });
    const before = await api.items({ detailType: 'complete' });

    await api.get({ sort: 'title', total: 1, since: AN_HOUR_AGO, search: 'x' }).expect(200);

    expect(await api.items({ detailType: 'complete' })).toEqual(before);
  });
});

describe('the parameter item of /v3/get', () => {
  it.each([(id: string) => id, (id: string) => Number(id)])(
    'finds one item by its id as a string or a number',
    async (spell) => {
      const itemId = await api.saved('https://example.com/1');
      await api.saved('https://example.com/2');

      expect(Object.keys((await api.found({ item: spell(itemId) })).list)).toEqual([itemId]);
    },
  );

  it.each(['x', '-1', 1.5, [], {}, '9223372036854775808'])('%j is rejected', async (item) => {
    await api.get({ item }).expect(400);
  });
});
