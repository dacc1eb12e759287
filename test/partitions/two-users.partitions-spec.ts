import { DataSource } from 'typeorm';

import { UserAdministrationService } from '../../src/auth/user-administration.service.js';
import { OVER_ALL_USERS, queryRows } from '../../src/platform/database/query-rows.js';
import { TABLE_PLACES } from '../../src/platform/database/table-places.js';
import { ListRepository } from '../../src/reading-list/list/list.repository.js';
import { TombstoneRepository } from '../../src/reading-list/list/tombstone.repository.js';
import { ReadingListApi } from '../support/reading-list-api.js';
import { offenceOf, type StatementPlan } from '../support/statement-plan.js';
import { aTestApp, type TestApp } from '../support/test-app.js';
import { takeOffences } from '../support/watched-plans.js';

const { TEST_PARTITIONS: NUMBER = '' } = process.env;
const EXPLAIN = 'EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON)';
const URLS = ['https://example.com/one', 'https://example.com/two', 'https://example.org/three'];

let app: TestApp;

beforeAll(async () => {
  app = await aTestApp();
});
afterAll(() => app.close());

/** Returns the plan of a statement, as the service's sessions report it. */
async function planOf(text: string, values: unknown[]): Promise<StatementPlan> {
  const [row] = await app.database.query(`${EXPLAIN} ${text}`, values);
  return { 'Query Text': text, Plan: row?.['QUERY PLAN'][0].Plan };
}

const idOf = async ({ user }: ReadingListApi): Promise<string> => {
  const found = await app.app.get(UserAdministrationService).find(user.email);
  return found.id;
};

const partitionOf = async (userId: string): Promise<string> => {
  const [row] = await app.database.query<{ name: string }>(
    'SELECT tableoid::regclass::text AS name FROM lists WHERE user_id = $1',
    [userId],
  );
  return row?.name ?? '';
};

/** Creates a user whose list is in none of these partitions. All users save the same items. */
async function aPerson(others: readonly string[]): Promise<ReadingListApi> {
  const person = await ReadingListApi.of(app);
  for (const url of URLS) {
    await person.saved(url, { tags: 'shared,other' });
  }
  return others.includes(await partitionOf(await idOf(person))) ? aPerson(others) : person;
}

describe('a statement', () => {
  it('without a user is detected, and one with a user is not', async () => {
    const person = await aPerson([]);
    const all = await planOf('SELECT count(*) FROM items', []);
    const own = await planOf('SELECT count(*) FROM items WHERE user_id = $1', [await idOf(person)]);

    expect(offenceOf(all)).toBe(`reads ${NUMBER} partitions of items`);
    expect(offenceOf(own)).toBeUndefined();
  });

  it('that finds the user in a row of another table is detected, although it reads one partition', async () => {
    const person = await aPerson([]);
    const text = `SELECT ARRAY(SELECT name FROM tags WHERE user_id = list.user_id) FROM lists list WHERE user_id = $1`;

    expect(offenceOf(await planOf(text, [await idOf(person)]))).toBe(
      `reads ${NUMBER} partitions of lists, tags`,
    );
  });

  it.each([
    ['users', 'SELECT FROM lists JOIN users ON id = user_id WHERE user_id = $1'],
    ['pg_ts_config', 'SELECT FROM lists, pg_ts_config WHERE user_id = $1'],
  ])('that joins a list with %s is detected', async (table, text) => {
    const person = await aPerson([]);

    expect(offenceOf(await planOf(text, [await idOf(person)]))).toBe(`joins lists with ${table}`);
  });
});

describe('a statement of the service', () => {
  const run = (text: string, values: unknown[] = []) =>
    queryRows(app.app.get(DataSource).manager, text, values);
  const INSERT = 'INSERT INTO hashed_lists SELECT owner, 0, 0 FROM unnest($1::bigint[]) AS owner';

  it('is reported by its session if it names no user', async () => {
    await run('SELECT count(*) FROM items');

    expect(takeOffences()).toEqual([
      `reads ${NUMBER} partitions of items: SELECT count(*) FROM items`,
    ]);
  });

  it('is reported if it joins a list with a table of all users, even without results', async () => {
    const text = 'SELECT FROM lists JOIN users ON id = user_id WHERE user_id = $1';

    await run(text, [0]);

    expect(takeOffences()).toEqual([`joins lists with users: ${text}`]);
  });

  it('is rejected and reported if it writes rows of two users without declaring it', async () => {
    const owners = [await idOf(await aPerson([])), await idOf(await aPerson([]))];
    await app.database.query('DELETE FROM hashed_lists');
    const why = 'writes rows of several users to hashed_lists';

    await expect(run(INSERT, [owners])).rejects.toThrow(why);
    await run(INSERT, [owners.slice(0, 1)]);
    await run(`${OVER_ALL_USERS} ${INSERT} ON CONFLICT DO NOTHING`, [owners]);

    expect(takeOffences()).toEqual([`${why}: ${INSERT}`]);
  });
});

describe('two users in two partitions', () => {
  it('see and change only their own rows', async () => {
    const [ada, grace] = [await aPerson([]), await aPerson([])];
    const [first = '', second = ''] = (await ada.items()).map((item) => item.item_id);

    await ada.sent(
      { action: 'tag_rename', old_tag: 'shared', new_tag: 'mine' },
      { action: 'archive', item_id: first },
      { action: 'delete', item_id: second },
    );

    expect((await grace.items({ tag: 'shared', state: 'all' })).length).toBe(URLS.length);
    expect((await ada.items({ tag: 'mine', state: 'all' })).length).toBe(URLS.length - 1);
    expect(await grace.items({ tag: 'mine', state: 'all' })).toEqual([]);
  });

  it('lose all rows of a deleted account and nothing of the other', async () => {
    const ada = await aPerson([]);
    const adaId = await idOf(ada);
    const grace = await aPerson([await partitionOf(adaId)]);
    const before = await grace.items({ state: 'all' });

    await app.app.get(UserAdministrationService).delete(ada.user.email);

    expect(await grace.items({ state: 'all' })).toEqual(before);
    const left = TABLE_PLACES.filter(({ place }) => place === 'personal');
    for (const { table } of left) {
      expect([
        table,
        await app.database.query(`SELECT FROM ${table} WHERE user_id = $1`, [adaId]),
      ]).toEqual([table, []]);
    }
  });

  it('get no list after they are deleted', async () => {
    const person = await ReadingListApi.of(app);
    const id = await idOf(person);
    await app.app.get(UserAdministrationService).delete(person.user.email);

    await expect(app.app.get(ListRepository).begin(id)).rejects.toThrow();
    expect(await app.database.query('SELECT FROM lists WHERE user_id = $1', [id])).toEqual([]);
  });

  it('have their tombstones purged', async () => {
    const ada = await aPerson([]);
    const people = [ada, await aPerson([await partitionOf(await idOf(ada))])];
    for (const person of people) {
      const [item] = await person.items();
      await person.sent({ action: 'delete', item_id: item?.item_id });
    }

    const purged = await app.app.get(TombstoneRepository).purge(2 ** 40);

    expect(purged).toBeGreaterThanOrEqual(people.length);
    expect(await app.database.query('SELECT FROM tombstones')).toEqual([]);
  });
});
