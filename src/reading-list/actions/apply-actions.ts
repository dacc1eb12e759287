import type { EntityManager } from 'typeorm';

import { Pace } from '../../common/pace.js';
import { ListStore } from '../list/list.store.js';
import { DONE, type Outcome, Refusal, refused } from '../list/outcome.js';
import { applyAction } from './action.handlers.js';
import type { Action } from './action.js';
import type { ParsedAction } from './action.parser.js';
import { wantedBy } from './wanted-by.js';

/** What became of an action; `itemId` tells which item it was about. */
export type AppliedAction = Outcome;

/**
 * Applies the actions to the user's list in order, inside the caller's transaction: one outcome each, which holds
 * once that is committed (docs/decisions/0017). `now` is in unix seconds.
 */
export async function applyActions(
  manager: EntityManager,
  userId: string,
  actions: readonly ParsedAction[],
  now: number,
): Promise<AppliedAction[]> {
  const wellFormed = actions.filter(isAction);
  if (wellFormed.length === 0) {
    return actions.map(outcomeWithoutList);
  }
  const store = new ListStore(manager, userId);
  const locked = await store.load(wantedBy(wellFormed), now);
  const outcomes: AppliedAction[] = [];
  const pace = new Pace();
  for (const action of actions) {
    await pace.breathe();
    outcomes.push(
      isAction(action) ? applyAction(locked.slice, action) : outcomeWithoutList(action),
    );
  }
  await store.store(locked);
  return outcomes;
}

const isAction = (action: ParsedAction): action is Action =>
  action !== 'ignored' && !(action instanceof Refusal);

const outcomeWithoutList = (action: ParsedAction): AppliedAction =>
  action instanceof Refusal ? refused(action) : DONE;
