import type { EntityManager } from 'typeorm';

import { Pace } from '../../common/pace.js';
import type { ItemRow } from '../list/item-row.js';
import { ListStore } from '../list/list.store.js';
import type { ListSlice } from '../list/list-slice.js';
import { DONE, type Outcome, Refusal, refused } from '../list/outcome.js';
import { applyAction } from './action.handlers.js';
import type { Action } from './action.js';
import type { ParsedAction } from './action.parser.js';
import { wantedBy } from './wanted-by.js';

/** What became of an action; `row` is the item that it put into the list, if that was wanted. */
export type AppliedAction = Outcome & { readonly row?: ItemRow };

/** What is to be done to a list, in order. */
export interface Batch {
  readonly actions: readonly ParsedAction[];
  /** In unix seconds. */
  readonly now: number;
  readonly wantsItems?: boolean;
  /** How many pages of added items are fetched in an hour; 0, as if unsaid, for no limit. */
  readonly pagesPerHour?: number;
}

/**
 * Applies the actions to the user's list, inside the caller's transaction: one outcome each, which holds once that
 * is committed (docs/decisions/0017).
 */
export async function applyActions(
  manager: EntityManager,
  userId: string,
  { actions, now, wantsItems = false, pagesPerHour }: Batch,
): Promise<AppliedAction[]> {
  const wellFormed = actions.filter(isAction);
  if (wellFormed.length === 0) {
    return actions.map(outcomeWithoutList);
  }
  const store = new ListStore(manager, userId, pagesPerHour);
  const locked = await store.load(wantedBy(wellFormed), now);
  const outcomes = await applied(locked.slice, actions);
  const saved = outcomes.map((outcome, at) =>
    wantsItems && putsIntoList(actions[at]) && outcome.ok ? outcome.itemId : undefined,
  );
  const rows = await store.store(
    locked,
    saved.filter((id) => id !== undefined),
  );
  return outcomes.map((outcome, at) => {
    const row = rows.get(saved[at] ?? '');
    return row === undefined ? outcome : { ...outcome, row };
  });
}

async function applied(slice: ListSlice, actions: readonly ParsedAction[]): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const pace = new Pace();
  for (const action of actions) {
    await pace.breathe();
    outcomes.push(isAction(action) ? applyAction(slice, action) : outcomeWithoutList(action));
  }
  return outcomes;
}

const isAction = (action: ParsedAction): action is Action =>
  action !== 'ignored' && !(action instanceof Refusal);

const outcomeWithoutList = (action: ParsedAction): AppliedAction =>
  action instanceof Refusal ? refused(action) : DONE;

const putsIntoList = (action: ParsedAction | undefined): boolean =>
  action !== undefined &&
  isAction(action) &&
  (action.action === 'add' || action.action === 'readd');
