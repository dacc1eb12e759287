import { applyActions } from '../../src/reading-list/actions/apply-actions.js';
import { beginList } from '../../src/reading-list/begin-list.js';
import type { ItemRow } from '../../src/reading-list/entities/item.entity.js';
import { normalAddress } from '../../src/reading-list/list/address.js';
import { addNewItem } from '../../src/reading-list/list/new-item.js';
import { parseTagNames } from '../../src/reading-list/list/tag-name.js';
import { ListsOnPostgres, NOW } from '../support/a-list.js';
import { whileHeld } from '../support/held-row.js';
import { subscribe } from '../support/list-events.js';

const URL = 'https://www.example.com/a/?utm_source=x#part';
const LIMITS = { pagesPerHour: 1, storageLimit: 0 };

let lists: ListsOnPostgres;
let user: string;

beforeAll(async () => {
  lists = await ListsOnPostgres.start();
});
beforeEach(async () => {
  user = await lists.aUser();
});
afterEach(async () => {
  expect(await lists.faults(user)).toEqual([]);
});
afterAll(() => lists.stop());

/** What a client saves, besides the URL. */
interface Saved {
  readonly url?: string;
  readonly title?: string;
  readonly time?: number;
  readonly tags?: readonly string[];
}

const itemOf = ({ url = URL, title, tags = [] }: Saved) => ({
  item: { address: normalAddress(url)! },
  prefersGivenTitle: false,
  ...{ title, tags: parseTagNames(tags) ?? [] },
});

/** Adds an item in one statement. */
const addAtOnce = (
  saved: Saved = {},
  { owner = user, ...limits }: { owner?: string } & Partial<typeof LIMITS> = {},
): Promise<ItemRow | undefined> =>
  addNewItem(lists.database.manager, owner, {
    ...{ item: itemOf(saved), time: saved.time, now: NOW },
    ...{ ...LIMITS, ...limits },
  });

/** Adds an item in a transaction of several statements. */
const addInTransaction = (saved: Saved, owner: string): Promise<unknown> =>
  lists.database.transaction((manager) =>
    applyActions(manager, owner, {
      actions: [{ action: 'add', time: saved.time, ...itemOf(saved) }],
      ...{ now: NOW, ...LIMITS },
    }),
  );

/** Columns that differ between two users, or that contain the time of a statement. */
const OWN = [
  ...['user_id', 'stamp', 'sequence'],
  ...['created_at', 'marked_at', 'began_at', 'requested_at', 'retry_at'],
];
const TABLES = [
  ...['lists', 'items', 'item_search', 'due_texts', 'list_events', 'page_requests', 'page_quotas'],
  ...['tombstones', 'item_tags', 'tags'],
];

async function rowsOf(owner: string): Promise<Record<string, object[]>> {
  const read = async (table: string): Promise<[string, object[]]> => [
    table,
    await lists.tables.query(
      `SELECT to_jsonb(one) - $2::text[] AS row FROM ${table} one WHERE user_id = $1
       ORDER BY (to_jsonb(one) - $2::text[])::text`,
      [owner, OWN],
    ),
  ];
  return Object.fromEntries(await Promise.all(TABLES.map(read)));
}

const prepare = {
  'the first item': () => Promise.resolve(),
  'a further item': (owner: string) => addInTransaction({ url: 'b.example' }, owner),
  'an item of a user with a subscriber': async (owner: string) => {
    await addInTransaction({ url: 'b.example' }, owner);
    await subscribe(lists, owner, 'test');
  },
  'an item of a list with a search index': async (owner: string) => {
    await addInTransaction({ url: 'b.example' }, owner);
    const setIndex = 'UPDATE lists SET has_search_index = true WHERE user_id = $1';
    await lists.tables.query(setIndex, [owner]);
    await lists.tables.query(
      `INSERT INTO item_search (user_id, item_id, added_order, title_key, url_key, search_text)
       SELECT user_id, item_id, added_order, title_key, url_key, search_text FROM items WHERE user_id = $1`,
      [owner],
    );
  },
} as const;

const COUNT = 'SELECT count(*)::integer AS count FROM items WHERE user_id = $1';
const LOCK = 'SELECT FROM lists WHERE user_id = $1 FOR UPDATE';

describe('an item that is added in one statement', () => {
  it.each(Object.entries(prepare))('has the same rows as in a transaction: %s', async (_, make) => {
    const other = await lists.aUser();
    const saved = { title: 'Ä "title"', time: NOW - 5 };
    for (const owner of [user, other]) {
      await beginList(lists.database.manager, owner);
      await make(owner);
    }

    const row = await addAtOnce(saved);
    await addInTransaction(saved, other);

    expect(row).toMatchObject({ given_url: URL, given_title: 'Ä "title"', status: 0, tags: [] });
    expect(await rowsOf(user)).toEqual(await rowsOf(other));
    expect((await rowsOf(user))['items']).not.toHaveLength(0);
  });

  it('delays its page if the pages of this hour are used up', async () => {
    await addInTransaction({ url: 'b.example' }, user);

    await addAtOnce();

    expect(
      await lists.tables.query(
        'SELECT turn, retry_at > now() AS waits FROM page_requests WHERE user_id = $1 ORDER BY turn',
        [user],
      ),
    ).toEqual([
      { turn: 1, waits: null },
      { turn: 2, waits: true },
    ]);
  });

  it('has a later version and a later place than the item before it', async () => {
    await beginList(lists.database.manager, user);
    for (const url of ['a.example', 'b.example', 'c.example']) {
      await addAtOnce({ url });
    }

    const order = (by: string): Promise<object[]> =>
      lists.tables.query(`SELECT given_url FROM items WHERE user_id = $1 ORDER BY ${by}`, [user]);
    expect(await order('stamp')).toEqual(await order('number'));
    expect(await order('added_order')).toEqual(await order('number'));
  });
});

describe('an item that cannot be added in one statement changes nothing', () => {
  const cases: Record<string, () => Promise<ItemRow | undefined>> = {
    'there is no list': async () => addAtOnce({}, { owner: await lists.aUser() }),
    'the item is in the list': async () => {
      await addInTransaction({ url: 'https://example.com/a#part' }, user);
      return addAtOnce();
    },
    'the item was deleted': async () => {
      await addInTransaction({}, user);
      await lists.send(user, [{ action: 'delete', item_id: normalAddress(URL)!.itemId }]);
      return addAtOnce();
    },
    'the item has tags': () => addAtOnce({ tags: ['a'] }),
    'the list has no room': async () => {
      await addInTransaction({ url: 'b.example' }, user);
      return addAtOnce({}, { storageLimit: 2000 });
    },
    'the list gets a search index': async () => {
      await addInTransaction({ url: 'b.example' }, user);
      const setCount = 'UPDATE lists SET item_count = $2 WHERE user_id = $1';
      await lists.tables.query(setCount, [user, 5000]);
      const row = await addAtOnce();
      await lists.tables.query(setCount, [user, 1]);
      return row;
    },
  };

  it.each(Object.entries(cases))('if %s', async (_, attempt) => {
    await beginList(lists.database.manager, user);

    expect(await attempt()).toBeUndefined();

    const [row] = await lists.tables.query<{ count: number }>(COUNT, [user]);
    expect(row?.count).toBeLessThan(2);
  });

  it('if another transaction changes the list while the statement waits for the lock', async () => {
    await addInTransaction({ url: 'b.example' }, user);
    let row: ItemRow | undefined;

    await whileHeld(lists.tables, {
      lock: LOCK,
      change: 'UPDATE lists SET stamp = stamp + 1 WHERE user_id = $1',
      values: [user],
      waiting: async () => {
        row = await addAtOnce();
      },
    });

    expect(row).toBeUndefined();
    expect(await lists.tables.query(COUNT, [user])).toEqual([{ count: 1 }]);
  });

  it('but adds the item after a transaction that has locked the list and changed nothing', async () => {
    await addInTransaction({ url: 'b.example' }, user);
    let row: ItemRow | undefined;

    await whileHeld(lists.tables, {
      lock: LOCK,
      change:
        'UPDATE lists SET stored_bytes = stored_bytes + 1, may_store_less = true WHERE user_id = $1',
      values: [user],
      waiting: async () => {
        row = await addAtOnce();
      },
    });

    expect(row?.given_url).toBe(URL);
    expect(await lists.tables.query(COUNT, [user])).toEqual([{ count: 2 }]);
  });
});
