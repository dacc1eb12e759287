import { Dialect } from '../../src/auth/consumers/entities/consumer-key.entity.js';
import type { FetchResponse } from '../../src/reading-list/get/get.presenter.js';
import {
  AN_HOUR_AGO,
  expectRefusal,
  listKeys,
  ReadingListApi,
} from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

const PASSTHROUGH = { firstChunkSize: '25', fetchChunkSize: '250', chunk: '0' };
/** More than two pages, which have 25 and 250 items. */
const MANY = 280;

let app: TestApp;
let api: ReadingListApi;

beforeAll(async () => {
  app = await aTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  api = await ReadingListApi.of(app);
});

const fetched = async (members: object = {}, whose = api): Promise<FetchResponse> =>
  (await whose.post('/v3/fetch', members).expect(200)).body as FetchResponse;

/** Saves pages that are named by position. The last one is the newest. */
const save = (count: number): Promise<unknown> =>
  api.results(
    ...Array.from({ length: count }, (_, n) => ({
      ...{ action: 'add', url: `https://example.com/${n}`, time: 1_700_000_000 + n },
    })),
  );

describe.each(Object.values(Dialect))('POST /v3/fetch in the %s dialect', (dialect) => {
  it('returns a small first page, then large pages, newest items first', async () => {
    await save(MANY);
    const whose = await ReadingListApi.of(app, { dialect, user: api.user });
    const places = async (members: object): Promise<number[]> =>
      Object.values((await fetched(members, whose)).list).map((item) =>
        Number(new URL('given_url' in item ? item.given_url : '').pathname.slice(1)),
      );
    const expected = (from: number, count: number): number[] =>
      Array.from({ length: count }, (_, n) => MANY - 1 - from - n);

    expect(await places({})).toEqual(expected(0, 25));
    expect(await places({ offset: 0, count: 100 })).toEqual(expected(0, 25));
    expect(await places({ offset: 25 })).toEqual(expected(25, 250));
    expect(await places({ offset: '25', count: '40' })).toEqual(expected(25, 40));
    expect(await places({ offset: 1, count: 1_000_000 })).toEqual(expected(1, MANY - 1));
    expect(await places({ offset: MANY })).toEqual([]);
  });
});

describe('the response of POST /v3/fetch', () => {
  beforeEach(async () => {
    await save(3);
    await api.results(
      { action: 'archive', url: 'https://example.com/0' },
      { action: 'tags_add', url: 'https://example.com/1', tags: 'one' },
      {
        ...{ action: 'add_annotation', url: 'https://example.com/1' },
        annotation: { annotation_id: 'a', quote: 'x', patch: '' },
      },
    );
  });

  it('equals a complete /v3/get of unread items, with the total and the chunk sizes', async () => {
    const { since, ...got } = await api.found({
      ...{ state: 'unread', sort: 'newest', detailType: 'complete', total: 1, annotations: 1 },
    });

    const answer = await fetched({ chunk: 7 });

    expect(answer).toEqual({
      ...got,
      since: expect.any(Number),
      passthrough: { ...PASSTHROUGH, chunk: '7' },
    });
    expect(answer.since).toBeGreaterThanOrEqual(since);
    expect(answer.total).toBe('2');
    const { text } = await api.post('/v3/fetch');
    expect(listKeys(text)).toEqual(Object.keys(answer.list));
  });

  it('does not depend on state, sort, detailType, total, tag, favorite and search', async () => {
    const members = { state: 'archive', sort: 'oldest', detailType: 'simple', total: 0, tag: 'x' };

    const { since, ...answer } = await fetched({ ...members, favorite: 1, search: 'nothing' });

    expect({ ...answer, since }).toEqual({ ...(await fetched()), since: expect.any(Number) });
  });

  it('contains annotations unless annotations is 0', async () => {
    const marked = async (members: object): Promise<number> =>
      Object.values((await fetched(members)).list).filter((item) => 'annotations' in item).length;

    expect(await marked({})).toBe(1);
    expect(await marked({ annotations: '1' })).toBe(1);
    expect(await marked({ annotations: 0 })).toBe(0);
  });

  it('can be filtered by hasAnnotations and updatedBefore', async () => {
    const totals = async (members: object): Promise<string | undefined> =>
      (await fetched(members)).total;

    expect(await totals({ hasAnnotations: 1 })).toBe('1');
    expect(await totals({ hasAnnotations: 0 })).toBe('1');
    expect(await totals({ updatedBefore: AN_HOUR_AGO })).toBe('0');
  });

  it('contains only the changed items if since is set', async () => {
    const { since } = await fetched();
    await api.results({ action: 'delete', url: 'https://example.com/2' });

    const { complete, list, total } = await fetched({ since });

    expect([complete, total]).toEqual([0, '1']);
    expect(Object.values(list)).toEqual([expect.objectContaining({ status: '2' })]);
  });

  it('contains the tag names if forcetaglist or taglist is set', async () => {
    expect(await fetched()).not.toHaveProperty('tags');
    expect(await fetched({ forcetaglist: 1 })).toMatchObject({ tags: ['one'] });
    expect(await fetched({ taglist: 1 })).toMatchObject({ tags: ['one'] });
  });

  it('contains three empty arrays if shares is set', async () => {
    const shares = { recent_friends: [], auto_complete_emails: [], unconfirmed_shares: [] };

    expect(await fetched({ shares: '1' })).toMatchObject(shares);
    expect(Object.keys(await fetched({ shares: 0 }))).toEqual(Object.keys(await fetched()));
    expect(await fetched()).not.toHaveProperty('recent_friends');
  });

  it('contains only items of the user', async () => {
    const other = await ReadingListApi.of(app);

    expect(await fetched({}, other)).toMatchObject({ list: {}, total: '0' });
  });
});

describe('POST /v3/fetch', () => {
  it.each([{ offset: -1 }, { count: 0 }, { chunk: 'x' }, { since: -1 }, { annotations: 2 }])(
    'returns 400 for %j',
    async (members) => {
      expectRefusal(await api.post('/v3/fetch', members), 400, 130);
    },
  );
});
