import {
  type Condition,
  type ConditionKind,
  isInSet,
  isOrderOfTexts,
  isScannable,
} from './conditions.js';
import { type EndChecks, endChecks, isBehindKept } from './page-ends.js';
import {
  costOfHosts,
  costOfIdSet,
  costOfScan,
  entriesOf,
  idSetOf,
  type IndexScan,
  type PagePlan,
  shareOf,
  testsOf,
} from './page-plan.js';
import {
  costOfIds,
  costOfNear,
  costOfSet,
  type Facts,
  hashableOf,
  passing,
  setsOf,
} from './set-costs.js';
import { wordWindows } from './word-windows.js';

export interface PagePlans {
  /**
   * An index scan that stops early, or a plan that reads a part of the articles. It is run first if it is expected to be cheaper than the plan
   * `complete`, but it may find only a part of the page.
   */
  readonly early?: PagePlan;
  readonly complete: PagePlan;
  readonly ends?: EndChecks | undefined;
}

interface Candidate {
  readonly plan: PagePlan;
  readonly cost: number;
}

/**
 * Returns the cheapest plan. The cost of an index scan is uncertain, because it depends on where
 * the page ends in the index. The scan therefore stops when it has cost as much as the plan
 * `complete`, which then runs instead.
 */
export function planPage(facts: Facts): PagePlans {
  if (facts.query.conditions.some(({ kind }) => kind === 'item')) {
    return { complete: { kind: 'plain' } };
  }
  const complete = cheapest(completePlans(facts));
  const ends = endChecks(facts, complete.cost);
  if (ends?.counted !== undefined || isBehindKept(facts)) {
    // The page is expected to be empty, so an index scan would read the whole index.
    return { complete: complete.plan, ends };
  }
  const early = [...earlyScans(facts, complete.cost), ...wordWindows(facts)];
  const { plan } = cheapest([complete, ...early]);
  return 'window' in plan
    ? { early: plan, complete: complete.plan, ends }
    : { complete: plan, ends };
}

const cheapest = (candidates: readonly [Candidate, ...Candidate[]]): Candidate =>
  candidates.reduce((best, one) => (one.cost < best.cost ? one : best));

/** Returns the plans that find the whole page, with their maximum costs. */
export const completePlans = (facts: Facts): [Candidate, ...Candidate[]] => [
  { plan: { kind: 'plain' }, cost: Infinity },
  ...setsOf(facts)
    .map((by) => idSetOf(facts, by))
    .map((plan) => ({ plan, cost: costOfIdSet(facts, plan) })),
  ...indexScans(facts).map((plan) => ({ plan, cost: costOfScan(facts, plan, 1) })),
  ...hostsOf(facts).map((domain) => ({
    plan: { kind: 'hosts' } as const,
    cost: costOfHosts(facts, domain),
  })),
];

/** Returns the condition on the domain, if the sort order groups items by host. */
const hostsOf = ({ query }: Facts): readonly Condition[] =>
  query.conditions.filter(({ kind }) => kind === 'domain' && query.sortKey.column === 'url_key');

/**
 * Returns the index scans with their expected costs. A scan stops when it has cost as much as the
 * complete plan.
 */
export const earlyScans = (facts: Facts, completeCost: number): Candidate[] =>
  indexScans(facts).map((scan) => {
    const { page } = facts.query;
    const part = facts.sizes.partWith(page.offset + page.count);
    const { inIndex, onEntry, onRow } = testsOf(facts.query, scan);
    const cost = costOfScan(facts, scan, part);
    const entries = part * entriesOf(facts, scan) * shareOf(facts, scan, inIndex, part);
    const window = Math.ceil((entries * completeCost) / cost);
    const isComplete = onEntry.length + onRow.length === 0 || window >= entriesOf(facts, scan);
    return { plan: isComplete ? scan : { ...scan, window }, cost: cost * DOUBT };
  });

/**
 * The expected cost of an early scan is multiplied by this factor, because it is uncertain where
 * the page ends.
 */
const DOUBT = 1.5;

/**
 * Returns the index scans that read items in the requested sort order. Each scan is returned twice:
 * without semi-joins, and with the semi-joins that reduce its cost.
 */
function indexScans(facts: Facts): IndexScan[] {
  const { conditions, sortKey } = facts.query;
  const has = (wanted: ConditionKind): boolean => conditions.some(({ kind }) => kind === wanted);
  const { column } = sortKey;
  const over = [
    isScannable(facts.query) && 'items',
    column === 'added_order' && has('tag') && 'item_tags',
    isOrderOfTexts(column) && has('search') && facts.sizes.hasSearchIndex && 'item_search',
  ] as const;
  return over
    .filter((table) => table !== false)
    .map((table) => ({ kind: 'index scan', over: table, semiJoins: [] }) as const)
    .flatMap((scan) => [scan, { ...scan, semiJoins: semiJoinsOf(facts, scan) }]);
}

/**
 * Returns the conditions for which a semi-join costs less than testing each entry. The cheapest
 * semi-join comes first.
 */
function semiJoinsOf(facts: Facts, scan: IndexScan): readonly Condition[] {
  const { inIndex, onEntry, onRow } = testsOf(facts.query, scan);
  return [...onEntry, ...onRow]
    .filter((one) => hashableOf(facts).includes(one))
    .sort((one, other) => costOfIds(facts, one) - costOfIds(facts, other))
    .reduce<readonly Condition[]>((chosen, one) => {
      const left = entriesOf(facts, scan) * shareOf(facts, scan, [...inIndex, ...chosen], 1);
      const test = onEntry.includes(one) ? costOfNear(facts, [one]) : facts.costs.row;
      return costOfIds(facts, one) < left * test ? [...chosen, one] : chosen;
    }, []);
}

/**
 * A plan for counting items. Reads all items that meet the condition `by`, and tests the conditions
 * in `semiJoins` by semi-joins. The remaining conditions are tested item by item.
 */
export interface CountPlan {
  readonly by?: Condition;
  readonly semiJoins: readonly Condition[];
}

export function planCount(facts: Facts): CountPlan {
  const [by] = setsOf(facts).toSorted(
    (one, other) => costOfSet(facts, one) - costOfSet(facts, other),
  );
  if (by === undefined) {
    return { semiJoins: [] };
  }
  const rows = passing(facts, by) * facts.costs.row;
  const semiJoins = hashableOf(facts).filter(
    (one) => !isInSet(one, by) && costOfIds(facts, one) < rows,
  );
  return { by, semiJoins };
}
