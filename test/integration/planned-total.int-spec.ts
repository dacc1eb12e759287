import fc from 'fast-check';
import { DataSource } from 'typeorm';

import { queryRows } from '../../src/platform/database/query-rows.js';
import { conditionsOf, type PageQuery } from '../../src/reading-list/query/conditions.js';
import { COSTS } from '../../src/reading-list/query/costs.js';
import { sortKeyOf } from '../../src/reading-list/query/item-order.js';
import type { ItemsWanted } from '../../src/reading-list/query/items-wanted.js';
import { listSizes } from '../../src/reading-list/query/list-sizes.js';
import type { CountPlan } from '../../src/reading-list/query/page-planner.js';
import { hashableOf, setsOf } from '../../src/reading-list/query/set-costs.js';
import { longTotal } from '../../src/reading-list/query/total.sql.js';
import { dataSourceOptions } from '../support/data-source-options.js';
import { aList, aQuestion } from '../support/list-arbitraries.js';
import { ListModel } from '../support/list-model.js';
import { aSavedList } from '../support/saved-list.js';
import { aDatabase, type TestDatabase } from '../support/test-database.js';

const RUNS = { numRuns: 12, seed: 20_261_130, endOnFailure: true };

let database: TestDatabase;
let dataSource: DataSource;

beforeAll(async () => {
  database = await aDatabase();
  dataSource = await new DataSource(dataSourceOptions(database.connection, 2)).initialize();
});
afterAll(async () => {
  await dataSource.destroy();
  await database.drop();
});

const queryFor = (userId: string, wanted: ItemsWanted): PageQuery => ({
  userId,
  conditions: conditionsOf(wanted.filter),
  sortKey: sortKeyOf(wanted),
  page: wanted.page,
  columns: 'items',
  withTotal: true,
  hasTexts: true,
  isLate: false,
});

/** Returns every way to count: from each condition, with no, with one and with all other conditions as semi-joins. */
function countPlans(query: PageQuery): readonly CountPlan[] {
  const list = { item_count: 60, facet_counts: '60', has_search_index: true };
  const facts = { query, sizes: listSizes({ list }, query.conditions), costs: COSTS };
  const sets = setsOf(facts).flatMap((by): CountPlan[] => {
    const others = hashableOf(facts).filter((one) => one !== by);
    return [[], ...others.map((one) => [one]), others].map((semiJoins) => ({ by, semiJoins }));
  });
  return [{ semiJoins: [] }, ...sets];
}

async function totalBy(query: PageQuery, plan: CountPlan): Promise<number | undefined> {
  const { text, values } = longTotal(query, plan);
  const [row] = await queryRows<{ total: number }>(dataSource.manager, text, values);
  return row?.total;
}

it('counts the same items with every plan', async () => {
  const questions = fc.array(aQuestion, { minLength: 30, maxLength: 30 });
  const check = async (list: Parameters<typeof aSavedList>[1], asked: ItemsWanted[]) => {
    const userId = await aSavedList(database, list);
    const model = new ListModel(list.items, list.tombstones);
    for (const wanted of asked) {
      const query = queryFor(userId, wanted);
      const { total } = model.find(wanted);
      for (const plan of countPlans(query)) {
        expect({ plan, total: await totalBy(query, plan) }).toEqual({ plan, total });
      }
    }
  };
  await fc.assert(fc.asyncProperty(aList, questions, check), RUNS);
}, 60_000);
