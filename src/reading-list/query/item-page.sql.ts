import type { Statement } from '../../platform/database/query-rows.js';
import { ITEM_COLUMNS } from '../entities/item.entity.js';
import { sinceOf } from '../entities/list-summary.sql.js';
import { Bound } from './bound-values.js';
import type { Condition, PageColumnSet, PageQuery } from './conditions.js';
import { plainKeys, where } from './conditions.sql.js';
import { setOf } from './item-sets.sql.js';
import type { ItemsWanted } from './items-wanted.js';
import { isKept } from './list-sizes.js';
import type { EndChecks } from './page-ends.js';
import { keysOf } from './page-keys.sql.js';
import type { PagePlan } from './page-plan.js';
import { behind, KEPT } from './paging.sql.js';
import { rankedKeys } from './ranking.sql.js';
import { countedTotal, keptTotal, tombstoneTotal } from './total.sql.js';

/**
 * Returns a single statement for a page and the total number of items. It is used only for short lists, where every
 * query plan is fast.
 */
export const shortPage = (query: PageQuery): Statement =>
  snapshot(query, (bound) => ({
    keys: plainKeys(query, bound),
    head: query.withTotal ? [`${total(query, bound)} AS total`] : [],
  }));

function total({ conditions }: PageQuery, bound: Bound): string {
  const items = keptTotal(conditions, bound) ?? countedTotal(conditions, bound);
  return `(${items} + ${tombstoneTotal(conditions, bound)})::int`;
}

type SinceCondition = Extract<Condition, { kind: 'since' }>;

/** Returns a statement that finds a page and its rows with the given plan. */
export const plannedPage = (query: PageQuery, plan: PagePlan, checks: EndChecks = {}): Statement =>
  snapshot(query, (bound) => ({ keys: keysOf(query, plan, bound), head: [], checks }));

/** Joins the columns that are returned for every item. OFFSET 0 makes the planner look up each row by its key. */
const rowsOf = (columns: readonly string[]): string => `LEFT JOIN LATERAL (
    SELECT ${columns.map((column) => `i.${column}`).join(', ')}
    FROM items i WHERE i.user_id = $1 AND i.item_id = page.item_id OFFSET 0) row ON true`;

const VERSION = 'stamp AS item_version';
const COLUMNS: Readonly<Record<PageColumnSet, readonly string[]>> = {
  items: [...ITEM_COLUMNS, VERSION],
  'items with notes': [...ITEM_COLUMNS, VERSION, 'note'],
  versions: ['item_id', VERSION],
};

/** Returns the columns of the items on a requested page. */
export const columnsOf = ({ withNotes }: ItemsWanted): PageColumnSet =>
  withNotes === true ? 'items with notes' : 'items';

/** Returns a statement that reads the items with these ids, in any order. It has the columns of the requested page. */
export const itemsWithIds = (
  userId: string,
  itemIds: readonly string[],
  wanted: ItemsWanted,
): Statement => ({
  text: `SELECT ${COLUMNS[columnsOf(wanted)].join(', ')} FROM items WHERE user_id = $1 AND item_id = ANY ($2::bigint[])`,
  values: [userId, itemIds],
});

const VERSIONS = [
  'coalesce(list.stamp, 0)::float8 AS version',
  `${sinceOf('list')}::float8 AS since`,
];

interface PageParts {
  /** A query that returns the columns `item_id` and `key`. */
  readonly keys: string;
  /** Additional columns for the first row of the result, as SQL expressions with names. */
  readonly head: readonly string[];
  readonly checks?: EndChecks;
}

/**
 * Builds a single statement, so that the items, the list version and the records of deleted items come from the same
 * snapshot.
 */
function snapshot(query: PageQuery, partsOf: (bound: Bound) => PageParts): Statement {
  const bound = new Bound(query.userId);
  const { keys, head, checks = {} } = partsOf(bound);
  const { direction } = query.fromEnd ?? query.sortKey;
  const end = query.fromEnd === undefined ? endOf(query, checks, bound) : otherEndOf(query, bound);
  const ranked =
    query.ranking === undefined
      ? { newest: '', keys }
      : { newest: `newest AS MATERIALIZED (${keys}), `, keys: rankedKeys(query.ranking, bound) };
  const text = `
    WITH ${ranked.newest}${end.counted}page AS MATERIALIZED (
      SELECT item_id, key, row_number() OVER (ORDER BY key ${direction}, item_id ${direction}) AS place FROM (${ranked.keys}) keys${end.isBehindPage}
    ), head AS (
      SELECT 1::bigint AS place, ${[...VERSIONS, ...lastOf(query), ...tombstones(query, bound), ...head].join(', ')}
      FROM (VALUES (1)) AS one LEFT JOIN lists list ON list.user_id = $1
    )
    SELECT head.*, row.* FROM head FULL JOIN page USING (place) ${rowsOf(COLUMNS[query.columns])} ORDER BY page.place`;
  return { text, values: bound.values };
}

interface EndOfPage {
  readonly counted: string;
  readonly isBehindPage: string;
}

/**
 * Returns SQL that skips the search for items if the page begins after the last item. The SQL
 * compares the offset of the page with a stored counter of the list, or with a count in one index.
 */
function endOf(query: PageQuery, checks: EndChecks, bound: Bound): EndOfPage {
  const { conditions, page } = query;
  const delta = countedDelta(query);
  const counted = delta && `counted AS MATERIALIZED (${deltaOf(query, delta, checks, bound)}), `;
  const numbers = [
    ...(delta === undefined ? [] : ['(SELECT items FROM counted)']),
    ...(query.isLate ? keptNumbers(conditions, bound) : []),
    ...(checks.counted === undefined ? [] : [asMany(query, checks.counted, bound)]),
  ];
  const holds = numbers.map((items) => `${bound.bind(page.offset, 'bigint')} < ${items}`);
  return {
    counted: counted ?? '',
    isBehindPage: holds.length === 0 ? '' : ` WHERE ${holds.join(' AND ')}`,
  };
}

/** Reads the stored number of items, for a page that is read from the other end of the list. */
function otherEndOf({ conditions }: PageQuery, bound: Bound): EndOfPage {
  const [items = '0'] = keptNumbers(conditions, bound);
  return {
    counted: `${KEPT} AS MATERIALIZED (SELECT ${items}::bigint AS items), `,
    isBehindPage: '',
  };
}

/** Counts the items that meet one condition. The count stops when it exceeds the offset of the page. */
const asMany = ({ page }: PageQuery, by: Condition, bound: Bound): string =>
  `(SELECT count(*) FROM (SELECT FROM (${setOf(by, [by], bound)}) one LIMIT ${bound.bind(page.offset + 1, 'bigint')}) few)`;

/**
 * Returns the stored number of items for each condition, or the number of all items if there are no conditions. Each of
 * these numbers is an upper limit for the number of items that meet all conditions.
 */
const keptNumbers = (conditions: readonly Condition[], bound: Bound): readonly string[] =>
  (conditions.length === 0 ? [[]] : conditions.filter(isKept).map((one) => [one])).flatMap(
    (kept) => keptTotal(kept, bound) ?? [],
  );

/**
 * Counts the items that have changed since the version of the client. If most items have changed, subtracts the number
 * of unchanged items from the number of all items. Otherwise, stops when the count exceeds the offset of the page.
 */
const deltaOf = (
  { page, conditions }: PageQuery,
  { version }: SinceCondition,
  { isMost }: EndChecks,
  bound: Bound,
): string =>
  isMost === true
    ? `SELECT ${keptTotal([], bound) ?? '0'} - count(*) AS items FROM items i
        WHERE i.user_id = $1 AND i.stamp <= ${bound.bind(version, 'bigint')}`
    : `SELECT count(*) AS items FROM (
        SELECT FROM items i WHERE ${where(conditions, bound, 'i')} LIMIT ${bound.bind(page.offset + 1, 'bigint')}) few`;

/**
 * Returns the `since` condition of a query if the query has no other condition. Returns undefined for the first page,
 * and for a page that starts at a stored position.
 */
function countedDelta({ conditions, page }: PageQuery): SinceCondition | undefined {
  const [one, another] = conditions;
  const isAlone = one?.kind === 'since' && another === undefined;
  return isAlone && page.offset > 0 && page.after === undefined ? one : undefined;
}

/**
 * Returns the SQL column with the sort key of the last item of the page. The key is NULL for a
 * ranked search, because its next page is found by offset.
 */
const lastOf = ({ ranking }: PageQuery): readonly string[] =>
  ranking === undefined
    ? ['(SELECT key::text FROM page ORDER BY place DESC LIMIT 1) AS last_key']
    : ['NULL AS last_key', '(SELECT count(*)::int FROM newest) AS ranked'];

/**
 * Selects the records of deleted items for the page. The records follow the last item of the list, so a page that is
 * full of items contains no records.
 */
function tombstones(query: PageQuery, bound: Bound): string[] {
  const { conditions, page } = query;
  const since = conditions.find((one) => one.kind === 'since');
  if (since?.withTombstones !== true) {
    return [];
  }
  const offset = bound.bind(page.offset, 'bigint');
  const itemsBefore = `CASE WHEN ${offset} = 0 OR EXISTS (SELECT FROM page) THEN ${offset}
    ELSE ${countedDelta(query) ? '(SELECT items FROM counted)' : remainingItems(query, bound)} END`;
  return [
    `ARRAY(SELECT ARRAY[item_id, stamp]::text[] FROM tombstones
      WHERE user_id = $1 AND stamp > ${bound.bind(since.version, 'bigint')}${remainingTombstones(page, bound)}
      ORDER BY stamp, item_id
      LIMIT ${bound.bind(page.count, 'bigint')} - (SELECT count(*) FROM page)
      OFFSET greatest(${offset} - ${itemsBefore}, 0)) AS tombstones`,
  ];
}

/** Counts the items after the start position of the page that meet the conditions. */
const remainingItems = (query: PageQuery, bound: Bound): string =>
  `(SELECT count(*) FROM items i WHERE ${where(query.conditions, bound, 'i')}${behind(query, `i.${query.sortKey.column}`, 'i.item_id', bound)})`;

const remainingTombstones = ({ after }: PageQuery['page'], bound: Bound): string =>
  after?.kind === 'tombstone'
    ? ` AND (stamp, item_id) > (${bound.bind(after.version, 'bigint')}, ${bound.bind(after.itemId, 'bigint')})`
    : '';
