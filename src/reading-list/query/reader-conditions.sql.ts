import type { Bound } from './bound-values.js';
import type { ReaderCondition, SpanCondition, TagsCondition } from './reader-conditions.js';

/** Returns an SQL expression that tests a condition of the reader on the row with the alias `row`. */
export function readerTested(condition: ReaderCondition, bound: Bound, row: string): string {
  switch (condition.kind) {
    case 'tags':
      return `(${tagsOfRow(condition, bound, row).join(' AND ')})`;
    case 'anyTag':
      return `(${tagsOfRow(condition, bound, row).join(' OR ')})`;
    case 'noTag':
      return `(${tagsOfRow(condition, bound, row).join(' OR ')}) IS NOT TRUE`;
    case 'added':
      return between(condition, bound, `${row}.added_order`);
    case 'read':
      // Names the status like the index of archived items. Items that are unread again can keep the time.
      return `(${row}.status = 1 AND ${between(condition, bound, `${row}.time_read`)})`;
    case 'noted':
      return `${row}.note <> ''`;
    case 'notInDigest':
      return `(SELECT true FROM list_digest_items d WHERE d.user_id = $1 AND d.list_id = ${bound.bind(condition.listId, 'uuid')}
        AND d.item_id = ${row}.item_id) IS NOT TRUE`;
  }
}

/** Returns an SQL expression for each tag that is true if the row has the tag. */
const tagsOfRow = ({ ids }: TagsCondition, bound: Bound, row: string): readonly string[] =>
  ids.map((id) => hasTag(id, bound, row));

/**
 * Returns an SQL expression that is true if the row has the tag, and null if it has not. It is a scalar subquery, because
 * the planner could turn EXISTS into a join that reads all rows of the tag for each item.
 */
export const hasTag = (id: string, bound: Bound, row: string): string =>
  `(SELECT true FROM item_tags g WHERE g.user_id = $1 AND g.tag_id = ${bound.bind(id, 'bigint')}
    AND g.added_order = ${row}.added_order AND g.item_id = ${row}.item_id)`;

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
