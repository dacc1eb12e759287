import type { Bound } from './bound-values.js';
import type { ReaderCondition, SpanCondition, TagsCondition } from './reader-conditions.js';

/** Returns an SQL expression that tests a condition of the reader on the row with the alias `row`. */
export function readerTested(condition: ReaderCondition, bound: Bound, row: string): string {
  switch (condition.kind) {
    case 'tags':
      return `(SELECT count(*) ${tagsOfRow(condition, bound, row)}) = ${condition.ids.length}`;
    case 'anyTag':
      return `(SELECT true ${tagsOfRow(condition, bound, row)} LIMIT 1) IS TRUE`;
    case 'noTag':
      return `(SELECT true ${tagsOfRow(condition, bound, row)} LIMIT 1) IS NOT TRUE`;
    case 'added':
      return between(condition, bound, `${row}.added_order`);
    case 'read':
      // Names the status like the index of archived items. Items that are unread again can keep the time.
      return `(${row}.status = 1 AND ${between(condition, bound, `${row}.time_read`)})`;
    case 'noted':
      return `${row}.note <> ''`;
  }
}

const tagsOfRow = ({ ids }: TagsCondition, bound: Bound, row: string): string =>
  `FROM item_tags g WHERE g.user_id = $1 AND g.tag_id = ANY (${bound.bind(ids, 'bigint[]')})
    AND g.added_order = ${row}.added_order AND g.item_id = ${row}.item_id`;

const between = ({ from, below }: SpanCondition, bound: Bound, column: string): string =>
  [
    ...(from === undefined ? [] : [`${column} >= ${bound.bind(from, 'bigint')}`]),
    ...(below === undefined ? [] : [`${column} < ${bound.bind(below, 'bigint')}`]),
  ].join(' AND ') || 'true';

/** Returns a query for the items that have all of several tags, or at least one of them. */
export function withTags({ kind, ids }: TagsCondition, bound: Bound): string {
  const tagged = `FROM item_tags WHERE user_id = $1 AND tag_id = ANY (${bound.bind(ids, 'bigint[]')})
    GROUP BY added_order, item_id`;
  return `SELECT item_id, added_order ${tagged}${kind === 'tags' ? ` HAVING count(*) = ${ids.length}` : ''}`;
}
