import type { ItemResponse } from '../../src/reading-list/get/item.presenter.js';
import { ReadingListApi } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

const TARGET = 'https://example.com/target';
const NEIGHBOUR = 'https://example.com/neighbour';
const EVERYTHING = { detailType: 'complete', annotations: 1 };
const NOT_FOUND = (thing: string): object => ({
  message: `Error - Not Found: ${thing} does not exist`,
  type: 'Internal Server Error',
  code: 198,
});
const NO_ITEM = NOT_FOUND('SavedItem');
const NO_TAG = NOT_FOUND('Tag');
const MALFORMED = { message: expect.any(String), type: 'Bad request', code: 130 };

/** A row in the specification's tables of actions and annotation actions. */
interface Row {
  readonly action: string;
  /** The action that prepares the item. */
  readonly first?: string;
  /** Additional members besides the item. */
  readonly members?: object;
  /** The item's members after the action. Undefined if the item is deleted. */
  readonly effect: object | undefined;
  /** The error for a missing object. Null if the action succeeds anyway. */
  readonly unknown?: object | null;
  readonly deleted?: object | null;
  /** Actions with missing or unreadable members. */
  readonly malformed: readonly object[];
}

const WITHOUT_ITEM = [
  { item_id: undefined },
  { item_id: null },
  { item_id: '' },
  { item_id: 0 },
  { item_id: 'x' },
  { item_id: -1 },
  { item_id: 1.5 },
  { item_id: true },
  { item_id: [] },
  { item_id: {} },
  { item_id: '9223372036854775808' },
  { item_id: 2 ** 53 },
  { item_id: undefined, url: 'ftp://example.com' },
  { item_id: undefined, url: 1 },
  { time: 'yesterday' },
  { time: -1 },
  { time: [] },
  { time: {} },
];
const WITHOUT_TAGS = [
  { tags: undefined },
  { tags: null },
  { tags: true },
  { tags: {} },
  { tags: [true] },
  { tags: ['a,b'] },
  { tags: '_untagged_' },
  { tags: 'x'.repeat(101) },
];
const EMPTY_TAGS = [{ tags: '' }, { tags: [] }, { tags: ' , ' }];
const withoutTag = (name: string): object[] =>
  [undefined, null, '', ' ', true, [], {}, 'a,b', '_untagged_'].map((value) => ({ [name]: value }));

const newTag = { tags: 'new' };
const tagged = (...names: string[]): object => ({
  tags: Object.fromEntries(names.map((tag) => [tag, expect.objectContaining({ tag })])),
});

const passage = (annotation: object): object => ({ annotation: { quote: 'x', ...annotation } });
const annotated = (...ids: string[]): object => ({
  annotations: ids.map((annotation_id) => expect.objectContaining({ annotation_id })),
});
const WITHOUT_PASSAGE = [
  ...[undefined, null, '', 'x', 1, true, [], {}].map((annotation) => ({ annotation })),
  ...[{ quote: '' }, { quote: {} }, { quote: 'x'.repeat(20_001) }].map(passage),
  ...[{ patch: [] }, { patch: 'x'.repeat(60_001) }, { annotation_id: 'a b' }].map(passage),
  ...[{ annotation_id: 1 }, { annotation_id: 'x'.repeat(65) }].map(passage),
];
const WITHOUT_PASSAGE_ID = [undefined, null, '', ' ', 1, true, [], {}, 'a b', 'x'.repeat(65)].map(
  (annotation_id) => ({ annotation_id }),
);

const ROWS: readonly Row[] = [
  {
    action: 'add',
    first: 'archive',
    effect: { status: '0' },
    malformed: [...WITHOUT_ITEM, { tags: {} }, { tags: 'x'.repeat(101) }, { title: [] }],
  },
  { action: 'archive', effect: { status: '1' }, malformed: WITHOUT_ITEM },
  { action: 'readd', first: 'archive', effect: { status: '0' }, malformed: WITHOUT_ITEM },
  { action: 'favorite', effect: { favorite: '1' }, malformed: WITHOUT_ITEM },
  { action: 'unfavorite', first: 'favorite', effect: { favorite: '0' }, malformed: WITHOUT_ITEM },
  { action: 'delete', effect: undefined, deleted: null, malformed: WITHOUT_ITEM },
  {
    action: 'tags_add',
    members: newTag,
    effect: tagged('new', 'old'),
    malformed: [...WITHOUT_ITEM, ...WITHOUT_TAGS, ...EMPTY_TAGS],
  },
  {
    action: 'tags_remove',
    members: { tags: 'old' },
    effect: tagged(),
    malformed: [...WITHOUT_ITEM, ...WITHOUT_TAGS, ...EMPTY_TAGS],
  },
  {
    action: 'tags_replace',
    members: newTag,
    effect: tagged('new'),
    malformed: [...WITHOUT_ITEM, ...WITHOUT_TAGS],
  },
  { action: 'tags_clear', effect: tagged(), malformed: WITHOUT_ITEM },
  {
    action: 'tag_rename',
    members: { old_tag: 'old', new_tag: 'new' },
    effect: tagged('new'),
    unknown: NO_TAG,
    malformed: [...withoutTag('old_tag'), ...withoutTag('new_tag'), { time: 'x' }],
  },
  {
    action: 'tag_delete',
    members: { tag: 'old' },
    effect: tagged(),
    unknown: null,
    malformed: [...withoutTag('tag'), { time: 'x' }],
  },
  {
    action: 'add_annotation',
    members: passage({ annotation_id: 'new' }),
    effect: annotated('old', 'new'),
    malformed: [...WITHOUT_ITEM, ...WITHOUT_PASSAGE],
  },
  {
    action: 'delete_annotation',
    members: { annotation_id: 'old' },
    effect: expect.not.objectContaining({ annotations: expect.anything() }),
    unknown: null,
    malformed: [...WITHOUT_PASSAGE_ID, { time: 'x' }],
  },
];

/** Returns true if the effect is a matcher. Matchers describe what the item lacks. */
const isMatcher = (effect: object | undefined): boolean =>
  effect !== undefined && 'asymmetricMatch' in effect;

let app: TestApp;
let api: ReadingListApi;
let itemId: string;
let neighbourId: string;

/** Adds an old annotation to an item. */
const mark = (whose: ReadingListApi, item_id: string, annotation_id: string): Promise<unknown> =>
  whose.sent({
    ...{ action: 'add_annotation', item_id, time: 1_700_000_000 },
    ...passage({ annotation_id }),
  });

beforeAll(async () => {
  app = await aTestApp();
});
afterAll(() => app.close());

beforeEach(async () => {
  api = await ReadingListApi.of(app);
  itemId = await api.saved(TARGET, { tags: 'old', time: 1_700_000_000 });
  neighbourId = await api.saved(NEIGHBOUR, { tags: 'kept', time: 1_700_000_001 });
  await mark(api, itemId, 'old');
});

describe.each(ROWS)('the action $action', (row) => {
  const { action, first, members, effect, malformed } = row;
  const unknown = row.unknown === undefined ? NO_ITEM : row.unknown;
  const deleted = row.deleted === undefined ? unknown : row.deleted;

  const onItem = (changes: object = {}): object => ({
    action,
    item_id: itemId,
    ...members,
    ...changes,
  });

  /** Sends the action between two others. Returns only its part of the answer. */
  const sentBetween = async (sent: object): Promise<object> => {
    const { status, action_results, action_errors } = await api.sent(
      { action: 'favorite', item_id: neighbourId },
      sent,
      { action: 'tags_add', item_id: neighbourId, tags: 'added' },
    );
    const [before, result, after] = action_results;
    expect([before, after]).toEqual([true, true]);
    expect([action_errors[0], action_errors[2]]).toEqual([null, null]);
    expect(action_results).toHaveLength(3);
    expect(await api.item(neighbourId)).toMatchObject({
      favorite: '1',
      ...tagged('added', 'kept'),
    });
    return { status, result, error: action_errors[1] };
  };

  /** Members that refer to nothing of any user. */
  const nobodys = {
    ...{ item_id: '4503599627370496', old_tag: 'nobody', tag: 'nobody' },
    annotation_id: 'nobody',
  };

  const outcome = (error: object | null): object => ({
    status: error === null ? 1 : 0,
    result: error === null,
    error,
  });

  it('changes the item as specified', async () => {
    await api.sent(...(first === undefined ? [] : [{ action: first, item_id: itemId }]));

    expect(await sentBetween(onItem())).toEqual(outcome(null));

    const item = await api.item(itemId);
    expect(item).toEqual(isMatcher(effect) ? effect : effect && expect.objectContaining(effect));
  });

  it('has the specified result for an unknown item, tag or annotation', async () => {
    const before = await api.item(itemId);

    expect(await sentBetween(onItem(nobodys))).toEqual(outcome(unknown));

    expect(await api.item(itemId)).toEqual(before);
  });

  it('has the same result for data of another user as for unknown data', async () => {
    const other = await ReadingListApi.of(app);
    const theirs = await other.saved('https://example.com/theirs', { tags: 'theirs' });
    await mark(other, theirs, 'theirs');
    const before = await other.items(EVERYTHING);
    const strangers = {
      ...{ item_id: theirs, old_tag: 'theirs', tag: 'theirs' },
      annotation_id: 'theirs',
    };

    const ofOther = await api.send([onItem(strangers)]);
    const ofNobody = await api.send([onItem(nobodys)]);

    expect([ofOther.status, ofOther.text]).toEqual([200, ofNobody.text]);
    expect(await sentBetween(onItem(strangers))).toEqual(outcome(unknown));
    expect(await other.items(EVERYTHING)).toEqual(before);
    expect(await api.items()).toHaveLength(2);
  });

  it('has the specified result for a deleted item', async () => {
    await api.sent({ action: 'delete', item_id: itemId });

    expect(await sentBetween(onItem())).toEqual(outcome(deleted));

    expect(await api.item(itemId)).toBeUndefined();
    expect(await api.names()).toEqual(['neighbour']);
  });

  it('fails without affecting other actions if it is malformed', async () => {
    const before = await api.items(EVERYTHING);

    const { status, action_results, action_errors } = await api.sent(
      { action: 'favorite', item_id: neighbourId },
      ...malformed.map(onItem),
      { action: 'unfavorite', item_id: neighbourId },
    );

    const accepted = malformed.filter((_, at) => action_results[at + 1] !== false);
    expect(accepted).toEqual([]);
    expect([status, action_results[0], action_results.at(-1)]).toEqual([0, true, true]);
    expect(action_errors.slice(1, -1)).toEqual(malformed.map(() => MALFORMED));
    expect(await api.items(EVERYTHING)).toEqual(before.map(touched));
  });

  /** The other actions changed the neighbor's time of update. */
  const touched = (item: ItemResponse): object =>
    item.item_id === neighbourId ? { ...item, time_updated: expect.any(String) } : item;
});
