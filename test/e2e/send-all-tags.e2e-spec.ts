import { ReadingListApi, tagsOf } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

const urlOf = (name: string): string => `https://example.com/${name}`;

let app: TestApp;
let api: ReadingListApi;

beforeAll(async () => {
  app = await aTestApp();
});
afterAll(() => app.close());

beforeEach(async () => {
  api = await ReadingListApi.of(app);
  await api.sent(
    { action: 'add', url: urlOf('a'), tags: 'red' },
    { action: 'add', url: urlOf('b'), tags: 'red,blue' },
    { action: 'add', url: urlOf('c'), tags: 'blue' },
    { action: 'add', url: urlOf('d') },
    { action: 'archive', url: urlOf('b') },
  );
});

/** Returns the tags of each item, as `a:red b:blue,red`. */
async function tagged(client = api): Promise<string> {
  const items = await client.items({ detailType: 'complete', sort: 'site' });
  const words = items.map((item) => `${item.given_url.slice(-1)}:${tagsOf(item).join()}`);
  return words.join(' ');
}

const BEFORE = 'a:red b:blue,red c:blue d:';
const rename = (old_tag: unknown, new_tag: unknown): object => ({
  action: 'tag_rename',
  old_tag,
  new_tag,
});

describe('the action tag_rename', () => {
  it.each([
    ['red', 'green', 'a:green b:blue,green c:blue d:'],
    ['RED', ' green ', 'a:green b:blue,green c:blue d:'],
    ['red', 'blue', 'a:blue b:blue c:blue d:'],
    ['red', 'BLUE', 'a:blue b:blue c:blue d:'],
    ['red', 'Red', 'a:Red b:Red,blue c:blue d:'],
    ['red', 'red', BEFORE],
    ['red', '__proto__', 'a:__proto__ b:__proto__,blue c:blue d:'],
  ])('renames %j to %j: %s', async (from, to, after) => {
    expect(await api.results(rename(from, to))).toEqual([true]);
    expect(await tagged()).toBe(after);
  });

  it('makes items findable only by the new tag', async () => {
    await api.sent(rename('red', 'green'));

    expect(await api.names({ tag: 'red' })).toEqual([]);
    expect((await api.names({ tag: 'green' })).sort()).toEqual(['a', 'b']);
    expect((await api.found({ forcetaglist: 1 })).tags).toEqual(['blue', 'green']);
  });

  it('applies renames in order, such as a chain or a swap by a third tag', async () => {
    await api.sent(rename('red', 'x'), rename('blue', 'red'), rename('x', 'blue'));
    expect(await tagged()).toBe('a:blue b:blue,red c:red d:');

    await api.sent(rename('blue', 'one'), rename('one', 'two'), rename('two', 'three'));
    expect(await tagged()).toBe('a:three b:red,three c:red d:');
  });

  it('fails for a tag that the same batch has already renamed', async () => {
    expect(await api.results(rename('red', 'x'), rename('red', 'y'))).toEqual([true, false]);
    expect(await tagged()).toBe('a:x b:blue,x c:blue d:');
  });

  it('fails for a tag that no item has any more', async () => {
    await api.sent(
      { action: 'tags_clear', url: urlOf('a') },
      { action: 'delete', url: urlOf('b') },
    );

    expect(await api.results(rename('red', 'green'))).toEqual([false]);
  });

  it('has the alias tags_rename', async () => {
    expect(await api.results({ ...rename('red', 'green'), action: 'tags_rename' })).toEqual([true]);
    expect(await tagged()).toBe('a:green b:blue,green c:blue d:');
  });

  it("does not change another user's tag of the same name", async () => {
    const other = await ReadingListApi.of(app);
    await other.sent({ action: 'add', url: urlOf('a'), tags: 'red' });

    await api.sent(rename('red', 'green'));

    expect(await tagged(other)).toBe('a:red');
  });

  it('changes 1,000 items, and all of them are in the next delta', async () => {
    const urls = Array.from({ length: 1000 }, (_, at) => urlOf(`many/${at}`));
    await api.sent(...urls.map((url) => ({ action: 'add', url, tags: 'many' })));
    const { since } = await api.found();

    await api.sent(rename('many', 'few'));

    const counts = { since, total: 1, search: 'many/', tag: 'few' };
    expect(await api.found(counts)).toMatchObject({ total: '1000' });
    expect(await api.found({ ...counts, tag: 'many' })).toMatchObject({ total: '0' });
  });
});

describe('the action tag_delete', () => {
  it.each([
    ['red', 'a: b:blue c:blue d:'],
    ['BLUE', 'a:red b:red c: d:'],
    [' red ', 'a: b:blue c:blue d:'],
    ['unknown', BEFORE],
  ])('deletes %j: %s', async (tag, after) => {
    expect(await api.results({ action: 'tag_delete', tag })).toEqual([true]);
    expect(await tagged()).toBe(after);
  });

  it('removes the tag from its items and changes nothing else', async () => {
    await api.sent({ action: 'tag_delete', tag: 'red' });

    expect(await api.names({ tag: 'red' })).toEqual([]);
    expect((await api.names({ tag: '_untagged_' })).sort()).toEqual(['a', 'd']);
    expect((await api.found({ forcetaglist: 1 })).tags).toEqual(['blue']);
  });

  it("does not change another user's tag of the same name", async () => {
    const other = await ReadingListApi.of(app);
    await other.sent({ action: 'add', url: urlOf('a'), tags: 'red' });

    await api.sent({ action: 'tag_delete', tag: 'red' });

    expect(await tagged(other)).toBe('a:red');
  });

  it('allows another spelling of the tag afterwards', async () => {
    await api.sent(
      { action: 'tag_delete', tag: 'red' },
      { action: 'tags_add', url: urlOf('d'), tags: 'RED' },
    );

    expect(await tagged()).toBe('a: b:blue c:blue d:RED');
  });
});
