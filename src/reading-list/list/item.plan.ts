import type { ListSizes } from './list-sizes.js';
import type { ConditionKind } from './narrowing.js';
import { hostPlans, setPlans } from './plan-candidates.js';
import { COSTS, type Costs } from './plan-costs.js';
import type { PageQuery } from './plans/page-query.js';
import { completeWalks, quickWalks } from './walk-candidates.js';

/** A way to a page of keys. All give the same page; a walk with a window may give less of it. */
export type ItemPlan =
  /** One WHERE, and PostgreSQL decides. */
  | { readonly kind: 'plain' }
  /** An index in the order wanted, from its beginning, until the page is full. */
  | WalkPlan
  | SetPlan
  /** The hosts of a domain, each already in the order of its URLs. */
  | { readonly kind: 'hosts' };

export interface WalkPlan {
  readonly kind: 'walk';
  readonly over: 'items' | 'item_tags' | 'item_search';
  /** How many entries to look at before giving up. */
  readonly window?: number;
}

/** Everything that passes one condition, sorted. */
export interface SetPlan {
  readonly kind: 'set';
  readonly by: ConditionKind;
  /** The conditions that are looked up in sets of ids, which spares the rows of the others. */
  readonly sieves: readonly ConditionKind[];
  /** Where what the set does not know comes from: the rows of its items, or the whole index of the order. */
  readonly reads: 'rows' | 'order';
}

/** A plan and what it is thought to cost, in microseconds. */
export interface Candidate {
  readonly plan: ItemPlan;
  readonly cost: number;
}

/** What a choice is made from. */
export interface Circumstances {
  readonly query: PageQuery;
  readonly sizes: ListSizes;
  readonly costs: Costs;
}

export interface Plans {
  /** Tried first, when it is cheaper; it may not fill the page. */
  readonly quick?: ItemPlan;
  readonly complete: ItemPlan;
}

/** The cheapest ways to a page. */
export function choosePlans(query: PageQuery, sizes: ListSizes, costs: Costs = COSTS): Plans {
  if (query.conditions.some(({ kind }) => kind === 'item')) {
    return { complete: { kind: 'plain' } };
  }
  const facts = { query, sizes, costs };
  const best = cheapest(completePlans(facts));
  const afterwards = cheapest(completePlans(disappointed(facts)));
  const quick = cheapest([best, ...quickWalks(facts, afterwards.cost)]);
  return quick === best
    ? { complete: best.plan }
    : { quick: quick.plan, complete: afterwards.plan };
}

const completePlans = (facts: Circumstances): [Candidate, ...Candidate[]] => [
  { plan: { kind: 'plain' }, cost: Infinity },
  ...setPlans(facts),
  ...hostPlans(facts),
  ...completeWalks(facts),
];

/** When a walk has found less than expected, nothing else is to be expected of the others. */
const disappointed = ({ sizes, ...facts }: Circumstances): Circumstances => ({
  ...facts,
  sizes: {
    ...sizes,
    sample: { ...sizes.sample, page: { ...sizes.sample.page, doubt: 1 } },
  },
});

const cheapest = (candidates: readonly [Candidate, ...Candidate[]]): Candidate =>
  candidates.reduce((best, one) => (one.cost < best.cost ? one : best));
