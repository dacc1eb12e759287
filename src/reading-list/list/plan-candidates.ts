import type { Candidate, Circumstances } from './item.plan.js';
import type { Condition } from './narrowing.js';
import { costOfSet, costOfTests, hasSet, passing, shareOf } from './plan-costs.js';
import { isBeside, isInSet, isWalkable } from './plans/indexes.js';
import { isInIndex } from './plans/set.js';
import { testsOf } from './plans/walk.js';
import { weighed } from './walk-candidates.js';

/** Read all that pass one condition, and sort. */
export const setPlans = (facts: Circumstances): Candidate[] =>
  facts.query.conditions
    .filter((one) => hasSet(facts, one))
    .flatMap((by) => {
      const sieves = sievesBeside(facts, by);
      return [
        fromRows(facts, by, []),
        ...(sieves.length > 0 ? [fromRows(facts, by, sieves)] : []),
        ...(isWalkable(facts.query) ? [fromOrder(facts, by)] : []),
      ];
    });

/** The conditions whose sets cost less than to look up the rows of this one. */
function sievesBeside(facts: Circumstances, by: Condition): Condition[] {
  const rows = passing(facts, by.kind) * facts.costs.row;
  return facts.query.conditions.filter(
    (one) => hasSet(facts, one) && !isInSet(one, by) && costOfSieve(facts, one) < rows,
  );
}

const costOfSieve = (facts: Circumstances, one: Condition): number =>
  costOfSet(facts, one) + passing(facts, one.kind) * facts.costs.hashing;

function fromRows(facts: Circumstances, by: Condition, sieves: readonly Condition[]): Candidate {
  const { query, costs } = facts;
  const size = passing(facts, by.kind);
  const rest = query.conditions.filter((one) => !isInSet(one, by) && !sieves.includes(one));
  const tests = {
    inIndex: sieves,
    onEntry: rest.filter((one) => isBeside(one, 'added_order')),
    onRow: rest.filter((one) => !isBeside(one, 'added_order')),
  };
  const isKeyKnown = isInIndex(query.sortKey.column, by);
  const keyed =
    isKeyKnown || tests.onRow.length > 0 ? 0 : shareOf(facts, [...sieves, ...tests.onEntry]);
  const cost =
    costOfSet(facts, by) +
    sieves.reduce((sum, one) => sum + costOfSieve(facts, one) + size * costs.entry, 0) +
    costOfTests(facts, tests, { entries: size, part: 1 }) +
    size * (costs.entry + keyed * costs.row);
  const kinds = sieves.map(({ kind }) => kind);
  return { plan: { kind: 'set', by: by.kind, sieves: kinds, reads: 'rows' }, cost };
}

function fromOrder(facts: Circumstances, by: Condition): Candidate {
  const { query, costs, sizes } = facts;
  const { inIndex, onEntry, onRow } = testsOf(query, { kind: 'walk', over: 'items' });
  const isOther = (one: Condition): boolean => one !== by;
  const tests = {
    inIndex: [...inIndex.filter(isOther), by],
    onEntry: onEntry.filter(isOther),
    onRow: onRow.filter(isOther),
  };
  const costOf = (part: number): number =>
    part * sizes.items * costs.sieved +
    costOfTests(facts, tests, { entries: part * sizes.items, part });
  return {
    plan: { kind: 'set', by: by.kind, sieves: [], reads: 'order' },
    cost: costOfSieve(facts, by) + weighed(facts, costOf),
  };
}

/** Follow the URLs of each host of a domain, when the order is by URL. */
export function hostPlans(facts: Circumstances): Candidate[] {
  const { conditions, sortKey } = facts.query;
  const applies = sortKey.column === 'url_key' && conditions.some(({ kind }) => kind === 'domain');
  return applies ? [{ plan: { kind: 'hosts' }, cost: costOfHosts(facts) }] : [];
}

/** As if every host had the page it is asked for, at most. */
function costOfHosts(facts: Circumstances): number {
  const { costs, sizes, query } = facts;
  const size = passing(facts, 'domain');
  const found = Math.max(1, sizes.sample.page.share * sizes.items);
  const rows = Math.min(size, (size / found) * (query.page.offset + query.page.count));
  const isIndexOnly = query.conditions.every(({ kind }) => kind === 'domain' || kind === 'facet');
  return Math.sqrt(size) * costs.descent + rows * (isIndexOnly ? costs.entry : costs.row);
}
