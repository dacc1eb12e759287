import type { Bound } from './bound-values.js';
import {
  areTagged,
  type Condition,
  hasAddedOrder,
  isInIndex,
  isInSet,
  isOrderOfTexts,
  type PageQuery,
  TAGGED_ONES,
} from './conditions.js';
import { and, lookedUp, lookedUpFor, plainKeys, tested } from './conditions.sql.js';
import { semiJoin, setOf } from './item-sets.sql.js';
import { type IdSet, type IndexScan, isBesideSet, type PagePlan, testsOf } from './page-plan.js';
import { behind, limited, ordered } from './paging.sql.js';

/** Returns the query that finds the item ids and sort keys of the page, according to the plan. */
export function keysOf(query: PageQuery, plan: PagePlan, bound: Bound): string {
  switch (plan.kind) {
    case 'plain':
      return plainKeys(query, bound);
    case 'index scan':
      return scannedKeys(query, plan, bound);
    case 'id set':
      return setKeys(query, plan, bound);
    case 'hosts':
      return keysByHost(query, bound);
  }
}

/**
 * Conditions that choose the index of a sort order. Those of partial indexes have the form that the planner recognizes.
 * Only the index by time of addition contains the number of words. Otherwise, the planner could sort the whole index of
 * facets or of versions. PostgreSQL 17 removes `word_count IS NOT NULL`, because the column is never null, so the
 * condition adds 0.
 */
const PREDICATES: Partial<Record<PageQuery['sortKey']['column'], string>> = {
  added_order: ' AND o.word_count + 0 IS NOT NULL',
  time_read: ' AND o.status = 1',
  time_favorited: ' AND o.favorite = 1',
};

/** Returns a query that scans an index in the requested sort order and stops when the page is full. */
function scannedKeys(query: PageQuery, scan: IndexScan, bound: Bound): string {
  const { inIndex, inSets, onEntry, onRow } = testsOf(query, scan);
  const entries = entriesInOrder(query, { over: scan.over, tests: inIndex }, bound);
  if (inSets.length + onEntry.length + onRow.length === 0) {
    return `${entries} ${limited(query, bound)}`;
  }
  const window = scan.window ?? UNLIMITED;
  const rows = lookedUpFor({ id: 'o.item_id', hasTexts: query.hasTexts }, onRow, bound);
  return `SELECT o.item_id, o.key FROM (${entries} LIMIT ${bound.bind(window, 'bigint')}) o ${rows}
    WHERE true${inSets.map((one) => ` AND ${semiJoin(one, bound, 'o')}`).join('')}${and(onEntry, bound, 'o')}
    ${ordered(query, 'o.key', 'o.item_id')} ${limited(query, bound)}`;
}

/**
 * A LIMIT that is larger than any list. Without a LIMIT in this subquery, PostgreSQL would read and
 * sort all texts of the list, which takes 90 ms instead of 1 ms.
 */
const UNLIMITED = 2 ** 40;

/**
 * Returns a query for the entries of an index. The query tests the conditions in `tests`, and
 * selects the columns that the remaining conditions need.
 */
function entriesInOrder(
  query: PageQuery,
  { over, tests }: { readonly over: IndexScan['over']; readonly tests: readonly Condition[] },
  bound: Bound,
): string {
  const { column } = query.sortKey;
  const isTagged = over === 'items' && areTagged(query.conditions);
  const columns = [
    `o.item_id, o.${column} AS key`,
    ...(hasAddedOrder(column) ? ['o.added_order'] : []),
    ...(over === 'item_search' ? ['o.search_text'] : []),
  ];
  const all = [...tests, ...(isTagged ? [TAGGED_ONES] : [])];
  const where = all.map((one) => ` AND ${testedIn(over, one, bound)}`).join('');
  // The last test, because PostgreSQL then runs it only for entries that meet the conditions.
  const predicate = over === 'items' ? (PREDICATES[column] ?? '') : '';
  const start = behind(query, `o.${column}`, 'o.item_id', bound);
  return `SELECT ${columns.join(', ')} FROM ${over} o
    WHERE o.user_id = $1${start}${where}${predicate} ${ordered(query, `o.${column}`, 'o.item_id')}`;
}

/** Returns an SQL expression that tests a condition on an entry of the scanned index. */
function testedIn(over: IndexScan['over'], condition: Condition, bound: Bound): string {
  if (over === 'item_tags' && condition.kind === 'tag') {
    return `o.tag_id = ${bound.bind(condition.id, 'bigint')}`;
  }
  // Adding 0 stops the planner from using the index on the version. With that index, PostgreSQL
  // would have to sort half of the list.
  return condition.kind === 'since'
    ? `o.stamp + 0 > ${bound.bind(condition.version, 'bigint')}`
    : tested(condition, bound, 'o');
}

/**
 * Returns a query that reads all items that meet one condition, tests the other conditions on the rows of these items,
 * and sorts the matching items.
 */
function setKeys(query: PageQuery, plan: IdSet, bound: Bound): string {
  const { sortKey } = query;
  const { semiJoins = [] } = plan;
  const { by, conditions } = inWindow(query.conditions, plan);
  const rest = conditions.filter((one) => !isInSet(one, by) && !semiJoins.includes(one));
  const onEntry = rest.filter((one) => isBesideSet(one, by));
  const onRow = rest.filter((one) => !onEntry.includes(one));
  const isKeyKnown = isInIndex(sortKey.column, by);
  const set = setOf(by, conditions, bound);
  const rows = isKeyKnown
    ? lookedUpFor({ id: 's.item_id', hasTexts: query.hasTexts }, onRow, bound)
    : keyedRows(query, onRow, bound);
  const joined = semiJoins.map((one) => ` AND ${semiJoin(one, bound, 's')}`).join('');
  const key = `${isKeyKnown ? 's' : 'keyed'}.${sortKey.column}`;
  return `SELECT s.item_id, ${key} AS key
    FROM (${set} OFFSET 0) s ${rows}
    WHERE true${behind(query, key, 's.item_id', bound)}${joined}${and(onEntry, bound, 's')}
    ${ordered(query, 'key', 'item_id')} ${limited(query, bound)}`;
}

/** Replaces the requested range of the number of words with the window of the plan. */
function inWindow(
  conditions: readonly Condition[],
  { by, window }: IdSet,
): { readonly by: Condition; readonly conditions: readonly Condition[] } {
  const narrowed = window === undefined ? by : ({ kind: 'words', ...window } as const);
  return { by: narrowed, conditions: conditions.map((one) => (one === by ? narrowed : one)) };
}

/**
 * Joins the rows that contain the sort key. Prefers the table `item_search`, because its rows are
 * smaller than the rows of `items`.
 */
function keyedRows(
  { sortKey, hasTexts }: PageQuery,
  onRow: readonly Condition[],
  bound: Bound,
): string {
  const texts = onRow.filter(({ kind }) => hasTexts && kind === 'search');
  const others = onRow.filter((one) => !texts.includes(one));
  const row = { id: 's.item_id', columns: `i.${sortKey.column}`, as: 'keyed' };
  return hasTexts && others.length === 0 && isOrderOfTexts(sortKey.column)
    ? lookedUp({ ...row, table: 'item_search' }, texts, bound)
    : `${lookedUpFor({ id: 's.item_id', hasTexts }, texts, bound)}
       ${lookedUp({ ...row, table: 'items' }, others, bound)}`;
}

/** Finds the hosts of a domain. Needs only one index look-up per host, even if the host has many items. */
const HOSTS = (from: string, below: string): string => `
  WITH RECURSIVE host AS (
    (SELECT site FROM items WHERE user_id = $1 AND site >= ${from} AND site < ${below} ORDER BY site LIMIT 1)
    UNION ALL
    SELECT (SELECT i.site FROM items i WHERE i.user_id = $1 AND i.site > host.site AND i.site < ${below}
            ORDER BY i.site LIMIT 1)
    FROM host WHERE host.site IS NOT NULL
  )
  SELECT reverse(left(site, -1)) AS name FROM host WHERE site IS NOT NULL`;

/** Finds the items of a domain in the order of their URLs. The items of each host are one range of the index. */
function keysByHost(query: PageQuery, bound: Bound): string {
  const domain = query.conditions.find((one) => one.kind === 'domain');
  const rest = query.conditions.filter((one) => one !== domain);
  const hosts = HOSTS(bound.bind(domain?.from, 'text'), bound.bind(domain?.below, 'text'));
  return `SELECT u.item_id, u.key FROM (${hosts}) host CROSS JOIN LATERAL (
      SELECT i.item_id, i.url_key AS key FROM items i
      WHERE i.user_id = $1 AND i.url_key >= host.name || '/' AND i.url_key < host.name || '0'${and(rest, bound, 'i')}${behind(query, 'i.url_key', 'i.item_id', bound)}
      ${ordered(query, 'i.url_key', 'i.item_id')} LIMIT ${bound.bind(query.page.offset + query.page.count, 'bigint')}) u
    ${ordered(query, 'u.key', 'u.item_id')} ${limited(query, bound)}`;
}
