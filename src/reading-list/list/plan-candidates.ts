import type { Candidate, Circumstances } from './item.plan.js';
import type { Condition } from './narrowing.js';
import { costOfSet, costOfTests, hasSet, passing, shareOf } from './plan-costs.js';
import { isWalkable } from './plans/indexes.js';
import { isEnough, needsTextsAlone } from './plans/set.js';
import { testsOf } from './plans/walk.js';
import { partWithPatience } from './walk-candidates.js';

/** Read all that pass one condition, and sort. */
export function setPlans(facts: Circumstances): Candidate[] {
  const { query } = facts;
  return query.conditions
    .filter((one) => hasSet(facts, one))
    .flatMap((by): Candidate[] => {
      const cost = costOfSet(facts, by);
      const set = { kind: 'set', by: by.kind } as const;
      const rows = { plan: { ...set, reads: 'rows' }, cost: cost + costOfRows(facts, by) } as const;
      return isEnough(query, by) || !isWalkable(query)
        ? [rows]
        : [rows, { plan: { ...set, reads: 'order' }, cost: cost + costOfOrder(facts, by) }];
    });
}

function costOfRows(facts: Circumstances, by: Condition): number {
  const { query, costs } = facts;
  const size = passing(facts, by.kind);
  if (isEnough(query, by)) {
    return size * costs.entry;
  }
  const texts = query.conditions.filter((one) => one.kind === 'search' && one !== by);
  return query.hasTexts && texts.length > 0 && !needsTextsAlone(query, by)
    ? size * (1 + shareOf(facts, texts)) * costs.row
    : size * costs.row;
}

function costOfOrder(facts: Circumstances, by: Condition): number {
  const { query, costs, sizes } = facts;
  const part = partWithPatience(facts);
  const { inIndex, onEntry, onRow } = testsOf(query, { kind: 'walk', over: 'items' });
  const isOther = (one: Condition): boolean => one !== by;
  const tests = {
    inIndex: [...inIndex.filter(isOther), by],
    onEntry: onEntry.filter(isOther),
    onRow: onRow.filter(isOther),
  };
  const entries = part * sizes.items;
  return (
    passing(facts, by.kind) * costs.hashing +
    entries * costs.sieved +
    costOfTests(facts, tests, { entries, part })
  );
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
