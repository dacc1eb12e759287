import { ReadingListApi } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

/** The number of items with which a list is long, and its searches use an index of their own. */
const LONG = 5001;
const AT_ONCE = 1000;

let app: TestApp;

beforeAll(async () => {
  app = await aTestApp();
});
afterAll(() => app.close());

it('a list that becomes long does not wait for ANALYZE on all servers', async () => {
  const person = await ReadingListApi.of(app);
  for (let at = 0; at < LONG; at += AT_ONCE) {
    const actions = Array.from({ length: Math.min(AT_ONCE, LONG - at) }, (_, n) => ({
      action: 'add',
      url: `https://example.com/${at + n}`,
    }));
    await person.sent(...actions);
  }

  const indexed = await app.database.query('SELECT FROM item_search');
  const [items] = await app.database.query<{ reltuples: number }>(
    `SELECT reltuples FROM pg_class WHERE oid = 'items'::regclass`,
  );

  expect([indexed.length, items?.reltuples]).toEqual([LONG, -1]);
});
