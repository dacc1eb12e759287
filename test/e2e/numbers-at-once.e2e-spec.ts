import { DeletionsService } from '../../src/reading-list/deletions/deletions.service.js';
import { ListsOnPostgres } from '../support/a-list.js';
import { ImportApi } from '../support/import-api.js';
import { ReadingListApi } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';
import { WallabagCalls } from '../support/wallabag-calls.js';

const WRITERS = 8;
const PAGES = 8;
const ROWS = 250;

let app: TestApp;
let other: TestApp;
let lists: ListsOnPostgres;
let v3: ReadingListApi;
let calls: WallabagCalls;

beforeAll(async () => {
  app = await aTestApp();
  other = await aTestApp({ beside: app });
  lists = await ListsOnPostgres.start(app.database);
});
afterAll(async () => {
  await lists.dataSource.destroy();
  await other.close();
  await app.close();
});
beforeEach(async () => {
  v3 = await ReadingListApi.of(app);
  calls = await WallabagCalls.of(app, { v3 });
});

const range = (length: number): number[] => Array.from({ length }, (_, n) => n);
const at = (n: number): TestApp => (n % 4 < 2 ? app : other);
const urlOf = (writer: number, page: number): string => `https://example.com/${writer}/${page}`;

/** Saves pages one after another, by v3 or by the wallabag API, depending on the writer. */
async function write(writer: number): Promise<void> {
  for (const page of range(PAGES)) {
    const members = { url: urlOf(writer, page), tags: `tag ${page % 3},own ${writer}` };
    await (writer % 2 === 0
      ? v3.at(at(writer)).add(members).expect(200)
      : calls.at(at(writer)).call('post', 'entries', members).expect(200));
  }
}

interface Numbered {
  readonly given_url: string;
  readonly number: number;
  readonly item_id: string;
}

/** Returns the items in order of addition. */
const inOrder = (): Promise<Numbered[]> =>
  app.database.query<Numbered & { [column: string]: unknown }>(
    'SELECT given_url, number, item_id FROM items WHERE user_id = $1 ORDER BY abs(added_sequence)',
    [v3.user.id],
  );

const numbersOf = (items: readonly Numbered[]): number[] => items.map(({ number }) => number);

describe('the numbers of items that clients add at the same time', () => {
  it('are unique, ascending, and have small gaps', async () => {
    await Promise.all(range(WRITERS).map(write));

    const numbers = numbersOf(await inOrder());

    expect(numbers).toHaveLength(WRITERS * PAGES);
    expect(numbers).toEqual([...new Set(numbers)].toSorted((one, two) => one - two));
    const [{ tags }] = (await app.database.query(
      'SELECT count(*)::int AS tags FROM tags WHERE user_id = $1',
      [v3.user.id],
    )) as [{ tags: number }];
    expect(numbers.at(-1)).toBeLessThanOrEqual(numbers.length + tags);
    expect(await lists.faults(v3.user.id)).toEqual([]);
  });

  it('are unique during an import, and restored items keep their numbers', async () => {
    const kept = await Promise.all(
      range(6).map(async (n) => (await calls.saved({ url: `https://example.com/kept-${n}` })).id),
    );
    const before = await inOrder();
    const rows = range(ROWS).map(
      (n) => `Page,https://example.com/file/${n},1700000000,tag ${n % 3},unread`,
    );
    const file = ['title,url,time_added,tags,status', ...rows].join('\n');
    const deletions = other.app.get(DeletionsService);
    const comeBack = async (): Promise<void> => {
      for (const { item_id: itemId } of before) {
        await deletions.delete(v3.user.id, [itemId]);
        await deletions.undo(v3.user.id, [itemId]);
      }
    };

    const [{ added }] = await Promise.all([
      new ImportApi(other, v3.at(other)).imported(file),
      comeBack(),
      ...range(WRITERS).map(write),
    ]);

    const items = await inOrder();
    const numbers = numbersOf(items);
    expect(added).toBe(ROWS);
    expect(new Set(numbers).size).toBe(kept.length + ROWS + WRITERS * PAGES);
    const back = items.filter(({ given_url: url }) => url.includes('kept'));
    expect(numbersOf(back).toSorted()).toEqual(kept.toSorted());
    const written = numbersOf(items.filter((one) => !back.includes(one)));
    expect(written).toEqual(written.toSorted((one, two) => one - two));
    expect(Math.max(...numbers)).toBeLessThan(2 * numbers.length);
    expect(await lists.faults(v3.user.id)).toEqual([]);
  });
});
