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
  costOfIds,
  costOfIdSet,
  costOfNear,
  costOfScan,
  costOfSet,
  entriesOf,
  type Facts,
  type IndexScan,
  type PagePlan,
  passing,
  setsOf,
  shareOf,
  testsOf,
} from './page-plan.js';

export interface PagePlans {
  /** Tried first, where it is expected to be cheaper; it may not fill the page. */
  readonly early?: PagePlan;
  readonly complete: PagePlan;
  readonly ends?: EndChecks | undefined;
}

interface Candidate {
  readonly plan: PagePlan;
  readonly cost: number;
}

/**
 * The plan that costs least. An index scan ends with the page, and costs what the place of the page in the sample says.
 * Where it tests rows as well, it gives up when it has cost as much as the cheapest complete plan, which is run then.
 */
export function planPage(facts: Facts): PagePlans {
  if (facts.query.conditions.some(({ kind }) => kind === 'item')) {
    return { complete: { kind: 'plain' } };
  }
  const complete = cheapest(completePlans(facts));
  const ends = endChecks(facts, complete.cost);
  if (ends?.counted !== undefined || isBehindKept(facts)) {
    // Nothing seems to be left to be found early.
    return { complete: complete.plan, ends };
  }
  const best = cheapest([complete, ...earlyScans(facts, complete.cost)]);
  const { plan } = best;
  return plan.kind === 'index scan' && plan.window !== undefined
    ? { early: plan, complete: complete.plan, ends }
    : { complete: plan, ends };
}

const cheapest = (candidates: readonly [Candidate, ...Candidate[]]): Candidate =>
  candidates.reduce((best, one) => (one.cost < best.cost ? one : best));

/** The plans that give the whole page, with what they cost at most. */
export const completePlans = (facts: Facts): [Candidate, ...Candidate[]] => [
  { plan: { kind: 'plain' }, cost: Infinity },
  ...setsOf(facts).map((by) => ({
    plan: { kind: 'id set', by } as const,
    cost: costOfIdSet(facts, by),
  })),
  ...indexScans(facts).map((plan) => ({ plan, cost: costOfScan(facts, plan, 1) })),
  ...hostsOf(facts).map((domain) => ({
    plan: { kind: 'hosts' } as const,
    cost: costOfHosts(facts, domain),
  })),
];

/** The domain whose hosts are stretches of the order. */
const hostsOf = ({ query }: Facts): readonly Condition[] =>
  query.conditions.filter(({ kind }) => kind === 'domain' && query.sortKey.column === 'url_key');

/** The same scans as far as the page is expected to reach. */
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

/** An early scan must be cheaper by this factor: the place of a page is a guess. */
const DOUBT = 1.5;

/** The index scans in this order, each without semi-joins and with those that pay. */
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

/** The sets, from the cheapest, that cost less than to test the condition on what the ones before leave. */
function semiJoinsOf(facts: Facts, scan: IndexScan): readonly Condition[] {
  const { inIndex, onEntry, onRow } = testsOf(facts.query, scan);
  return [...onEntry, ...onRow]
    .filter((one) => setsOf(facts).includes(one))
    .sort((one, other) => costOfIds(facts, one) - costOfIds(facts, other))
    .reduce<readonly Condition[]>((chosen, one) => {
      const left = entriesOf(facts, scan) * shareOf(facts, scan, [...inIndex, ...chosen], 1);
      const test = onEntry.includes(one) ? costOfNear(facts, [one]) : facts.costs.row;
      return costOfIds(facts, one) < left * test ? [...chosen, one] : chosen;
    }, []);
}

/** How to count: all that pass one condition, with semi-joins where that is cheaper than to look at its rows. */
export interface CountPlan {
  readonly by?: Condition;
  readonly semiJoins: readonly Condition[];
}

export function planCount(facts: Facts): CountPlan {
  const [by, ...others] = setsOf(facts).toSorted(
    (one, other) => costOfSet(facts, one) - costOfSet(facts, other),
  );
  if (by === undefined) {
    return { semiJoins: [] };
  }
  const rows = passing(facts, by) * facts.costs.row;
  const semiJoins = others.filter((one) => !isInSet(one, by) && costOfIds(facts, one) < rows);
  return { by, semiJoins };
}
