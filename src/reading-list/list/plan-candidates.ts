import type { Candidate, Circumstances } from './item.plan.js';
import { costOfSet, hasSet, passing } from './plan-costs.js';
import { answeredBy } from './plans/sets.js';

/** Read all that pass one condition, and sort. */
export function setPlans(facts: Circumstances): Candidate[] {
  const { conditions, sortKey } = facts.query;
  return conditions
    .filter((one) => hasSet(facts, one))
    .map((by) => {
      const needsRows =
        sortKey.column !== 'time_added' || answeredBy(by, conditions).length < conditions.length;
      const each = needsRows ? facts.costs.row : facts.costs.entry;
      return {
        plan: { kind: 'set', by: by.kind },
        cost: costOfSet(facts, by) + passing(facts, by.kind) * each,
      };
    });
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
  const found = Math.max(1, sizes.share * sizes.items);
  const rows = Math.min(size, (size / found) * (query.page.offset + query.page.count));
  const isIndexOnly = query.conditions.every(({ kind }) => kind === 'domain' || kind === 'facet');
  return Math.sqrt(size) * costs.descent + rows * (isIndexOnly ? costs.entry : costs.row);
}
