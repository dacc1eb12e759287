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
    case 'notInDigest':
      return `(SELECT true FROM list_digest_items d WHERE d.user_id = $1 AND d.list_id = ${bound.bind(condition.listId, 'uuid')}
        AND d.item_id = ${row}.item_id) IS NOT TRUE`;
    default:
      return `${row}.${PREDICATES[condition.kind]}`;
  }
}

/** Conditions on a column with a partial index. They are written as in the predicate of the index. */
const PREDICATES = { noted: `note <> ''`, gone: 'gone_since > 0' } as const;

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

/**
 * The maximum number of tags that are read one after the other. Each item of a later tag is tested for all earlier tags,
 * so for many tags, grouping all entries in memory is faster.
 */
const FEW_TAGS = 4;

/** Returns true if the items that have at least one of the tags are found by reading one tag after the other. */
export const areTagsRead = ({ kind, ids }: TagsCondition): boolean =>
  kind !== 'tags' && ids.length <= FEW_TAGS;

/** Returns a query for the items that have all of several tags, or at least one of them. */
export function withTags(condition: TagsCondition, bound: Bound): string {
  if (areTagsRead(condition)) {
    return tagByTag(condition, bound);
  }
  const { kind, ids } = condition;
  const all = kind === 'tags' ? ` HAVING count(*) = ${ids.length}` : '';
  return `SELECT item_id, added_order FROM item_tags WHERE user_id = $1 AND tag_id = ANY (${bound.bind(ids, 'bigint[]')})
    GROUP BY added_order, item_id${all}`;
}

/** Reads the items of each tag that have none of the tags before it. */
const tagByTag = ({ ids }: TagsCondition, bound: Bound): string =>
  ids
    .map((id, at) => {
      const before = ids.slice(0, at).map((one) => ` AND ${hasTag(one, bound, 't')} IS NOT TRUE`);
      return `SELECT item_id, added_order FROM item_tags t
        WHERE t.user_id = $1 AND t.tag_id = ${bound.bind(id, 'bigint')}${before.join('')}`;
    })
    .join(' UNION ALL ');

/** Returns a query for the ids of the items that have at least one of the tags. An id may occur several times. */
export const taggedIds = ({ ids }: TagsCondition, bound: Bound): string =>
  `SELECT item_id FROM item_tags WHERE user_id = $1 AND tag_id = ANY (${bound.bind(ids, 'bigint[]')})`;
