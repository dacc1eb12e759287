import { Injectable } from '@nestjs/common';

import { yieldToOthers } from '../../lib/util/event-loop.js';
import { Config } from '../../platform/config/config.js';
import { parseAction, type ParsedAction } from '../actions/action.parser.js';
import { applyActions, isOnAllItems } from '../actions/apply-actions.js';
import type { ActionOutcome } from '../list/action-outcome.js';
import { ListTransactions } from '../list-transactions.js';

@Injectable()
export class SendService {
  constructor(
    private readonly lists: ListTransactions,
    private readonly config: Config,
  ) {}

  /**
   * Applies the actions in order, in one transaction. A failed action does not stop the others.
   *
   * Also waits until a renamed or deleted tag is changed on all items. If this fails, a background
   * job changes the remaining items.
   */
  async send(
    userId: string,
    elements: readonly unknown[],
    returnsItems: boolean,
  ): Promise<ActionOutcome[]> {
    const actions = await parsedActions(elements);
    const { resolverPagesPerHour: pagesPerHour, storageLimitBytes: storageLimit } = this.config;
    const outcomes = await this.lists.run(userId, (manager, now) =>
      applyActions(manager, userId, { actions, now, returnsItems, pagesPerHour, storageLimit }),
    );
    if (actions.some(isOnAllItems)) {
      await this.lists.moveTagsOrWarn(userId);
    }
    return outcomes;
  }
}

async function parsedActions(elements: readonly unknown[]): Promise<readonly ParsedAction[]> {
  const actions: ParsedAction[] = [];
  for (const element of elements) {
    await yieldToOthers();
    actions.push(parseAction(element));
  }
  return actions;
}
