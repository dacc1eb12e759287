import {
  fillUpTo,
  FULL,
  incompressible,
  shownStorage,
  STORAGE_LIMIT,
  storedFor,
} from '../support/a-full-list.js';
import { ReadingListApi } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

const NEW = 'https://new.example/';
const SLOT = { message: FULL, type: 'Insufficient Storage', code: 160 };

let app: TestApp;
let other: TestApp;
let api: ReadingListApi;

beforeAll(async () => {
  app = await aTestApp({ config: { storageLimitBytes: STORAGE_LIMIT, resolveWaitMs: 60_000 } });
  other = await aTestApp({ beside: app });
});
afterAll(async () => {
  await other.close();
  await app.close();
});
beforeEach(async () => {
  api = await ReadingListApi.of(app);
});

/** Sets the size of the list as the service has stored it. */
const setKnown = (bytes: number | null, mayStoreLess: boolean): Promise<unknown> =>
  app.database.query('UPDATE lists SET stored_bytes = $2, may_store_less = $3 WHERE user_id = $1', [
    api.user.id,
    bytes,
    mayStoreLess,
  ]);

describe('a list at its storage limit', () => {
  beforeEach(() => fillUpTo(api, 50));

  it.each([
    ['a page', { url: NEW }],
    ['a page with its HTML', { url: NEW, html: '<title>A page</title>' }],
    ['HTML of a page that is there', { url: 'https://full.example/1', html: incompressible(900) }],
    ['a tag of a page that is there', { url: 'https://full.example/1', tags: 'one' }],
    ['a longer title of one', { url: 'https://full.example/1', title: 't'.repeat(60) }],
  ])('rejects %s in an add call and changes nothing', async (_, members) => {
    const before = await storedFor(app, api);

    const { body, headers } = await api.add(members).expect(507);

    expect(body).toEqual({ status: 0, error: FULL, code: 160 });
    expect(headers).toMatchObject({ 'x-error': FULL, 'x-error-code': '160' });
    expect(await storedFor(app, api)).toEqual(before);
  });

  it.each([
    ['add', { url: NEW }],
    ['set_note', { url: 'https://full.example/1', note: 'n'.repeat(9100) }],
    ['tags_add', { url: 'https://full.example/1', tags: 'one' }],
    ['tags_replace', { url: 'https://full.example/1', tags: 'one' }],
    [
      'add_annotation',
      {
        url: 'https://full.example/1',
        annotation: { annotation_id: 'one', quote: 'Words', patch: 'Words' },
      },
    ],
  ])('rejects %s in a send call, but runs actions that add no data', async (action, members) => {
    const { status, action_results, action_errors } = await api.sent(
      { action, ...members },
      { action: 'add', url: 'https://full.example/2' },
      { action: 'archive', url: 'https://full.example/1' },
      { action: 'set_note', url: 'https://full.example/1', note: 'shorter' },
    );

    expect(status).toBe(0);
    expect(action_results.map(Boolean)).toEqual([false, true, true, true]);
    expect(action_errors).toEqual([SLOT, null, null, null]);
    const items = await api.items({ state: 'all', detailType: 'complete', annotations: 1 });
    expect(items).toHaveLength(2);
    expect(items.find(({ note }) => note === 'shorter')).toMatchObject({ status: '1' });
    expect(items.some((item) => item.tags !== undefined && 'one' in item.tags)).toBe(false);
  });

  it('accepts a new page after a deletion, and shows the used storage', async () => {
    expect(await shownStorage(app, api)).toBe('20 KB of 20 KB');

    await api.results({ action: 'delete', url: 'https://full.example/1' });

    expect(await shownStorage(app, api)).toBe('9.9 KB of 20 KB');
    await api.saved(NEW);
    expect(await shownStorage(app, api)).toBe('10.9 KB of 20 KB');
  });

  it('accepts a page if an earlier action of the same call frees storage', async () => {
    const results = await api.results(
      { action: 'add', url: NEW },
      { action: 'delete', url: 'https://full.example/2' },
      { action: 'add', url: NEW },
    );

    expect(results.map(Boolean)).toEqual([false, true, true]);
  });
});

describe('concurrent add calls for a list with room for one page', () => {
  it('add exactly one page', async () => {
    await fillUpTo(api, 1500);
    const instances = [app, other, app, other];

    const answers = await Promise.all(
      instances.map((instance, at) => api.at(instance).add({ url: `${NEW}${at}` })),
    );

    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 507, 507, 507]);
    expect(await api.items()).toHaveLength(3);
  });
});

describe('a list of unknown size', () => {
  it('is measured when a page is added', async () => {
    await api.saved('https://old.example/');
    await setKnown(null, false);

    await api.saved(NEW);

    expect(await shownStorage(app, api)).toBe('2 KB of 20 KB');
  });

  it('is kept if it exceeds the limit, and accepts no page until it is smaller', async () => {
    await fillUpTo(api, 50);
    await app.database.query(
      `UPDATE items SET note = repeat('n', 30000) WHERE given_url = 'https://full.example/1'
         AND user_id = $1`,
      [api.user.id],
    );
    await setKnown(null, false);

    await api.add({ url: NEW }).expect(507);

    expect(await shownStorage(app, api)).toBe('41 KB of 20 KB');
    expect(await api.items()).toHaveLength(2);
    const freed = { action: 'set_note', url: 'https://full.example/1', note: '' };
    expect(await api.results(freed)).toEqual([true]);
    await api.saved(NEW);
  });

  it('is measured again only after a deletion or replacement', async () => {
    await api.saved('https://old.example/');
    await setKnown(1_000_000, false);
    await api.add({ url: NEW }).expect(507);
    expect(await shownStorage(app, api)).toBe('1 MB of 20 KB');

    await setKnown(1_000_000, true);

    await api.saved(NEW);
    expect(await shownStorage(app, api)).toBe('2 KB of 20 KB');
  });
});

describe('a service without a storage limit', () => {
  it('accepts every page, and shows the used storage', async () => {
    const free = await aTestApp({ config: { storageLimitBytes: 0 } });
    const list = await ReadingListApi.of(free);
    await fillUpTo(list, 0);
    await list.saved(NEW);
    expect(await shownStorage(free, list)).toBe('21 KB');
    await free.close();
  });
});
