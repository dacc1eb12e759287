import type { ItemPlan } from '../item.plan.js';
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
      return setKeys(query, plan, bound);
    case 'hosts':
      return keysByHost(query, bound);
  }
}
