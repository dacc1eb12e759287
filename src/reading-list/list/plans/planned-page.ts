import type { Statement } from '../../../database/statements.js';
import type { ItemPlan } from '../item.plan.js';
import { keysOf } from './keys.js';
import type { PageQuery } from './page-query.js';
import { snapshot } from './snapshot.js';

/** The page and its rows, found the way the plan says. */
export const plannedPage = (query: PageQuery, plan: ItemPlan): Statement =>
  snapshot(query, (bound) => ({ keys: keysOf(query, plan, bound), head: [] }));
