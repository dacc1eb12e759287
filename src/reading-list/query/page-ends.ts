import type { Condition, PageQuery } from './conditions.js';
import { isKept, type ListSizes } from './list-sizes.js';
import { costOfSet, type Facts, passing, setsOf } from './page-plan.js';

/** A count must be cheaper than the plan by this factor: where more pass than it seemed, both are paid for. */
const WORTH = 1.5;

/** What is counted before the keys of a late page are looked for. */
export interface EndChecks {
  /** Few seem to pass it: where the page leaves out as many, it is empty. */
  readonly counted?: Condition;
  /** Most items are in the delta: those that are not are counted instead. */
  readonly isMost?: boolean;
}

/** True where the list keeps the exact number of items that pass. */
const isNumberKept = ({ conditions }: PageQuery): boolean =>
  conditions.length <= 1 && conditions.every(isKept);

/**
 * The same page, read from the other end of the order where that is nearer. The number of items is a guess here, for
 * the plan; the statement takes it from the counters of its own moment.
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

/** What to count first, where the plan for the whole page costs so much. */
export function endChecks(facts: Facts, cost: number): EndChecks | undefined {
  const { query, sizes } = facts;
  const [one, another] = query.conditions;
  if (one?.kind === 'since' && another === undefined) {
    return { isMost: 2 * passing(facts, one) > sizes.items };
  }
  const [counted] = query.isLate && !isBehindKept(facts) ? countable(facts, cost) : [];
  return counted && { counted };
}

/** True where the counters of the list say that the page is behind its last item. */
export const isBehindKept = (facts: Facts): boolean =>
  facts.query.isLate && facts.query.conditions.some((one) => isKept(one) && isFew(facts, one));

const isFew = (facts: Facts, one: Condition): boolean =>
  passing(facts, one) <= facts.query.page.offset;

/** The cheapest first. */
const countable = (facts: Facts, cost: number): readonly Condition[] =>
  setsOf(facts)
    .filter((one) => !isKept(one) && isFew(facts, one) && WORTH * costOfSet(facts, one) < cost)
    .toSorted((one, other) => costOfSet(facts, one) - costOfSet(facts, other));
