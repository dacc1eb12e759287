import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

import { Pace } from '../common/pace.js';
import { parseAction, type ParsedAction } from './actions/action.parser.js';
import { applyActions } from './actions/apply-actions.js';
import { findItems } from './list/find-items.js';
import type { ItemRow } from './list/item-row.js';
import { type Outcome, Refusal } from './list/outcome.js';
import { ListTransactions } from './list-transactions.js';

/** What became of one action; `row` is the item that it put into the list, if that was wanted. */
export type SentAction = Outcome & { readonly row?: ItemRow };

@Injectable()
export class SendService {
  constructor(private readonly lists: ListTransactions) {}

  /** Applies the actions in the order sent, in one transaction; what is wrong with one is its own failure. */
  async send(
    userId: string,
    elements: readonly unknown[],
    wantsItems: boolean,
  ): Promise<SentAction[]> {
    const actions = await parsedActions(elements);
    return this.lists.run(userId, async (manager, now) => {
      const outcomes = await applyActions(manager, userId, actions, now);
      return wantsItems ? withItems(manager, userId, { actions, outcomes }) : outcomes;
    });
  }
}

async function parsedActions(elements: readonly unknown[]): Promise<readonly ParsedAction[]> {
  const actions: ParsedAction[] = [];
  const pace = new Pace();
  for (const element of elements) {
    await pace.breathe();
    actions.push(parseAction(element));
  }
  return actions;
}

interface Applied {
  readonly actions: readonly ParsedAction[];
  readonly outcomes: readonly Outcome[];
}

async function withItems(
  manager: EntityManager,
  userId: string,
  { actions, outcomes }: Applied,
): Promise<SentAction[]> {
  const ids = outcomes.map((outcome, at) =>
    putsIntoList(actions[at]) ? idOf(outcome) : undefined,
  );
  const rows = await findItems(
    manager,
    userId,
    ids.filter((id) => id !== undefined),
  );
  return outcomes.map((outcome, at) => {
    const row = rows.get(ids[at] ?? '');
    return row === undefined ? outcome : { ...outcome, row };
  });
}

const putsIntoList = (action: ParsedAction | undefined): boolean =>
  typeof action === 'object' &&
  !(action instanceof Refusal) &&
  (action.action === 'add' || action.action === 'readd');

const idOf = (outcome: Outcome): string | undefined => (outcome.ok ? outcome.itemId : undefined);
