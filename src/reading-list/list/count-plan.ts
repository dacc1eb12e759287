import type { Circumstances } from './item.plan.js';
import type { Condition } from './narrowing.js';
import { costOfSet, hasSet, passing } from './plan-costs.js';
import type { CountPlan } from './plans/long-total.js';
import { answeredBy } from './plans/sets.js';

/** The cheapest set, and the others as sieves where that is cheaper than to look at its rows. */
export function chooseCount(facts: Circumstances): CountPlan {
  const { conditions } = facts.query;
  const [by, ...others] = conditions
    .filter((one) => hasSet(facts, one))
    .sort((one, other) => costOfSet(facts, one) - costOfSet(facts, other));
  if (by === undefined) {
    return { by, sieves: [] };
  }
  const rest = others.filter((one) => !answeredBy(by, conditions).includes(one));
  const rows = passing(facts, by.kind) * facts.costs.row;
  return { by, sieves: rest.filter((one) => costOfSieve(facts, one) < rows) };
}

const costOfSieve = (facts: Circumstances, one: Condition): number =>
  costOfSet(facts, one) + passing(facts, one.kind) * facts.costs.hashing;
