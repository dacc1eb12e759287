import { facetsPassing } from '../facet.js';
import type { Bound } from './bound-values.js';
import { type Condition, isInAddedIndex, isInSet } from './conditions.js';
import { and, insisted, tested, textSet } from './conditions.sql.js';
import { withProgress } from './item-traits.sql.js';
import { isOfTags, type LanguageCondition } from './reader-conditions.js';
import { taggedIds, withTags } from './reader-conditions.sql.js';
import { isExcluding } from './set-costs.js';

/**
 * Returns the conditions that need no separate test, because the query for the items that meet the condition `by`
 * already tests them.
 */
export const answeredBy = (by: Condition, conditions: readonly Condition[]): readonly Condition[] =>
  conditions.filter((one) => isInSet(one, by));

const MARKED = 'SELECT item_id FROM annotations WHERE user_id = $1';
export const ANNOTATED = `SELECT DISTINCT item_id FROM (${MARKED}) marked`;

/** Tests the other conditions that the index for the condition `by` can test. */
const besides = (
  by: Condition,
  conditions: readonly Condition[],
  bound: Bound,
  row: string,
): string =>
  and(
    answeredBy(by, conditions).filter((one) => one !== by),
    bound,
    row,
  );

/**
 * Returns a query for all items that meet the condition: their ids and, except for annotations and reading positions,
 * their sort keys. The query reads only an index, except for a text search.
 */
export function setOf(by: Condition, conditions: readonly Condition[], bound: Bound): string {
  switch (by.kind) {
    case 'facet':
      // Looks up each facet (combination of item properties) separately. For a query over all
      // facets, PostgreSQL might scan the whole list.
      return `SELECT item_id, added_order FROM unnest(${bound.bind(facetsPassing(by), 'smallint[]')}) one (facet)
        CROSS JOIN LATERAL (SELECT item_id, added_order FROM items i
          WHERE i.user_id = $1 AND i.facet = one.facet${besides(by, conditions, bound, 'i')} OFFSET 0) of_facet`;
    case 'tag':
      return `SELECT item_id, added_order FROM item_tags g
        WHERE g.user_id = $1 AND g.tag_id = ${bound.bind(by.id, 'bigint')}${besides(by, conditions, bound, 'g')}`;
    case 'search':
      // The repeated condition costs little, because the index looks it up only once.
      return `SELECT item_id, added_order, title_key, url_key FROM item_search s
        WHERE s.user_id = $1 AND ${tested(by, bound, 's')} AND ${insisted(
          `search_grams(s.user_id, s.search_text) @> search_grams($1, ${bound.bind(by.text, 'text')})`,
          3,
        )}`;
    case 'text':
      return textSet(by, bound);
    default:
      return isOfTags(by) ? withTags(by, bound) : markedOrRead(by, conditions, bound);
  }
}

function markedOrRead(by: Condition, conditions: readonly Condition[], bound: Bound): string {
  switch (by.kind) {
    case 'annotated':
      return ANNOTATED;
    case 'progress':
      return withProgress(by.wanted);
    case 'language':
      return by.isRare === true
        ? inRareLanguage(by, conditions, bound)
        : inAddedIndex(by, conditions, bound);
    default:
      return inAddedIndex(by, conditions, bound);
  }
}

const inAddedIndex = (by: Condition, conditions: readonly Condition[], bound: Bound): string =>
  `SELECT item_id, added_order${isInAddedIndex(by) ? ', word_count' : ''} FROM items i
    WHERE i.user_id = $1${and(answeredBy(by, conditions), bound, 'i')}`;

/**
 * Finds the items in a rare language in the index of languages. The planner can use this partial index only for a
 * query that repeats its predicate, so no other query uses it. OFFSET 0 keeps the planner from using another index.
 */
const inRareLanguage = (
  by: LanguageCondition,
  conditions: readonly Condition[],
  bound: Bound,
): string =>
  `SELECT item_id, added_order, word_count FROM (SELECT * FROM items l
      WHERE l.user_id = $1 AND l.lang <> '' AND ${tested(by, bound, 'l')} OFFSET 0) i
    WHERE true${besides(by, conditions, bound, 'i')}`;

/**
 * Returns a query for the ids that a semi-join hashes. An id may occur several times. For a condition that excludes
 * items, the query returns the excluded items.
 */
function hashedIds(one: Condition, bound: Bound): string {
  if (isOfTags(one) && one.kind !== 'tags') {
    return taggedIds(one, bound);
  }
  switch (one.kind) {
    case 'annotated':
      return MARKED;
    case 'progress':
      return withProgress(one.wanted);
    default:
      return setOf(one, [one], bound);
  }
}

/**
 * Returns an SQL expression that is true if an item meets a condition. Hashes the ids of all items that meet the
 * condition, or of all items that the condition excludes. The array makes the planner expect a small set. `IS TRUE`
 * prevents a join, whose nested loops took 700 ms instead of 20 ms.
 */
export const semiJoin = (by: Condition, bound: Bound, row: string): string =>
  `(${row}.item_id IN (SELECT unnest(ARRAY(SELECT item_id FROM (${hashedIds(by, bound)}) of)))) IS ${isExcluding(by) ? 'NOT ' : ''}TRUE`;
