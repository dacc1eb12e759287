import type { Candidate, Circumstances, WalkPlan } from './item.plan.js';
import { type Condition, type ConditionKind, TAGGED_ONES } from './narrowing.js';
import { costOfTests, passing, shareOf, type Tested } from './plan-costs.js';
import { isOrderOfTexts, isWalkable } from './plans/indexes.js';
import { testsOf } from './plans/walk.js';

/** How much further than expected a walk may have to go. */
const PATIENCE = 4;

/** Walks that go to the end of the index if need be. */
export const completeWalks = (facts: Circumstances): Candidate[] =>
  walks(facts).map((plan) => ({
    plan,
    cost: weighed(facts, (part) => costOfWalk(facts, plan, part)),
  }));

/** Walks that give up early; then a plan of this cost has to do it all. */
export const quickWalks = (facts: Circumstances, otherCost: number): Candidate[] =>
  walks(facts)
    .filter((walk) => !isSure(facts, walk) && facts.sizes.sample.page.share > 0)
    .map((walk) => {
      const { doubt } = facts.sizes.sample.page;
      const far = partWithPatience(facts);
      const found = costOfWalk(facts, walk, expectedPart(facts));
      const failed = costOfWalk(facts, walk, far) + otherCost;
      return {
        plan: { ...walk, window: Math.ceil(entriesOf(facts, walk, far)) },
        cost: (1 - doubt) * found + doubt * failed,
      };
    });

/** The indexes that are in the order wanted. */
function walks({ query, sizes }: Circumstances): WalkPlan[] {
  const { column } = query.sortKey;
  const has = (wanted: ConditionKind): boolean =>
    query.conditions.some(({ kind }) => kind === wanted);
  const over = [
    isWalkable(query) && 'items',
    column === 'added_order' && has('tag') && 'item_tags',
    isOrderOfTexts(column) && has('search') && sizes.hasSearchIndex && 'item_search',
  ] as const;
  return over.filter((table) => table !== false).map((table) => ({ kind: 'walk', over: table }));
}

/** The entries in the first part of an index, of those that pass what it knows. */
const entriesOf = (facts: Circumstances, walk: WalkPlan, part: number): number =>
  part * walked(facts, walk) * shareOf(facts, testsIn(facts, walk).inIndex, part);

/** As a plan has them; the entries of a tag are not told apart from each other by what they were found by. */
function testsIn({ query }: Circumstances, walk: WalkPlan): Tested {
  const tests = testsOf(query, walk);
  const isOfTag = query.conditions.some(({ kind }) => kind === 'tag');
  const implied: readonly Condition[] = walk.over === 'items' && isOfTag ? [TAGGED_ONES] : [];
  return { ...tests, inIndex: walk.over === 'item_tags' ? [] : [...tests.inIndex, ...implied] };
}

const walked = (facts: Circumstances, { over }: WalkPlan): number =>
  over === 'item_tags' ? passing(facts, 'tag') : facts.sizes.items;

/** The part of an index that a page takes up when it is full. */
const pagePart = ({ sizes, query }: Circumstances): number =>
  (query.page.offset + query.page.count) / Math.max(sizes.sample.page.share * sizes.items, 1);

/** The part of an index up to the end of the page. */
const expectedPart = (facts: Circumstances): number =>
  Math.min(1, facts.sizes.sample.page.before + pagePart(facts));

const partWithPatience = (facts: Circumstances): number =>
  Math.min(1, facts.sizes.sample.page.seen + PATIENCE * pagePart(facts));

/** The cost of following an order: a little further than expected, or to its end. */
export function weighed(facts: Circumstances, costOf: (part: number) => number): number {
  const { doubt } = facts.sizes.sample.page;
  return (1 - doubt) * costOf(partWithPatience(facts)) + doubt * costOf(1);
}

/** True when the index of the walk answers everything. */
function isSure({ query }: Circumstances, walk: WalkPlan): boolean {
  const { onEntry, onRow } = testsOf(query, walk);
  return onEntry.length + onRow.length === 0;
}

function costOfWalk(facts: Circumstances, walk: WalkPlan, part: number): number {
  const { costs } = facts;
  const entries = part * walked(facts, walk);
  const entry = walk.over === 'item_search' ? costs.text : costs.entry;
  return entries * entry + costOfTests(facts, testsIn(facts, walk), { entries, part });
}
