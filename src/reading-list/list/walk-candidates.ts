import type { Candidate, Circumstances, WalkPlan } from './item.plan.js';
import type { Condition, ConditionKind } from './narrowing.js';
import { costOfSet, hasSet, passing } from './plan-costs.js';
import { isWalkable, isWalked } from './plans/walk.js';

/** How much further than expected a walk may have to go. */
const PATIENCE = 4;
/** The part of the cost of a complete search that is risked on reading texts in order, which may spare it. */
const PART = 0.4;

/** Walks that go to the end of the index if need be. */
export const completeWalks = (facts: Circumstances): Candidate[] =>
  walks(facts).flatMap((walk) => {
    const sets = conditionsApart(facts, walk).filter((one) => hasSet(facts, one));
    // The set of a search is dear to make, and the rows that pass the other sieves may be few.
    return [[], sets, sets.filter(({ kind }) => kind !== 'search')].map((sieves) => ({
      plan: { ...walk, sieves: sieves.map(({ kind }) => kind) },
      cost:
        costOfSets(facts, sieves) +
        costOfEntries(facts, { walk, sieves, entries: entriesAtWorst(facts, walk) }),
    }));
  });

/** Walks that give up early, against a plan of this cost. */
export const quickWalks = (facts: Circumstances, otherCost: number): Candidate[] =>
  walks(facts)
    .filter((walk) => canGiveUp(facts, walk) && facts.sizes.share > 0)
    .map((walk) => {
      // A window is counted in entries that passed what the index knows.
      const passed = walk.over === 'items' ? shareOfRows(facts, walk, []) : 1;
      const expected = expectedEntries(facts, walk);
      const cost = costOfEntries(facts, { walk, sieves: [], entries: expected });
      const risked = walk.over === 'item_search' ? (PART * otherCost) / cost : 0;
      const entries = expected * Math.max(PATIENCE, risked);
      const window = Math.ceil(Math.min(entries, entriesOf(facts, walk)) * passed);
      return { plan: { ...walk, window }, cost };
    });

/** The indexes that are in the order wanted. */
function walks({ query, sizes }: Circumstances): WalkPlan[] {
  const isByTime = query.sortKey.column === 'time_added';
  const has = (wanted: ConditionKind): boolean =>
    query.conditions.some(({ kind }) => kind === wanted);
  const over = [
    isWalkable(query) && 'items',
    isByTime && has('tag') && 'item_tags',
    isByTime && has('search') && sizes.hasSearchIndex && 'item_search',
  ] as const;
  return over
    .filter((table) => table !== false)
    .map((table) => ({ kind: 'walk', over: table, sieves: [] }));
}

/** The conditions that the index does not answer. */
const conditionsApart = ({ query }: Circumstances, walk: WalkPlan): Condition[] =>
  query.conditions.filter((one) => !isWalked(one, query, walk));

const entriesOf = (facts: Circumstances, { over }: WalkPlan): number =>
  over === 'item_tags' ? passing(facts, 'tag') : facts.sizes.items;

/** The entries up to the end of the page, if what passes is spread evenly. */
function expectedEntries(facts: Circumstances, walk: WalkPlan): number {
  const { sizes, query } = facts;
  const wanted = query.page.offset + query.page.count;
  return (entriesOf(facts, walk) * wanted) / Math.max(sizes.share * sizes.items, 1);
}

/** All of them, unless the index answers everything: then the worst is bearable, and rare. */
function entriesAtWorst(facts: Circumstances, walk: WalkPlan): number {
  const entries = entriesOf(facts, walk);
  return canGiveUp(facts, walk)
    ? entries
    : Math.min(PATIENCE * expectedEntries(facts, walk), entries);
}

/** A walk whose index answers everything has nothing to fear, but for the texts of a search. */
const canGiveUp = (facts: Circumstances, walk: WalkPlan): boolean =>
  walk.over === 'item_search' || conditionsApart(facts, walk).length > 0;

/** The share of the entries whose row is looked at: they passed what the index and the sieves know. */
function shareOfRows(facts: Circumstances, walk: WalkPlan, sieves: readonly Condition[]): number {
  const apart = conditionsApart(facts, walk);
  const known = facts.query.conditions.filter(
    (one) => sieves.includes(one) || (walk.over !== 'item_tags' && !apart.includes(one)),
  );
  return known.reduce((share, { kind }) => (share * passing(facts, kind)) / facts.sizes.items, 1);
}

const costOfSets = (facts: Circumstances, sieves: readonly Condition[]): number =>
  sieves.reduce(
    (cost, one) => cost + costOfSet(facts, one) + passing(facts, one.kind) * facts.costs.hashing,
    0,
  );

function costOfEntries(
  facts: Circumstances,
  { walk, sieves, entries }: { walk: WalkPlan; sieves: readonly Condition[]; entries: number },
): number {
  const needsRows = sieves.length < conditionsApart(facts, walk).length;
  const rows = needsRows ? shareOfRows(facts, walk, sieves) : 0;
  const entry = walk.over === 'item_search' ? facts.costs.text : facts.costs.entry;
  return entries * (entry + rows * facts.costs.row);
}
