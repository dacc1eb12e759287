import fc from 'fast-check';
import { DataSource } from 'typeorm';

import { queryRows } from '../../src/platform/database/query-rows.js';
import { conditionsOf, type PageQuery } from '../../src/reading-list/query/conditions.js';
import { COSTS } from '../../src/reading-list/query/costs.js';
import { ItemQuery } from '../../src/reading-list/query/item.query.js';
import { type SortKey, sortKeyOf } from '../../src/reading-list/query/item-order.js';
import { plannedPage } from '../../src/reading-list/query/item-page.sql.js';
import type { ItemsWanted, WordRange } from '../../src/reading-list/query/items-wanted.js';
import { listSizes } from '../../src/reading-list/query/list-sizes.js';
import { type IndexScan, type PagePlan, testsOf } from '../../src/reading-list/query/page-plan.js';
import { completePlans, earlyScans } from '../../src/reading-list/query/page-planner.js';
import { hashableOf, withRareLanguage } from '../../src/reading-list/query/set-costs.js';
import { dataSourceOptions } from '../support/data-source-options.js';
import { aList, anItem, aQuestion } from '../support/list-arbitraries.js';
import { ListModel } from '../support/list-model.js';
import { aSavedList } from '../support/saved-list.js';
import { aDatabase, type TestDatabase } from '../support/test-database.js';

const RUNS = { numRuns: 15, seed: 20_261_121 };

/** Returns plans that read a part of the requested range of words, at the beginning of the sort order. */
const wordWindowsOf = ({ conditions, sortKey }: PageQuery): readonly PagePlan[] =>
  conditions.flatMap((by) =>
    by.kind === 'words' && sortKey.column === 'word_count'
      ? [1, 3].map(
          (size) => ({ kind: 'id set', by, window: windowFrom(by, sortKey, size) }) as const,
        )
      : [],
  );

const windowFrom = ({ from, below }: WordRange, { direction }: SortKey, size: number): WordRange =>
  direction === 'ASC'
    ? { from, below: Math.min(below, from + size) }
    : { from: Math.max(from, below - size), below };

describe('ItemQuery', () => {
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

  /** Checks random queries on random lists. */
  const everyAnswer = (
    check: (userId: string, wanted: ItemsWanted, model: ListModel) => Promise<void>,
  ) =>
    fc.assert(
      fc.asyncProperty(
        aList,
        fc.array(aQuestion, { minLength: 20, maxLength: 20 }),
        async (list, questions) => {
          const userId = await aSavedList(database, list);
          for (const wanted of questions) {
            await check(userId, wanted, new ListModel(list.items, list.tombstones));
          }
        },
      ),
      RUNS,
    );

  const answerOf = async (query: ItemQuery, wanted: ItemsWanted) => {
    const { rows, tombstones, total } = await query.find(wanted);
    return {
      ids: rows.map(({ item_id }) => item_id),
      tombstones: tombstones.map(({ item_id }) => item_id),
      ...(total !== undefined && { total }),
    };
  };

  const expected = (model: ListModel, wanted: ItemsWanted) => {
    const { total, ...page } = model.find(wanted);
    return { ...page, ...(wanted.withTotal === true && { total }) };
  };

  it(
    'finds the same items as the model in a short list',
    () =>
      everyAnswer(async (userId, wanted, model) => {
        const answer = await answerOf(new ItemQuery(dataSource.manager, userId), wanted);

        expect(answer).toEqual(expected(model, wanted));
      }),
    60_000,
  );

  it.each([
    [{}, 2],
    [{ tag: { key: 'red' } }, 1],
    [{ state: 'archive' as const }, 1],
    [{ since: 3 }, 2],
  ])('counts the items that match %j', async (filter, total) => {
    const item = { ...fc.sample(anItem, RUNS)[0]!, status: 0 as const, tags: [] };
    const items = [
      { ...item, id: String(2 ** 52), stamp: 3 },
      { ...item, id: String(2 ** 52 + 1), stamp: 4, status: 1 as const, tags: ['red'] },
    ];
    const userId = await aSavedList(database, {
      items,
      tombstones: [{ id: String(2 ** 52 + 2), stamp: 5 }],
    });
    const wanted = {
      filter,
      order: 'newest',
      page: { count: 1, offset: 0 },
      withTotal: true,
    } as const;

    const short = await new ItemQuery(dataSource.manager, userId).find(wanted);
    const long = await new ItemQuery(dataSource.manager, userId, {
      shortList: -1,
      costs: COSTS,
    }).find(wanted);

    expect([short.total, long.total]).toEqual([total, total]);
  });

  it('finds the annotated items of one list only', async () => {
    const item = { ...fc.sample(anItem, RUNS)[0]!, annotations: 0 };
    const mine = await aSavedList(database, { items: [item], tombstones: [] });
    await aSavedList(database, { items: [{ ...item, annotations: 1 }], tombstones: [] });
    const limits = { shortList: -1, costs: { ...COSTS, row: 0, entry: 1e6 } };
    const { rows, total } = await new ItemQuery(dataSource.manager, mine, limits).find({
      filter: { annotated: true, updatedBefore: 1e9 },
      order: 'newest',
      page: { count: 1, offset: 0 },
      withTotal: true,
    });

    expect([rows, total]).toEqual([[], 0]);
  });

  it.each([
    ['as measured', COSTS],
    ['when rows are dear', { ...COSTS, row: 1e6, textRow: 1e6 }],
    ['when rows are free', { ...COSTS, row: 0, textRow: 0, grams: 1e6 }],
    ['when sets are free', { ...COSTS, hashing: 0, grams: 0, entry: 0 }],
  ])(
    'finds the same items as the model in a long list, with costs %s',
    (_costs, costs) =>
      everyAnswer(async (userId, wanted, model) => {
        const limits = { shortList: -1, costs, late: 1 };

        const answer = await answerOf(new ItemQuery(dataSource.manager, userId, limits), wanted);

        expect(answer).toEqual(expected(model, wanted));
      }),
    60_000,
  );

  it('fills the page if an early scan has found too few items', async () => {
    const [item] = fc.sample(anItem, RUNS);
    // The first match is the newest item, so the planner expects others soon. They are beyond the range of the scan.
    const items = Array.from({ length: 400 }, (_, at) => ({
      ...item!,
      ...{ id: String(2 ** 52 + at), added: 1000 - at, path: '' },
      title: at === 0 || at >= 240 ? 'needle' : 'hay',
    }));
    const userId = await aSavedList(database, { items, tombstones: [] });
    const wanted = {
      filter: { search: 'needle' },
      order: 'newest',
      page: { count: 10, offset: 0 },
    } as const;
    const costs = { ...COSTS, text: 1, textRow: 1e3, match: 1, grams: 40 };

    const query = new ItemQuery(dataSource.manager, userId, { shortList: -1, costs });

    expect(await answerOf(query, wanted)).toEqual(expected(new ListModel(items, []), wanted));
  });

  it(
    'finds the same page with every plan',
    () =>
      everyAnswer(async (userId, wanted, model) => {
        const conditions = withRareLanguage(conditionsOf(wanted.filter), { passed: [0] });
        const query: PageQuery = {
          userId,
          conditions,
          sortKey: sortKeyOf(wanted),
          page: wanted.page,
          columns: 'items',
          withTotal: false,
          hasTexts: true,
          isLate: false,
        };
        const list = { item_count: 60, facet_counts: '60', has_search_index: true };
        const facts = { query, sizes: listSizes({ list }, conditions), costs: COSTS };
        const { ids } = model.find(wanted);
        const idsBy = async (plan: PagePlan) => {
          const { text, values } = plannedPage(query, plan);
          const rows = await queryRows<{ item_id: string | null }>(
            dataSource.manager,
            text,
            values,
          );
          return rows.flatMap(({ item_id }) => item_id ?? []);
        };
        const others = completePlans(facts).flatMap(({ plan }): PagePlan[] =>
          plan.kind === 'index scan'
            ? []
            : plan.kind === 'id set'
              ? [plan, { ...plan, semiJoins: hashableOf(facts).filter((one) => one !== plan.by) }]
              : [plan],
        );
        const scans = earlyScans(facts, 1000)
          .map(({ plan }) => plan as IndexScan)
          .filter(({ semiJoins }) => semiJoins.length === 0);
        const completeScans = scans.flatMap((scan) => {
          const { kind, over } = scan;
          const { inIndex } = testsOf(query, scan);
          const sets = hashableOf(facts).filter(
            (one) => over === 'items' || !inIndex.includes(one),
          );
          const semiJoins = [[], ...sets.map((one) => [one]), sets];
          return semiJoins.map((some): IndexScan => ({ kind, over, semiJoins: some }));
        });

        for (const plan of [...others, ...completeScans]) {
          expect({ plan, ids: await idsBy(plan) }).toEqual({ plan, ids });
        }
        for (const plan of wordWindowsOf(query)) {
          const found = await idsBy(plan);
          expect({ plan, ids: found }).toEqual({ plan, ids: ids.slice(0, found.length) });
        }
        for (const scan of completeScans) {
          const plan = { ...scan, window: 5 };
          const found = await idsBy(plan);
          expect({ plan, ids: found }).toEqual({ plan, ids: ids.slice(0, found.length) });
        }
      }),
    60_000,
  );

  describe('the version for the next delta', () => {
    const wanted: ItemsWanted = { filter: {}, order: 'newest', page: { count: 1, offset: 0 } };
    const now = async () => {
      const [row] = await database.query<{ now: number }>(
        `SELECT floor(extract(epoch FROM now()))::int AS now`,
      );
      return row!.now;
    };

    it('is one minute ago for a list that does not exist', async () => {
      const before = await now();

      const { since, rows } = await new ItemQuery(dataSource.manager, '404').find(wanted);

      expect(rows).toEqual([]);
      expect(since).toBeGreaterThanOrEqual(before - 60);
      expect(since).toBeLessThanOrEqual((await now()) - 60);
    });

    it('is the version of the list if that is later', async () => {
      const userId = await aSavedList(database, { items: [], tombstones: [] });
      const stamp = (await now()) + 1000;
      await database.query(`UPDATE lists SET stamp = $2 WHERE user_id = $1`, [userId, stamp]);

      const { since } = await new ItemQuery(dataSource.manager, userId).find(wanted);

      expect(since).toBe(stamp);
    });
  });
});
