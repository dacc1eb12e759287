import type { Statement } from '../../platform/database/query-rows.js';
import { ITEM_COLUMNS } from '../entities/item.entity.js';
import { sinceOf } from '../entities/list-summary.sql.js';
import type { Condition, PageQuery } from './conditions.js';
import { behind, Bound, KEPT, plainKeys, setOf, where } from './conditions.sql.js';
import { isKept } from './list-sizes.js';
import type { EndChecks } from './page-ends.js';
import { keysOf } from './page-keys.sql.js';
import type { PagePlan } from './page-plan.js';
import { rankedKeys } from './ranking.sql.js';
import { countedTotal, keptTotal, tombstoneTotal } from './total.sql.js';

/** The whole answer for a short list, where every way to the page is short. */
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

/** The page and its rows, found the way the plan says. */
export const plannedPage = (query: PageQuery, plan: PagePlan, checks: EndChecks = {}): Statement =>
  snapshot(query, (bound) => ({ keys: keysOf(query, plan, bound), head: [], checks }));

/** What every item shows. The fence keeps the planner at one descent of the key a row. */
const rowsOf = (columns: readonly string[]): string => `LEFT JOIN LATERAL (
    SELECT ${columns.map((column) => `i.${column}`).join(', ')}
    FROM items i WHERE i.user_id = $1 AND i.item_id = page.item_id OFFSET 0) row ON true`;

const ROWS = rowsOf(ITEM_COLUMNS);
const ROWS_WITH_NOTES = rowsOf([...ITEM_COLUMNS, 'note']);

const VERSIONS = [
  'coalesce(list.stamp, 0)::float8 AS version',
  `${sinceOf('list')}::float8 AS since`,
];

interface PageParts {
  /** A statement that gives `item_id` and `key`. */
  readonly keys: string;
  /** Further columns of the head: expressions with names. */
  readonly head: readonly string[];
  readonly checks?: EndChecks;
}

/** One statement, hence one moment: the keys of a page, their rows, the version, what was deleted. */
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
    SELECT head.*, row.* FROM head FULL JOIN page USING (place) ${query.withNotes ? ROWS_WITH_NOTES : ROWS} ORDER BY page.place`;
  return { text, values: bound.values };
}

interface EndOfPage {
  readonly counted: string;
  readonly isBehindPage: string;
}

/**
 * A page past the end is not searched for: a counter of the list, or a count in one index, shows that no more items pass
 * than the offset skips.
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

/** The page is found from the number of items, which the list keeps. */
function otherEndOf({ conditions }: PageQuery, bound: Bound): EndOfPage {
  const [items = '0'] = keptNumbers(conditions, bound);
  return {
    counted: `${KEPT} AS MATERIALIZED (SELECT ${items}::bigint AS items), `,
    isBehindPage: '',
  };
}

/** How many pass one condition, up to one more than the page leaves out. */
const asMany = ({ page }: PageQuery, by: Condition, bound: Bound): string =>
  `(SELECT count(*) FROM (SELECT FROM (${setOf(by, [by], bound)}) one LIMIT ${bound.bind(page.offset + 1, 'bigint')}) few)`;

/** Of all items, or of those that pass one condition each: no more pass them all. */
const keptNumbers = (conditions: readonly Condition[], bound: Bound): readonly string[] =>
  (conditions.length === 0 ? [[]] : conditions.filter(isKept).map((one) => [one])).flatMap(
    (kept) => keptTotal(kept, bound) ?? [],
  );

/** The items of a delta: up to one more than the page leaves out, or all less those that have not changed. */
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

/** Of a page, not the first, of all that has changed since a version. */
function countedDelta({ conditions, page }: PageQuery): SinceCondition | undefined {
  const [one, another] = conditions;
  const isAlone = one?.kind === 'since' && another === undefined;
  return isAlone && page.offset > 0 && page.after === undefined ? one : undefined;
}

/** What the last item of the page is sorted by; a rank is no position to go on from. */
const lastOf = ({ ranking }: PageQuery): readonly string[] =>
  ranking === undefined
    ? ['(SELECT key::text FROM page ORDER BY place DESC LIMIT 1) AS last_key']
    : ['NULL AS last_key', '(SELECT count(*)::int FROM newest) AS ranked'];

/** They follow the last item, so there are none while the page is full of items. */
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

/** The number of items from where the page is counted. */
const remainingItems = (query: PageQuery, bound: Bound): string =>
  `(SELECT count(*) FROM items i WHERE ${where(query.conditions, bound, 'i')}${behind(query, `i.${query.sortKey.column}`, 'i.item_id', bound)})`;

const remainingTombstones = ({ after }: PageQuery['page'], bound: Bound): string =>
  after?.kind === 'tombstone'
    ? ` AND (stamp, item_id) > (${bound.bind(after.version, 'bigint')}, ${bound.bind(after.itemId, 'bigint')})`
    : '';
