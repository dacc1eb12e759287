import pg from 'pg';

import { until } from '../support/processes.js';
import { ReadingListApi } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

const ITEM_ID = '42';

let app: TestApp;
let api: ReadingListApi;

beforeAll(async () => {
  app = await aTestApp();
  api = await ReadingListApi.of(app);
  await api.saved('https://example.com/first');
});
afterAll(() => app.close());

const count = async (table: string): Promise<number> =>
  (
    await app.database.query(`SELECT FROM ${table} WHERE user_id = $1 AND item_id = $2`, [
      api.user.id,
      ITEM_ID,
    ])
  ).length;

/** Citus commits a change of a list on the coordinator, which has the queue, before it commits on the server of the list. */
it('indexes an item that is in the queue before its list is committed', async () => {
  const list = new pg.Client({ connectionString: app.database.url });
  await list.connect();
  await list.query('BEGIN');
  await list.query('SELECT FROM lists WHERE user_id = $1 FOR UPDATE', [api.user.id]);
  await list.query(
    `INSERT INTO items (user_id, item_id, stamp, time_added, time_updated, given_url, title_key, url_key, search_text, number)
     VALUES ($1, $2, 1, 1, 1, 'https://example.com/late', '', '', '', 42)`,
    [api.user.id, ITEM_ID],
  );
  await app.database.query('INSERT INTO due_texts (user_id, item_id) VALUES ($1, $2)', [
    api.user.id,
    ITEM_ID,
  ]);

  await until(
    async () => (await app.database.lockWaits()) > 0 || (await count('due_texts')) === 0,
    'an attempt of the indexer',
  );
  await list.query('COMMIT');
  await list.end();

  await until(async () => (await count('due_texts')) === 0, 'the end of the queue');
  expect(await count('item_texts')).toBe(1);
});
