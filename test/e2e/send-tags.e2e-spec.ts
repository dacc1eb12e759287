import { ReadingListApi, tagsOf } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

let app: TestApp;
let api: ReadingListApi;
let itemId: string;

beforeAll(async () => {
  app = await aTestApp();
});
afterAll(() => app.close());

beforeEach(async () => {
  api = await ReadingListApi.of(app);
  itemId = await api.saved('https://example.com/page', { tags: 'one,Two' });
});

/** Runs the action, which must succeed. Returns the item's tags. */
async function tagsAfter(action: string, tags?: unknown): Promise<string[]> {
  expect(await api.results({ action, item_id: itemId, tags })).toEqual([true]);
  return tagsOf(await api.item(itemId));
}

const FIFTY = Array.from({ length: 50 }, (_, at) => `t${at}`);

describe('the action tags_add', () => {
  it.each([
    ['three', ['Two', 'one', 'three']],
    ['three,four', ['Two', 'four', 'one', 'three']],
    [' three , two  words ', ['Two', 'one', 'three', 'two words']],
    [
      ['three', 'four'],
      ['Two', 'four', 'one', 'three'],
    ],
    ['ONE,two', ['Two', 'one']],
    ['three,THREE,three', ['Two', 'one', 'three']],
    ['three,,', ['Two', 'one', 'three']],
    ['\u00a0three\u3000', ['Two', 'one', 'three']],
    ['e\u0301t\u00e9', ['Two', 'one', '\u00e9t\u00e9']],
    ['👩‍👩‍👧‍👦', ['Two', 'one', '👩‍👩‍👧‍👦']],
    ['x'.repeat(100), ['Two', 'one', 'x'.repeat(100)]],
    ['😀'.repeat(100), ['Two', 'one', '😀'.repeat(100)]],
  ])('%j results in the tags %j', async (tags, names) => {
    expect(await tagsAfter('tags_add', tags)).toEqual([...names].sort());
  });

  it('fails without changes if the item would have more than 50 tags', async () => {
    const [result] = await api.results({ action: 'tags_add', item_id: itemId, tags: FIFTY });

    expect(result).toBe(false);
    expect(tagsOf(await api.item(itemId))).toEqual(['Two', 'one']);
    expect(await tagsAfter('tags_add', FIFTY.slice(2))).toHaveLength(50);
  });

  it('keeps the first spelling of a tag on every item', async () => {
    const otherId = await api.saved('https://example.com/other');

    await api.sent({ action: 'tags_add', item_id: otherId, tags: 'TWO' });

    expect(tagsOf(await api.item(otherId))).toEqual(['Two']);
  });
});

describe('the action tags_remove', () => {
  it.each([
    ['one', ['Two']],
    ['two,ONE', []],
    [['two'], ['one']],
    ['absent', ['Two', 'one']],
    ['absent,one', ['Two']],
  ])('%j leaves the tags %j', async (tags, names) => {
    expect(await tagsAfter('tags_remove', tags)).toEqual(names);
  });
});

describe('the action tags_replace', () => {
  it.each([
    ['three', ['three']],
    ['three,one', ['one', 'three']],
    [
      ['three', 'four'],
      ['four', 'three'],
    ],
    ['two', ['Two']],
    ['', []],
    [[], []],
    [' , ', []],
    [FIFTY, [...FIFTY].sort()],
  ])('%j results in the tags %j', async (tags, names) => {
    expect(await tagsAfter('tags_replace', tags)).toEqual(names);
  });

  it('fails without changes with more than 50 tags', async () => {
    const tags = [...FIFTY, 'more'];

    expect(await api.results({ action: 'tags_replace', item_id: itemId, tags })).toEqual([false]);
    expect(tagsOf(await api.item(itemId))).toEqual(['Two', 'one']);
  });
});

describe('the action tags_clear', () => {
  it('removes all tags, and the item is found as untagged', async () => {
    expect(await tagsAfter('tags_clear')).toEqual([]);
    expect(await api.names({ tag: '_untagged_' })).toEqual(['page']);
    expect(await api.names({ tag: 'one' })).toEqual([]);
  });

  it('ignores the parameter tags', async () => {
    expect(await tagsAfter('tags_clear', 'three')).toEqual([]);
  });
});

describe('a tag action', () => {
  it.each([
    ['tags_add', { tags: 'new' }],
    ['tags_remove', { tags: 'one' }],
    ['tags_replace', { tags: 'new' }],
    ['tags_clear', {}],
    ['tag_rename', { old_tag: 'one', new_tag: 'new' }],
    ['tag_delete', { tag: 'one' }],
  ])('does not change other fields of the item: %s', async (action, members) => {
    await api.sent(
      { action: 'archive', item_id: itemId, time: 1_700_000_000 },
      { action: 'favorite', item_id: itemId, time: 1_700_000_001 },
    );
    const before = await api.item(itemId);

    await api.sent({ action, item_id: itemId, ...members, time: 1_700_000_002 });

    const tagged = { tags: expect.any(Object), time_updated: expect.any(String) };
    const after = await api.item(itemId);
    expect(after!.tags).not.toEqual(before!.tags);
    expect(after).toEqual({ ...before, ...tagged });
  });

  it('uses the result of the previous action', async () => {
    await api.sent(
      { action: 'tags_add', item_id: itemId, tags: 'a,b' },
      { action: 'tags_remove', item_id: itemId, tags: 'one,a' },
      { action: 'tag_rename', old_tag: 'b', new_tag: 'c' },
      { action: 'tags_add', item_id: itemId, tags: 'b' },
      { action: 'tag_delete', tag: 'two' },
    );

    expect(tagsOf(await api.item(itemId))).toEqual(['b', 'c']);
  });
});
