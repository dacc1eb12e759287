import { beginList } from '../../src/reading-list/begin-list.js';
import { ITEM_COLUMNS } from '../../src/reading-list/entities/item.entity.js';
import { ItemCache } from '../../src/reading-list/get/item-cache.js';
import { normalAddress } from '../../src/reading-list/list/address.js';
import { recordPages } from '../../src/reading-list/pages/record-pages.js';
import { ItemQuery } from '../../src/reading-list/query/item.query.js';
import type { ItemsFound, ItemsWanted } from '../../src/reading-list/query/items-wanted.js';
import { ListsOnPostgres } from '../support/a-list.js';
import { aParsedPage } from '../support/a-page.js';

const FIRST_PAGE: ItemsWanted = { filter: {}, order: 'newest', page: { count: 30, offset: 0 } };
const WANTED: readonly ItemsWanted[] = [
  FIRST_PAGE,
  { ...FIRST_PAGE, withNotes: true },
  { ...FIRST_PAGE, filter: { state: 'unread' }, order: 'title', withTotal: true },
  { ...FIRST_PAGE, page: { count: 2, offset: 1 } },
];
const urlOf = (name: string): string => `https://${name}.example/`;
const idOf = (name: string): string => normalAddress(urlOf(name))!.itemId;
const add = (name: string, members: object = {}): object => ({
  ...{ action: 'add', url: urlOf(name) },
  ...members,
});

let lists: ListsOnPostgres;
let user: string;
let cache: ItemCache;

beforeAll(async () => {
  lists = await ListsOnPostgres.start();
});
beforeEach(async () => {
  user = await lists.aUser();
  cache = new ItemCache(1);
  await beginList(lists.database.manager, user);
  await lists.send(user, [add('a', { title: 'A' }), add('b'), add('c', { tags: 'x' })]);
});
afterEach(() => {
  jest.restoreAllMocks();
});
afterAll(() => lists.stop());

const page = (wanted = FIRST_PAGE, owner = user): Promise<ItemsFound> =>
  cache.page(lists.database.manager, owner, wanted);
const fromDatabase = (wanted: ItemsWanted): Promise<ItemsFound> =>
  new ItemQuery(lists.database.manager, user).find(wanted);
const urls = ({ rows }: ItemsFound): string[] => rows.map(({ given_url: url }) => url);

const COLUMNS = [...ITEM_COLUMNS, 'item_version', 'note'];

/** Returns what does not grow with the clock: the columns of the items, the total and the position of the last item. */
const timeless = ({ rows, version, size, total, end }: ItemsFound): object => ({
  ...{ version, size, total, end },
  rows: rows.map((row) => COLUMNS.map((column) => [column, Reflect.get(row, column)])),
});

const CHANGES: Record<string, () => Promise<unknown>> = {
  'a new item': () => lists.send(user, [add('d')]),
  'an archived item': () => lists.send(user, [{ action: 'archive', item_id: idOf('a') }]),
  'a favorite': () => lists.send(user, [{ action: 'favorite', item_id: idOf('b') }]),
  'a title': () => lists.send(user, [add('a', { title: 'Another' })]),
  'a tag': () => lists.send(user, [{ action: 'tags_add', item_id: idOf('a'), tags: 'y' }]),
  'a renamed tag': () => lists.send(user, [{ action: 'tag_rename', old_tag: 'x', new_tag: 'z' }]),
  'a deleted item': () => lists.send(user, [{ action: 'delete', item_id: idOf('c') }]),
  'an item that is added again': () => lists.send(user, [add('a')]),
  'a fetched page': () =>
    lists.database.transaction((manager) =>
      recordPages(
        manager,
        user,
        new Map([[idOf('b'), { ...aParsedPage('Fetched').record.item, resolvedId: '7' }]]),
      ),
    ),
};

describe('the cache of items', () => {
  it.each(Object.entries(CHANGES))('shows a change at once: %s', async (_, change) => {
    for (const wanted of WANTED) {
      await page(wanted);
    }

    await change();

    for (const wanted of WANTED) {
      expect(timeless(await page(wanted))).toEqual(timeless(await fromDatabase(wanted)));
    }
  });

  it('reads the rows of a page only once', async () => {
    await page();
    await lists.send(user, [add('d')]);
    const find = jest.spyOn(ItemQuery.prototype, 'find');

    const { rows } = await page();

    expect(rows).toHaveLength(4);
    expect(find).not.toHaveBeenCalled();
  });

  it('has notes only in pages that ask for them', async () => {
    const setNote = 'UPDATE items SET note = $2 WHERE user_id = $1';
    await lists.tables.query(setNote, [user, 'Mine']);

    const plain = [await page(), await page()];
    const noted = [WANTED[1], WANTED[1]].map((wanted) => page(wanted));

    expect(plain.flatMap(({ rows }) => rows).filter((row) => 'note' in row)).toEqual([]);
    expect((await Promise.all(noted)).flatMap(({ rows }) => rows)).toHaveLength(6);
    expect((await noted[1])!.rows).toMatchObject([{ note: 'Mine' }, {}, {}]);
  });

  it.each(['archive', 'delete'])(
    'reads the whole page again if an item changes meanwhile: %s',
    async (action) => {
      await page();
      await lists.send(user, [add('d')]);
      const { findVersions } = ItemQuery.prototype;
      jest.spyOn(ItemQuery.prototype, 'findVersions').mockImplementation(async function changing(
        this: ItemQuery,
        ...asked
      ) {
        const found = await Reflect.apply(findVersions, this, asked);
        await lists.send(user, [{ action, item_id: idOf('d') }]);
        return found;
      });

      const found = await page();

      expect(timeless(found)).toEqual(timeless(await fromDatabase(FIRST_PAGE)));
      expect(urls(found).includes(urlOf('d'))).toBe(action === 'archive');
    },
  );

  it('keeps the items of two users apart', async () => {
    const other = await lists.aUser();
    await lists.send(other, [add('a', { title: 'Not yours' })]);
    const sameVersions = `UPDATE items SET stamp = 9 WHERE user_id = ANY ($1::bigint[])`;
    await lists.tables.query(sameVersions, [[user, other]]);
    await page();
    await page(FIRST_PAGE, other);

    const [mine, theirs] = [await page(), await page(FIRST_PAGE, other)];

    expect(mine.rows.map(({ given_title: title }) => title)).toEqual(['', '', 'A']);
    expect(theirs.rows.map(({ given_title: title }) => title)).toEqual(['Not yours']);
  });

  it('reads changes, and pages of whole libraries, from the database', async () => {
    const find = jest.spyOn(ItemQuery.prototype, 'find');
    const asked = [
      { ...FIRST_PAGE, filter: { since: 1 } },
      { ...FIRST_PAGE, page: { count: 101, offset: 0 } },
    ];

    for (const wanted of [...asked, ...asked]) {
      expect((await page(wanted)).rows).toHaveLength(3);
    }

    expect(find).toHaveBeenCalledTimes(4);
  });

  it('works if it has no room for a page', async () => {
    const tiny = new ItemCache(0.002);

    const found = [1, 2, 3].map(() => tiny.page(lists.database.manager, user, FIRST_PAGE));

    for (const one of await Promise.all(found)) {
      expect(urls(one)).toEqual(['c', 'b', 'a'].map(urlOf));
    }
  });

  it('reads a page that is larger than the cache in two statements', async () => {
    const tiny = new ItemCache(0.002);
    await tiny.page(lists.database.manager, user, FIRST_PAGE);
    const find = jest.spyOn(ItemQuery.prototype, 'find');

    const found = await tiny.page(lists.database.manager, user, FIRST_PAGE);

    expect(urls(found)).toEqual(['c', 'b', 'a'].map(urlOf));
    expect(find).not.toHaveBeenCalled();
  });

  it('is off with 0 megabytes', async () => {
    const none = new ItemCache(0);
    const findVersions = jest.spyOn(ItemQuery.prototype, 'findVersions');

    await none.page(lists.database.manager, user, FIRST_PAGE);
    const found = await none.page(lists.database.manager, user, FIRST_PAGE);

    expect(urls(found)).toEqual(['c', 'b', 'a'].map(urlOf));
    expect(findVersions).not.toHaveBeenCalled();
  });
});
