import { ReadingListApi, tagsOf } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

const ROUNDS = 20;

let app: TestApp;
let api: ReadingListApi;
/** Another application of the same user. */
let another: ReadingListApi;

beforeAll(async () => {
  app = await aTestApp();
});
afterAll(() => app.close());

beforeEach(async () => {
  api = await ReadingListApi.of(app);
  another = await ReadingListApi.of(app, { user: api.user });
});

describe('concurrent calls', () => {
  it('have the same result as in some sequential order: tags of one item', async () => {
    const itemId = await api.saved('https://example.com/page');
    const onItem = (action: string, tags?: string): object => ({ action, item_id: itemId, tags });

    const ends = new Set<string>();
    for (let round = 0; round < ROUNDS; round += 1) {
      await api.sent(onItem('tags_replace', 'old'));
      const answers = await Promise.all([
        api.sent(onItem('tags_replace', 'new')),
        another.sent(onItem('tags_add', 'added')),
        api.sent(onItem('tags_clear')),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([1, 1, 1]);
      ends.add(tagsOf(await api.item(itemId)).join());
    }

    // Results of replace, add and clear in each of their six orders.
    const possible = ['', 'added', 'new', 'added,new'];
    expect(possible).toEqual(expect.arrayContaining([...ends]));
  });

  it('all succeed with a hundred actions in opposite orders', async () => {
    const urls = Array.from({ length: 50 }, (_, at) => `https://example.com/${at}`);
    await api.sent(...urls.map((url) => ({ action: 'add', url })));
    const batch = urls.flatMap((url) => [
      { action: 'favorite', url },
      { action: 'tags_add', url, tags: 'x' },
    ]);

    const answers = await Promise.all(
      Array.from({ length: ROUNDS }, (_, round) =>
        round % 2 === 0 ? api.send(batch) : another.send([...batch].reverse()),
      ),
    );

    expect(answers.map(({ status, body }) => [status, body.status])).toEqual(
      answers.map(() => [200, 1]),
    );
    expect((await api.found({ tag: 'x', favorite: 1, total: 1 })).total).toBe('50');
  });

  it('rename a tag only once', async () => {
    await api.saved('https://example.com/page', { tags: 'old' });
    const rename = (to: string) => ({ action: 'tag_rename', old_tag: 'old', new_tag: to });

    const results = await Promise.all([
      api.results(rename('first')),
      another.results(rename('second')),
    ]);

    const [item] = await api.items({ tags: 1 });
    expect(results.flat().sort()).toEqual([false, true]);
    expect(tagsOf(item)).toEqual([results[0][0] === true ? 'first' : 'second']);
  });

  it('add a page once with send and add, regardless of the spelling of the URL', async () => {
    const spellings = ['https://example.com/p', 'http://www.example.com/p/', 'example.com/p#x'];

    await Promise.all(
      Array.from({ length: ROUNDS }, async (_, at) => {
        const url = spellings[at % spellings.length]!;
        await (at % 2 === 0 ? api.saved(url) : another.sent({ action: 'add', url }));
      }),
    );

    expect(await api.found({ total: 1 })).toMatchObject({ total: '1' });
    expect(await api.items()).toHaveLength(1);
  });
});
