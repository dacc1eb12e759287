import { conditionsOf, type PageQuery } from '../../src/reading-list/query/conditions.js';
import { sortKeyOf } from '../../src/reading-list/query/item-order.js';
import { plannedPage } from '../../src/reading-list/query/item-page.sql.js';
import { aDatabase, type TestDatabase } from '../support/test-database.js';

let database: TestDatabase;

beforeAll(async () => {
  database = await aDatabase();
});
afterAll(() => database.drop());

const wanted = {
  filter: { annotated: false, favorite: true },
  order: 'newest',
  page: { count: 10, offset: 0 },
} as const;

it('keeps the condition that only the index by time of addition can test', async () => {
  const query: PageQuery = {
    userId: '1',
    conditions: conditionsOf(wanted.filter),
    sortKey: sortKeyOf(wanted),
    page: wanted.page,
    columns: 'items',
    withTotal: false,
    hasTexts: true,
    isLate: false,
  };
  const plan = { kind: 'index scan', over: 'items', semiJoins: [] } as const;
  const { text, values } = plannedPage(query, plan);

  const lines = await database.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${text}`, [...values]);

  const explained = lines.map((line) => line['QUERY PLAN']).join('\n');
  expect(explained).toMatch(/word_count.* IS NOT NULL/);
});
