import { Dialect } from '../../src/auth/consumers/entities/consumer-key.entity.js';
import type { ItemResponse } from '../../src/reading-list/get/item.presenter.js';
import { expectRefusal, ReadingListApi } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

const PAGE = 'https://example.com/annotated';
const ID = '0e1f4c1a-6f3b-4a52-9d0c-5d6f2c1b7a90';
const PASSAGE = {
  annotation_id: ID,
  quote: 'It is a truth universally acknowledged',
  patch: '@@ -1,7 +1,29 @@\n+<pkt_tag_annotation>\n It is a',
  version: 2,
};

let app: TestApp;
let api: ReadingListApi;
let item: string;

beforeAll(async () => {
  app = await aTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  api = await ReadingListApi.of(app);
  item = await api.saved(PAGE);
});

const add = (annotation: object = PASSAGE, more: object = { item_id: item }): object => ({
  ...{ action: 'add_annotation', annotation, time: 1_763_800_000 },
  ...more,
});
const annotations = async (whose = api): Promise<ItemResponse['annotations'][]> =>
  (await whose.items({ annotations: 1 })).map((one) => one.annotations);

describe('an annotation', () => {
  it('is returned with its item if the parameter annotations is set', async () => {
    expect(await api.results(add())).toEqual([true]);

    expect(await annotations()).toEqual([
      [{ ...PASSAGE, item_id: item, version: '2', created_at: '2025-11-22 08:26:40' }],
    ]);
    const [silent] = await api.items({ detailType: 'complete' });
    expect(silent).not.toHaveProperty('annotations');
  });

  it('gives its item a new version when it is added and when it is deleted', async () => {
    const { since } = await api.found();

    await api.results(add());
    const came = await api.found({ since, annotations: '1' });
    await api.results({ action: 'delete_annotation', annotation_id: ID });
    const went = await api.found({ since: came.since, annotations: '1' });

    expect(Object.values(came.list)).toEqual([
      expect.objectContaining({ item_id: item, annotations: [expect.anything()] }),
    ]);
    expect(Object.keys(went.list)).toEqual([item]);
    expect(went.list[item]).not.toHaveProperty('annotations');
  });

  it('can be added by the URL of its item and gets a generated id', async () => {
    const anonymous = { quote: 'All happy families', patch: '' };

    expect(await api.results(add(anonymous, { url: `${PAGE}/#here` }))).toEqual([true]);

    expect(await annotations()).toEqual([
      [expect.objectContaining({ annotation_id: expect.stringMatching(/^[\w-]{36}$/) })],
    ]);
  });

  it('is replaced if it is sent again, and can be deleted twice', async () => {
    const gone = { action: 'delete_annotation', annotation_id: ID };
    await api.results(add());

    expect(await api.results(add({ ...PASSAGE, quote: 'Call me Ishmael' }))).toEqual([true]);
    expect(await annotations()).toEqual([[expect.objectContaining({ quote: 'Call me Ishmael' })]]);
    expect(await api.results(gone, gone)).toEqual([true, true]);
    expect(await annotations()).toEqual([undefined]);
  });

  it('is deleted with its item and is not restored when the URL is saved again', async () => {
    await api.results(add());

    await api.results({ action: 'delete', item_id: item }, { action: 'add', url: PAGE });

    expect(await annotations()).toEqual([undefined]);
    expect(await api.results(add())).toEqual([true]);
    const [counted] = await app.database.query<{ count: string }>(
      `SELECT count(*) FROM annotations WHERE item_id = ${item} AND annotation_id = '${ID}' AND user_id = ${api.user.id}`,
    );
    expect(counted?.count).toBe('1');
  });

  it('is affected by earlier actions of the same batch', async () => {
    const url = 'https://example.com/fresh';

    const results = await api.results(
      { action: 'add', url },
      add(PASSAGE, { url }),
      { action: 'delete_annotation', annotation_id: ID },
      add(PASSAGE),
      { action: 'delete', url },
      add({ ...PASSAGE, annotation_id: 'late' }, { url }),
    );

    expect(results).toEqual([true, true, true, true, true, false]);
    expect(await annotations()).toEqual([[expect.objectContaining({ annotation_id: ID })]]);
  });

  it('no longer exists for later actions of a batch that deletes its item', async () => {
    const second = await api.saved('https://example.com/second');
    await api.results(add());

    const results = await api.results(
      { action: 'delete', item_id: item },
      { action: 'delete_annotation', annotation_id: ID },
      add(PASSAGE, { item_id: second }),
    );

    expect(results).toEqual([true, true, true]);
    expect(await annotations()).toEqual([[expect.objectContaining({ item_id: second })]]);
  });

  it('belongs to one user', async () => {
    const other = await ReadingListApi.of(app);
    await api.results(add());

    expect(await other.results(add())).toEqual([false]);
    expect(await other.results({ action: 'delete_annotation', annotation_id: ID })).toEqual([true]);
    expect(await annotations()).toEqual([[expect.objectContaining({ annotation_id: ID })]]);
    const theirs = await other.saved(PAGE);
    expect(await other.results(add(PASSAGE, { item_id: theirs }))).toEqual([true]);
    expect(await annotations(other)).toEqual([[expect.objectContaining({ annotation_id: ID })]]);
  });

  it('cannot be added to a second item with the same id', async () => {
    const second = await api.saved('https://example.com/second');
    await api.results(add());

    const { action_errors: errors } = await api.sent(add(PASSAGE, { item_id: second }));

    expect(errors).toEqual([expect.objectContaining({ code: 130 })]);
  });

  it('is rejected if its item has 100 annotations, unless it replaces one of them', async () => {
    const many = Array.from({ length: 101 }, (_, n) =>
      add({ quote: `${n}`, annotation_id: `${n}` }),
    );

    const results = await api.results(...many);

    expect(results.map(Boolean)).toEqual([...Array.from({ length: 100 }, () => true), false]);
    expect(await api.results(add({ quote: 'again', annotation_id: '7' }))).toEqual([true]);
  });

  it('returns true as the action result in the classic dialect too', async () => {
    const classic = await ReadingListApi.of(app, { dialect: Dialect.Classic, user: api.user });

    expect(await classic.results(add())).toEqual([true]);
  });
});

describe('an invalid annotation', () => {
  it.each([
    ['absent', undefined],
    ['null', null],
    ['an array', []],
    ['text', 'text'],
    ['empty', {}],
    ['without words', { quote: '' }],
    ['with words that are none', { quote: {} }],
    ['too long', { quote: 'x'.repeat(20_001) }],
    ['with too long a patch', { quote: 'x', patch: 'x'.repeat(60_001) }],
    ['with a patch that is none', { quote: 'x', patch: {} }],
    ['with an id of two words', { quote: 'x', annotation_id: 'a b' }],
    ['with too long an id', { quote: 'x', annotation_id: 'x'.repeat(65) }],
    ['with an id that is none', { quote: 'x', annotation_id: {} }],
  ])('fails without affecting the other action: %s', async (_, annotation) => {
    const { action_results: results, action_errors: errors } = await api.sent(
      { action: 'add_annotation', item_id: item, annotation },
      { action: 'favorite', item_id: item },
    );

    expect(results).toEqual([false, true]);
    expect(errors).toEqual([expect.objectContaining({ code: 130 }), null]);
    expect(await annotations()).toEqual([undefined]);
  });

  it('returns error 198 for an unknown item and error 130 for a deletion without an id', async () => {
    const { action_errors: errors } = await api.sent(add(PASSAGE, { item_id: '1' }), {
      action: 'delete_annotation',
    });

    expect(errors.map((error) => error?.code)).toEqual([198, 130]);
  });
});

describe('the filter hasAnnotations', () => {
  const NAMES = ['a', 'b', 'c', 'd', 'e', 'f'];
  const names = async (members: object): Promise<string> => {
    const found = (await api.names({ sort: 'title', ...members })).join('');
    const { total } = await api.found({ ...members, total: 1 });
    expect(total).toBe(String(found.length));
    return found;
  };
  const mark = (name: string, quote = 'x'): object =>
    add({ quote }, { url: `https://example.com/${name}` });

  beforeEach(async () => {
    await api.results(
      { action: 'delete', item_id: item },
      ...NAMES.map((name) => ({
        ...{ action: 'add', url: `https://example.com/${name}`, title: name },
        tags: 'ace'.includes(name) ? 'vowel' : '',
      })),
      ...[mark('a'), mark('a', 'y'), mark('b'), mark('c')],
      { action: 'archive', url: 'https://example.com/b' },
    );
  });

  it.each([1, '1', true, 'true'])('%j returns the items with annotations', async (yes) => {
    expect(await names({ hasAnnotations: yes })).toBe('abc');
  });

  it.each([0, '0', false, 'false'])('%j returns the items without annotations', async (no) => {
    expect(await names({ hasAnnotations: no })).toBe('def');
  });

  it.each([null, '', undefined])('%j does not filter', async (nothing) => {
    expect(await names({ hasAnnotations: nothing })).toBe('abcdef');
  });

  it('is combined with other filters and with paging', async () => {
    expect(await names({ hasAnnotations: 1, state: 'unread' })).toBe('ac');
    expect(await names({ hasAnnotations: 0, tag: 'vowel' })).toBe('e');
    expect(await names({ hasAnnotations: 1, search: '/b' })).toBe('b');
    const page = { hasAnnotations: 1, sort: 'title', count: 1, offset: 1, total: 1 };
    expect(await api.found(page)).toMatchObject({ total: '3' });
    expect(await api.names(page)).toEqual(['b']);
  });

  it('reflects added annotations and deleted items', async () => {
    await api.results(
      { action: 'delete', url: 'https://example.com/a' },
      { action: 'add', url: 'https://example.com/a', title: 'a' },
      mark('f'),
    );

    expect(await names({ hasAnnotations: 1 })).toBe('bcf');
  });

  it('considers only annotations of the user', async () => {
    const other = await ReadingListApi.of(app);
    await other.saved('https://example.com/a');
    const marked = await other.found({ hasAnnotations: 1, total: 1 });

    expect(marked).toMatchObject({ list: {}, total: '0' });
    expect(await other.names({ hasAnnotations: 0 })).toEqual(['a']);
  });

  it('rejects a value that is not a flag', async () => {
    expectRefusal(await api.get({ hasAnnotations: 2 }), 400, 130);
  });
});
