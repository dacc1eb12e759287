import { CONTENT } from '../facet.js';
import type { Bound } from './bound-values.js';
import type { TraitCondition } from './conditions.js';
import { MOST_WORDS, type Progress, type WordRange } from './items-wanted.js';

/** Returns an SQL expression that tests a condition on a column of the item with the alias `row`. */
export function traitTested(condition: TraitCondition, bound: Bound, row: string): string {
  switch (condition.kind) {
    case 'words':
      return `(${wordsTested(condition, bound, row)})`;
    case 'language':
      // Pages that were stored by early versions of Satchel can have languages in capitals, such as EN.
      return `(lower(${row}.lang COLLATE "C") >= ${bound.bind(condition.from, 'text')}
        AND lower(${row}.lang COLLATE "C") < ${bound.bind(condition.below, 'text')})`;
    case 'pdf':
      return `${row}.is_pdf = 1`;
    case 'fetchFailed':
      return `${row}.fetch_failed = 1`;
  }
}

/** Returns an SQL expression that is true for an article in a range of lengths. */
function wordsTested({ from, below }: WordRange, bound: Bound, row: string): string {
  return [
    `(${row}.facet & '${CONTENT.article}'::smallint) <> '0'::smallint`,
    ...(from > 0 ? [`${row}.word_count >= ${bound.bind(from, 'int')}`] : []),
    ...(below < MOST_WORDS ? [`${row}.word_count < ${bound.bind(below, 'int')}`] : []),
  ].join(' AND ');
}

/**
 * The fractions of an article, from which on it is started and finished. The list shows the progress in rounded
 * percent, so an article with at least 1 percent is started, and one with at least 95 percent is finished.
 */
const STARTED = 0.005;
const FINISHED = 0.945;

const FRACTIONS: Readonly<Record<Progress, string>> = {
  unstarted: `p.fraction >= ${STARTED}`,
  started: `p.fraction >= ${STARTED} AND p.fraction < ${FINISHED}`,
  finished: `p.fraction >= ${FINISHED}`,
};

/** Returns an SQL expression that tests how far the user has read the item with the alias `row`. */
export const hasProgress = (progress: Progress, row: string): string =>
  `(SELECT true FROM reading_positions p WHERE p.user_id = $1 AND p.item_id = ${row}.item_id
    AND ${FRACTIONS[progress]}) IS ${progress === 'unstarted' ? 'NOT ' : ''}TRUE`;

/** Returns a query for the ids of the items that the user has started or finished. */
export const withProgress = (progress: Progress): string =>
  `SELECT item_id FROM reading_positions p WHERE p.user_id = $1 AND ${FRACTIONS[progress]}`;

/**
 * The number of items, the newest first, whose languages the reader offers as a filter. Reading the languages of all
 * items of a long list would take as long as reading a page of it.
 */
const NEWEST = 2000;

/** Selects the languages of the newest items of a list, without their regions. */
export const LANGUAGES = `
  SELECT DISTINCT lower(split_part(lang, '-', 1)) AS language FROM (
    SELECT lang FROM items WHERE user_id = $1 ORDER BY added_order DESC, item_id DESC LIMIT ${NEWEST}) newest
  WHERE lang <> ''`;
