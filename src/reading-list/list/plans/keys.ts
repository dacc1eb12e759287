import type { ItemPlan } from '../item.plan.js';
import type { Condition, ConditionKind } from '../narrowing.js';
import type { Bound } from './bound.js';
import { keysByHost } from './hosts.js';
import type { PageQuery } from './page-query.js';
import { plainKeys } from './plain.js';
import { setKeys } from './set.js';
import { walkedKeys } from './walk.js';

/** The keys of the page, in order, the way the plan says. */
export function keysOf(query: PageQuery, plan: ItemPlan, bound: Bound): string {
  switch (plan.kind) {
    case 'plain':
      return plainKeys(query, bound);
    case 'walk':
      return walkedKeys(query, plan, bound);
    case 'set':
      return setKeys(query, { by: conditionOf(query, plan.by), reads: plan.reads }, bound);
    case 'hosts':
      return keysByHost(query, bound);
  }
}

function conditionOf({ conditions }: PageQuery, kind: ConditionKind): Condition {
  const found = conditions.find((one) => one.kind === kind);
  if (found === undefined) {
    throw new Error(`The query has no condition "${kind}".`);
  }
  return found;
}
