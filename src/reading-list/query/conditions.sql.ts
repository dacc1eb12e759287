import { cut } from '../../lib/util/clean-text.js';
import type { Bound } from './bound-values.js';
import { type Condition, isTrait, type PageQuery, type TextCondition } from './conditions.js';
import { hasProgress, traitTested } from './item-traits.sql.js';
import { behind, limited, ordered } from './paging.sql.js';
import { isOfReader } from './reader-conditions.js';
import { hasTag, readerTested } from './reader-conditions.sql.js';

/**
 * Returns an SQL expression that is true if the row with the alias `row` belongs to the user and
 * meets all conditions.
 */
export const where = (conditions: readonly Condition[], bound: Bound, row: string): string =>
  [`${row}.user_id = $1`, ...conditions.map((condition) => tested(condition, bound, row))].join(
    ' AND ',
  );

/** Returns an SQL expression for each condition, with a leading AND, to extend a WHERE clause. */
export const and = (conditions: readonly Condition[], bound: Bound, row: string): string =>
  conditions.map((condition) => ` AND ${tested(condition, bound, row)}`).join('');

/** Returns an SQL expression that tests a condition on the row with the alias `row`. */
export function tested(condition: Condition, bound: Bound, row: string): string {
  if (isTrait(condition)) {
    return traitTested(condition, bound, row);
  }
  if (isOfReader(condition)) {
    return readerTested(condition, bound, row);
  }
  switch (condition.kind) {
    case 'facet':
      return `(${row}.facet & ${bound.bind(condition.mask, 'smallint')}) = ${bound.bind(condition.value, 'smallint')}`;
    case 'tag':
      return hasTag(condition.id, bound, row);
    case 'search':
      return searched(condition.text, bound, `${row}.search_text`);
    case 'text':
      return hasText(condition, bound, row);
    case 'domain':
      return `${row}.site >= ${bound.bind(condition.from, 'text')} AND ${row}.site < ${bound.bind(condition.below, 'text')}`;
    default:
      return compared(condition, bound, row);
  }
}

function compared(
  condition: Extract<
    Condition,
    { kind: 'since' | 'updatedBefore' | 'item' | 'annotated' | 'progress' }
  >,
  bound: Bound,
  row: string,
): string {
  switch (condition.kind) {
    case 'since':
      return `${row}.stamp > ${bound.bind(condition.version, 'bigint')}`;
    case 'updatedBefore':
      return `${row}.time_updated < ${bound.bind(condition.time, 'bigint')}`;
    case 'item':
      return isOneOf(condition.ids, bound, row);
    case 'annotated':
      return `(SELECT true FROM annotations a WHERE a.user_id = $1 AND a.item_id = ${row}.item_id LIMIT 1)
        IS ${condition.wanted ? '' : 'NOT '}TRUE`;
    case 'progress':
      return hasProgress(condition.wanted, row);
  }
}

/** Compares one id with `=`, so that the planner expects one row at most. */
const isOneOf = (ids: readonly string[], bound: Bound, row: string): string =>
  ids.length === 1
    ? `${row}.item_id = ${bound.bind(ids[0], 'bigint')}`
    : `${row}.item_id = ANY (${bound.bind(ids, 'bigint[]')})`;

const hasText = (condition: TextCondition, bound: Bound, row: string): string =>
  condition.query.phrases === undefined
    ? `(SELECT t.words @@ ${bound.bind(condition.query.words, 'tsquery')} FROM item_texts t
        WHERE t.user_id = $1 AND t.item_id = ${row}.item_id)`
    : `${row}.item_id IN (SELECT item_id FROM (${textSet(condition, bound)}) found)`;

/**
 * The maximum number of items that are tested for a phrase, the newest first. Each item is tested, because the index
 * finds items with all words of the phrase, but does not show which words are adjacent.
 */
export const PHRASES_AMONG = 500;

/** Returns a query for the items that contain the words of a text search. */
export function textSet(
  { query: { words, phrases }, isCommon = false }: TextCondition,
  bound: Bound,
): string {
  const withWords = isCommon ? walked(words, bound) : indexed(words, bound);
  return phrases === undefined
    ? `SELECT item_id, added_order FROM (${withWords}) t`
    : `SELECT item_id, added_order FROM (${withWords} ORDER BY added_order DESC, item_id DESC LIMIT ${PHRASES_AMONG}) newest
       WHERE words @@ ${bound.bind(phrases, 'tsquery')}`;
}

/**
 * Repeats a condition, so that the planner expects only one or two matching rows. Otherwise, the
 * planner would also search another index by owner, which took 70 of the 80 ms of a query. The
 * comparison of the owner is not repeated, because a distributed database finds the shard by that
 * comparison (docs/decisions/0082).
 */
export const insisted = (condition: string, times: number): string =>
  Array.from({ length: times }, () => condition).join(' AND ');

/**
 * Finds items by their words in the full-text index. `words` includes the additional word that
 * identifies the owner. The statement contains the condition only twice, because each copy costs a
 * quarter of an index lookup.
 */
const indexed = (words: string, bound: Bound): string =>
  `SELECT t.item_id, t.added_order, t.words FROM item_texts t
    WHERE t.user_id = $1 AND ${insisted(`t.words @@ ${bound.bind(words, 'tsquery')}`, 2)}`;

/**
 * Finds items by testing the words of each item instead of searching the full-text index. OFFSET 0 makes the planner
 * look up the words of each item by the key of the item.
 */
const walked = (words: string, bound: Bound): string =>
  `SELECT o.item_id, o.added_order, t.words FROM items o CROSS JOIN LATERAL (
      SELECT t.words FROM item_texts t WHERE t.user_id = $1 AND t.item_id = o.item_id OFFSET 0) t
    WHERE o.user_id = $1 AND t.words @@ ${bound.bind(words, 'tsquery')}`;

/**
 * The maximum length of a LIKE pattern, in code points. The cost of LIKE is at most this length multiplied by the
 * length of the text.
 */
const MAX_LIKE = 16;

/**
 * Returns an SQL expression that is true if a column contains the search text. For a long search text, LIKE tests only
 * its beginning, and a regular expression tests the whole search text. LIKE with a long search text could take seconds
 * for a text of a few megabytes, such as a search for `aaa…ab` in `aaa…` (docs/decisions/0030).
 */
function searched(text: string, bound: Bound, column: string): string {
  const beginning = cut(text, MAX_LIKE);
  const likely = `${column} LIKE ${bound.bind(containing(beginning), 'text')}`;
  return beginning === text
    ? likely
    : `(${likely} AND ${column} ~ ${bound.bind(`***=${text}`, 'text')})`;
}

/** Returns a LIKE pattern that matches every text that contains this text. Special characters are escaped. */
const containing = (text: string): string => `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;

/**
 * Returns a query that finds the items of a page with a single WHERE clause. It is used for short lists, where every
 * query plan is fast.
 */
export function plainKeys(query: PageQuery, bound: Bound): string {
  const { column } = query.sortKey;
  return `SELECT i.item_id, i.${column} AS key FROM items i WHERE ${where(query.conditions, bound, 'i')}${behind(query, `i.${column}`, 'i.item_id', bound)}
    ${ordered(query, `i.${column}`, 'i.item_id')} ${limited(query, bound)}`;
}

interface LookUp {
  readonly table: 'items' | 'item_search';
  /** The SQL expression for the id of the item to look up. */
  readonly id: string;
  readonly columns?: string;
  readonly as?: string;
}

/**
 * Returns a join that looks up the row of an item by its key and tests the conditions on this row. Both OFFSET 0 force
 * the planner to use the key. Without the inner OFFSET 0, the planner once used the index on the version to find a
 * single row, which took 1,700 ms instead of 1 ms.
 */
export const lookedUp = (
  { table, id, columns = '', as = table }: LookUp,
  conditions: readonly Condition[],
  bound: Bound,
): string =>
  `CROSS JOIN LATERAL (
    SELECT ${columns} FROM (SELECT * FROM ${table} WHERE user_id = $1 AND item_id = ${id} OFFSET 0) i
    WHERE true${and(conditions, bound, 'i')} OFFSET 0) ${as}`;

/**
 * Returns the joins that look up rows and test the conditions. Returns "" if there are no conditions. Search conditions
 * are tested on `item_search` if possible, because its rows are a quarter as wide as the rows of `items`.
 */
export function lookedUpFor(
  { id, hasTexts }: { readonly id: string; readonly hasTexts: boolean },
  conditions: readonly Condition[],
  bound: Bound,
): string {
  const texts = conditions.filter(({ kind }) => hasTexts && kind === 'search');
  const others = conditions.filter((one) => !texts.includes(one));
  const tables = [
    ['item_search', texts],
    ['items', others],
  ] as const;
  return tables
    .filter(([, tests]) => tests.length > 0)
    .map(([table, tests]) => lookedUp({ table, id }, tests, bound))
    .join(' ');
}
