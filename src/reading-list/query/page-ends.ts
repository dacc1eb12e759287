import type { Condition, PageQuery } from './conditions.js';
import { isKept, type ListSizes } from './list-sizes.js';
import { costOfSet, type Facts, passing, setsOf } from './page-plan.js';

/** A count must be cheaper than the plan by this factor. If more items pass than estimated, both are executed. */
const WORTH = 1.5;

/** The counts that run before the keys of a late page are searched. */
export interface EndChecks {
  /** A condition that few items seem to pass. If the page skips that many items, it is empty. */
  readonly counted?: Condition;
  /** True if most items are in the delta. The other items are counted instead. */
  readonly isMost?: boolean;
}

/** True if the list stores the exact number of items that pass. */
const isNumberKept = ({ conditions }: PageQuery): boolean =>
  conditions.length <= 1 && conditions.every(isKept);

/**
 * Returns the same page, read from the other end of the order if that end is nearer. The number of items is only an
 * estimate here, for the plan; the statement uses the counters of its own snapshot.
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

/** Returns what to count first if the complete plan has this cost. */
export function endChecks(facts: Facts, cost: number): EndChecks | undefined {
  const { query, sizes } = facts;
  const [one, another] = query.conditions;
  if (one?.kind === 'since' && another === undefined) {
    return { isMost: 2 * passing(facts, one) > sizes.items };
  }
  const [counted] = query.isLate && !isBehindKept(facts) ? countable(facts, cost) : [];
  return counted && { counted };
}

/** True if the counters of the list show that the page is past the last item. */
export const isBehindKept = (facts: Facts): boolean =>
  facts.query.isLate && facts.query.conditions.some((one) => isKept(one) && isFew(facts, one));

const isFew = (facts: Facts, one: Condition): boolean =>
  passing(facts, one) <= facts.query.page.offset;

/** Returns the conditions that are worth counting, cheapest first. */
const countable = (facts: Facts, cost: number): readonly Condition[] =>
  setsOf(facts)
    .filter((one) => !isKept(one) && isFew(facts, one) && WORTH * costOfSet(facts, one) < cost)
    .toSorted((one, other) => costOfSet(facts, one) - costOfSet(facts, other));
