import { ARCHIVED } from '../facet.js';
import type { Condition, PageQuery } from './conditions.js';
import { isKept, type ListSizes } from './list-sizes.js';
import { costOfSet, type Facts, passing, setsOf } from './set-costs.js';

/**
 * The matching items are counted first only if the plan for the page costs at least this many times
 * more than the count. If the page is not empty, the plan must run in addition to the count.
 */
const WORTH = 1.5;

/**
 * Counts that run before the plan of a page. They can show that a page with a large offset is
 * empty.
 */
export interface EndChecks {
  /**
   * A condition that few items are expected to meet. The page is empty if the number of items that
   * meet this condition is not larger than the offset.
   */
  readonly counted?: Condition;
  /**
   * True if most items of the list have changed since the requested version. The few unchanged
   * items are then counted, because this is faster than counting the changed items.
   */
  readonly isMost?: boolean;
}

/** Returns true if the list stores the exact number of items that meet all conditions. */
const isNumberKept = ({ conditions }: PageQuery): boolean =>
  conditions.length <= 1 && conditions.every(isKept);

/** Returns true if no item can meet all conditions, because only archived items have a time of archiving. */
export const areExclusive = (conditions: readonly Condition[]): boolean =>
  isTagExcluded(conditions) ||
  (conditions.some(({ kind }) => kind === 'read') &&
    conditions.some((one) => one.kind === 'facet' && (one.mask & ~one.value & ARCHIVED) !== 0));

/** Returns true if items must have a tag, or one of several tags, that they must not have. */
function isTagExcluded(conditions: readonly Condition[]): boolean {
  const excluded = new Set(conditions.flatMap((one) => (one.kind === 'noTag' ? one.ids : [])));
  return conditions.some((one) => {
    switch (one.kind) {
      case 'tag':
        return excluded.has(one.id);
      case 'tags':
        return one.ids.some((id) => excluded.has(id));
      case 'anyTag':
        return one.ids.every((id) => excluded.has(id));
      default:
        return false;
    }
  });
}

/**
 * If the page is nearer to the end of the sorted list, returns a query that reads the same page
 * from the end. `sizes` only determines which end is nearer. The SQL statement of the query uses
 * the exact counters of the list.
 */
export function fromNearerEnd(query: PageQuery, sizes: ListSizes): PageQuery {
  const { page, sortKey, conditions } = query;
  const { offset, count, after } = page;
  const items = conditions.reduce((least, { kind }) => sizes.passing[kind] ?? least, sizes.items);
  const left = Math.max(items - offset - count, 0);
  const isNearer = left < offset && offset < items;
  return isNearer && after === undefined && query.isLate && isNumberKept(query)
    ? {
        ...query,
        sortKey: { ...sortKey, direction: sortKey.direction === 'ASC' ? 'DESC' : 'ASC' },
        page: { offset: left, count },
        isLate: false,
        fromEnd: { offset, direction: sortKey.direction },
      }
    : query;
}

/** Returns the counts that should run before a plan with this cost. Returns undefined if no count is useful. */
export function endChecks(facts: Facts, cost: number): EndChecks | undefined {
  const { query, sizes } = facts;
  const [one, another] = query.conditions;
  if (one?.kind === 'since' && another === undefined) {
    return { isMost: 2 * passing(facts, one) > sizes.items };
  }
  const [counted] = query.isLate && !isBehindKept(facts) ? countable(facts, cost) : [];
  return counted && { counted };
}

/** Returns true if the stored counters of the list show that the page begins after the last matching item. */
export const isBehindKept = (facts: Facts): boolean =>
  facts.query.isLate && facts.query.conditions.some((one) => isKept(one) && isFew(facts, one));

const isFew = (facts: Facts, one: Condition): boolean =>
  passing(facts, one) <= facts.query.page.offset;

/** Returns the conditions whose items should be counted, the cheapest condition first. */
const countable = (facts: Facts, cost: number): readonly Condition[] =>
  setsOf(facts)
    .filter((one) => !isKept(one) && isFew(facts, one) && WORTH * costOfSet(facts, one) < cost)
    .toSorted((one, other) => costOfSet(facts, one) - costOfSet(facts, other));
