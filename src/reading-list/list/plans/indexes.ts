import type { Condition, ConditionKind } from '../narrowing.js';
import type { PageQuery } from './page-query.js';

type Column = PageQuery['sortKey']['column'];
type Kinds = ReadonlySet<ConditionKind>;

const COVERED: Kinds = new Set<ConditionKind>(['facet', 'since', 'updatedBefore']);
const FACET: Kinds = new Set<ConditionKind>(['facet']);

/** What the index of `items` in this order tells of an entry without its row (migration 1763800000000). */
const IN_ORDER: Readonly<Record<Column, Kinds>> = {
  added_order: COVERED,
  title_key: COVERED,
  url_key: COVERED,
  time_read: FACET,
  time_favorited: FACET,
};

/** What the index that finds all that pass one condition tells beside it. */
const IN_SET: Readonly<Partial<Record<ConditionKind, Kinds>>> = {
  domain: FACET,
  since: COVERED,
  updatedBefore: COVERED,
};

/** The orders in which the narrow rows of `item_search` can be read as well. */
const OF_TEXTS: ReadonlySet<Column> = new Set<Column>(['added_order', 'title_key', 'url_key']);

export const isInOrder = ({ kind }: Condition, column: Column): boolean =>
  IN_ORDER[column].has(kind);

export const isInSet = ({ kind }: Condition, by: Condition): boolean =>
  kind === by.kind || IN_SET[by.kind]?.has(kind) === true;

export const isOrderOfTexts = (column: Column): boolean => OF_TEXTS.has(column);

/** The indexes in these orders hold the time as well, by which the tags of an item are found. */
export const hasTime = (column: Column): boolean => OF_TEXTS.has(column);

/** True for what is looked up by an entry in this order, without the row of its item. */
export const isBeside = ({ kind }: Condition, column: Column): boolean =>
  kind === 'annotated' || (kind === 'tag' && hasTime(column));

/** True when an index of `items` is in this order: those of two times hold only the items that have one. */
export function isWalkable({ sortKey, conditions }: PageQuery): boolean {
  const needed = { time_read: 1, time_favorited: 2, added_order: 0, title_key: 0, url_key: 0 };
  const facet = needed[sortKey.column];
  return (
    facet === 0 ||
    conditions.some((one) => one.kind === 'facet' && (one.mask & one.value & facet) !== 0)
  );
}
