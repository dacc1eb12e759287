import { Dialect } from '../../src/auth/consumers/entities/consumer-key.entity.js';
import { ReadingListApi, tagsOf } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

const PAGE = 'https://example.com/page';
const NO_ITEM = {
  message: 'Error - Not Found: SavedItem does not exist',
  type: 'Internal Server Error',
  code: 198,
};
const UNKNOWN = { action: 'archive', item_id: '1' };

let app: TestApp;
let api: ReadingListApi;
let itemId: string;

beforeAll(async () => {
  app = await aTestApp();
});
afterAll(() => app.close());

beforeEach(async () => {
  api = await ReadingListApi.of(app);
  itemId = await api.saved(PAGE);
});

describe('the response of POST /v3/send', () => {
  it('has status 1 and true for each action when all succeed', async () => {
    const { body, headers, text } = await api
      .send([
        { action: 'favorite', item_id: itemId },
        { action: 'archive', item_id: itemId },
      ])
      .expect(200);

    const results = { action_results: [true, true], action_errors: [null, null] };
    expect(body).toEqual({ status: 1, ...results });
    expect(text).toBe(JSON.stringify(body));
    expect(headers).toMatchObject({ 'content-type': 'application/json', 'x-source': 'Pocket' });
    expect(headers).not.toHaveProperty('x-error');
  });

  it('has status 0, and false for each action that fails', async () => {
    const answer = await api.sent(
      UNKNOWN,
      { action: 'favorite', item_id: itemId },
      { action: 'nonsense' },
    );

    const invalid = { message: "Invalid Action: 'nonsense'", type: 'Bad request', code: 130 };
    expect(answer).toEqual({
      status: 0,
      action_results: [false, true, false],
      action_errors: [NO_ITEM, null, invalid],
    });
    expect(await api.item(itemId)).toMatchObject({ favorite: '1', status: '0' });
  });

  it('has status 0 when every action fails', async () => {
    expect(await api.sent(UNKNOWN)).toEqual({
      status: 0,
      action_results: [false],
      action_errors: [NO_ITEM],
    });
  });

  it('has status 1 and no results if there are no actions', async () => {
    expect(await api.sent()).toEqual({ status: 1, action_results: [], action_errors: [] });
  });

  it('has status 1 in the classic dialect even if an action fails', async () => {
    const classic = await ReadingListApi.of(app, { dialect: Dialect.Classic, user: api.user });

    const answer = await classic.sent(UNKNOWN, { action: 'favorite', item_id: itemId });

    expect(answer).toEqual({
      status: 1,
      action_results: [false, true],
      action_errors: [NO_ITEM, null],
    });
  });
});

describe('an invalid element of actions', () => {
  const ELEMENTS = [
    null,
    true,
    1,
    'add',
    [],
    [{ action: 'archive' }],
    {},
    { item_id: '1' },
    { action: null },
    { action: '' },
    { action: 1 },
    { action: ['archive'] },
    { action: {} },
    { action: 'ADD' },
    { action: ' archive ' },
    { action: 'constructor' },
    { action: '__proto__' },
    { action: 'toString' },
    { action: 'hasOwnProperty' },
    { action: 'valueOf' },
    { action: 'then' },
    { action: 'archive;favorite' },
  ];

  it('fails without affecting the other actions', async () => {
    const named = ELEMENTS.map((element) =>
      typeof element === 'object' && element !== null && !Array.isArray(element)
        ? { item_id: itemId, url: PAGE, ...element }
        : element,
    );

    const { status, action_results, action_errors } = await api.sent(...named, {
      action: 'favorite',
      item_id: itemId,
    });

    expect(status).toBe(0);
    expect(action_results).toEqual([...ELEMENTS.map(() => false), true]);
    expect(new Set(action_errors.map((error) => error?.code))).toEqual(new Set([130, undefined]));
    expect(await api.item(itemId)).toMatchObject({ favorite: '1', status: '0' });
  });
});

describe('a report action of the Pocket apps', () => {
  it.each(['pv', 'opened_item', 'left_item', 'scrolled', 'item_session_start', 'recent_search'])(
    'returns true and changes nothing: %s',
    async (action) => {
      const before = await api.item(itemId);

      expect(await api.sent({ action, item_id: itemId, time: 'x' })).toEqual({
        status: 1,
        action_results: [true],
        action_errors: [null],
      });
      expect(await api.item(itemId)).toEqual(before);
    },
  );
});

describe('the actions of one call', () => {
  it('run in the order sent, each on the result of the previous ones', async () => {
    const url = 'https://example.com/new';
    const results = await api.results(
      { action: 'archive', url },
      { action: 'add', url, tags: 'a' },
      { action: 'archive', url },
      { action: 'tag_rename', old_tag: 'a', new_tag: 'b' },
      { action: 'delete', item_id: itemId },
      { action: 'favorite', item_id: itemId },
      { action: 'add', url: PAGE, title: 'Fresh' },
      { action: 'favorite', item_id: itemId },
    );

    expect(results).toEqual([false, true, true, true, true, false, true, true]);
    const [fresh, added] = await api.items({ detailType: 'complete', sort: 'site' });
    expect(added).toMatchObject({ item_id: itemId, given_title: 'Fresh', favorite: '1' });
    expect(fresh).toMatchObject({ given_url: url, status: '1' });
    expect(tagsOf(fresh)).toEqual(['b']);
  });

  it('can be sent again with the same results and without changes', async () => {
    const batch = [
      { action: 'add', url: 'https://example.com/new', tags: 'a,b', time: 1_700_000_000 },
      { action: 'archive', item_id: itemId, time: 1_700_000_001 },
      { action: 'tags_add', item_id: itemId, tags: 'c' },
      { action: 'tag_delete', tag: 'a' },
      { action: 'favorite', url: 'https://example.com/new', time: 1_700_000_002 },
    ];
    const first = await api.sent(...batch);
    const before = await api.items({ detailType: 'complete' });

    const second = await api.sent(...batch);

    const timeless = (items: object[]) =>
      items.map((item) => ({ ...item, time_updated: undefined }));
    expect(second).toEqual(first);
    expect(timeless(await api.items({ detailType: 'complete' }))).toEqual(timeless(before));
  });

  it('succeed when several applications send calls concurrently', async () => {
    const another = await ReadingListApi.of(app, { user: api.user });
    const ids = await Promise.all(
      Array.from({ length: 10 }, (_, at) => api.saved(`https://example.com/${at}`)),
    );
    const batch = (action: string, tags: string): object[] =>
      ids.flatMap((item_id) => [
        { action, item_id },
        { action: 'tags_add', item_id, tags },
      ]);

    const answers = await Promise.all([
      api.sent(...batch('archive', 'one')),
      another.sent(...batch('favorite', 'two').reverse()),
    ]);

    expect(answers.map(({ status }) => status)).toEqual([1, 1]);
    for (const id of ids) {
      const item = await api.item(id);
      expect(item).toMatchObject({ status: '1', favorite: '1' });
      expect(tagsOf(item)).toEqual(['one', 'two']);
    }
  });
});
