import { until } from '../support/processes.js';
import { ReadingListApi } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

/** More than the connections of an instance. */
const AT_ONCE = 12;
/** Almost all of the search text matches at almost every place in the items' texts. */
const COSTLY = `${'a'.repeat(255)}b`;

let app: TestApp;
let costly: ReadingListApi;
let other: ReadingListApi;

/** The longest list that one plain statement searches, with URLs and titles of maximum length. */
const LONG_TEXTS = `
  INSERT INTO items (user_id, item_id, stamp, time_added, time_updated, given_url, title_key, url_key, search_text, number)
  SELECT $1, 5000000000000000 + n, 2, n, n, 'http://example.com/' || n, n, 'example.com/' || n,
    repeat('a', 1000) || E'\\n' || repeat('a', 4050) || n || E'\\n' || repeat('a', 4051) || n, -n
  FROM generate_series(1, 1900) n`;

/** Blocks every session that reads the items of one list, until the test releases the list. */
const HELD_LIST = [
  `CREATE TABLE held (user_id bigint)`,
  `CREATE FUNCTION when_free(owner bigint) RETURNS boolean LANGUAGE plpgsql AS $$
   BEGIN
     WHILE EXISTS (SELECT FROM held WHERE user_id = owner) LOOP PERFORM pg_sleep(0.02); END LOOP;
     RETURN true;
   END $$`,
  `ALTER TABLE items RENAME TO all_items`,
  `CREATE VIEW items AS SELECT * FROM all_items WHERE when_free(user_id)`,
];

const waiting = async (): Promise<number> => {
  const [row] = await app.database.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM pg_stat_activity
     WHERE datname = current_database() AND wait_event = 'PgSleep'`,
  );
  return row?.count ?? 0;
};

/**
 * Returns true while words of items are still to be written. That job also reads the list, on a connection outside of
 * the user's calls.
 */
const hasWordsDue = async (): Promise<boolean> =>
  (await app.database.query('SELECT FROM due_texts LIMIT 1')).length > 0;

beforeAll(async () => {
  app = await aTestApp();
  costly = await ReadingListApi.of(app);
  other = await ReadingListApi.of(app);
  await other.saved('http://example.com/of-the-other');
});
afterAll(() => app.close());

describe('a search', () => {
  it('succeeds for a text that almost matches everywhere in very long texts', async () => {
    const owner = await ReadingListApi.of(app);
    const { id: userId } = owner.user;
    await owner.saved('http://example.com/first');
    await app.database.query(LONG_TEXTS, [userId]);
    await app.database.query('UPDATE lists SET item_count = 1901 WHERE user_id = $1', [userId]);

    expect(await owner.names({ search: COSTLY })).toEqual([]);
    expect(await owner.names({ search: `${'a'.repeat(200)}77`, sort: 'oldest' })).toContain('77');
  });

  it('matches long texts literally in titles and URLs', async () => {
    const owner = await ReadingListApi.of(app);
    const title =
      'What (really) costs 100% of $5? [A.B]* — \\d and \u{1F600}, a title of many letters';
    await owner.saved('http://example.com/it', { title });
    const notIt = 'http://example.com/not-it?with=an&address=of%20many&letters=as&well=1';
    await owner.saved(notIt);

    expect(await owner.names({ search: title.slice(5).toUpperCase() })).toEqual(['it']);
    expect(await owner.names({ search: title.replace('.', 'x') })).toEqual([]);
    expect(await owner.names({ search: notIt })).toEqual(['not-it']);
    expect(await owner.names({ search: `${notIt}2` })).toEqual([]);
  });
});

describe('the concurrent calls of one user', () => {
  it('leave database connections for the calls of other users', async () => {
    await costly.saved('http://example.com/costly');
    await until(async () => !(await hasWordsDue()));
    for (const statement of HELD_LIST) {
      await app.database.query(statement);
    }
    await app.database.query('INSERT INTO held VALUES ($1)', [costly.user.id]);

    const answers = Array.from({ length: AT_ONCE }, async (_, n) =>
      costly.get({ search: 'costly', count: n + 1 }),
    );
    await until(async () => (await waiting()) >= app.config.databasePoolSize / 2);
    const names = await other.names({ search: 'other' });
    const held = await waiting();
    await app.database.query('DELETE FROM held');

    expect(names).toEqual(['of-the-other']);
    expect(held).toBeLessThanOrEqual(app.config.databasePoolSize / 2);
    await Promise.all(answers);
  });
});
