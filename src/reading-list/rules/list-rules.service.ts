import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

import { ListRepository } from '../list/list.repository.js';
import { ListTransactions } from '../list-transactions.js';
import { SavedListNotFoundError } from '../saved-lists/saved-list.errors.js';
import { SavedListRepository } from '../saved-lists/saved-list.repository.js';
import { beginRule } from './begin-rule.js';
import type { ListRule } from './list-rule.entity.js';
import { ListRuleRepository, type RuleKey } from './list-rule.repository.js';
import { hasNoAction } from './rule-actions.js';
import { lockSubscription, updateSubscription } from './rule-subscription.js';

/** The properties of a rule that the user chooses. */
export type RuleChoices = Pick<ListRule, 'actions' | 'isOn'>;

/** Reads and changes the rules of saved lists. */
@Injectable()
export class ListRules {
  constructor(
    private readonly rules: ListRuleRepository,
    private readonly transactions: ListTransactions,
  ) {}

  /** Returns the rule of a list, or undefined if the list has none. */
  of(key: RuleKey): Promise<ListRule | undefined> {
    return this.rules.ofList(key);
  }

  /** Returns the rules of a user, keyed by the ids of the lists. */
  async ofUser(userId: string): Promise<ReadonlyMap<string, ListRule>> {
    const rules = await this.rules.ofUser(userId);
    return new Map(rules.map((rule) => [rule.listId, rule]));
  }

  /**
   * Saves the rule of a list. A rule that is turned on acts only on items that are added later. Deletes the rule if it
   * has no actions.
   * @throws SavedListNotFoundError if the list was deleted
   */
  save(key: RuleKey, choices: RuleChoices): Promise<void> {
    const { userId, listId: id } = key;
    return this.transactions.run(userId, async (manager) => {
      await lockSubscription(manager, userId);
      await ListRepository.in(manager).lock(userId);
      if ((await SavedListRepository.in(manager).withId({ userId, id })) === undefined) {
        throw new SavedListNotFoundError();
      }
      await write(manager, key, choices);
      await updateSubscription(manager, userId);
    });
  }
}

async function write(
  manager: EntityManager,
  key: RuleKey,
  { actions, isOn }: RuleChoices,
): Promise<void> {
  const rules = ListRuleRepository.in(manager);
  if (hasNoAction(actions)) {
    await rules.delete(key);
    return;
  }
  const before = await rules.ofList(key);
  await rules.put({ ...key, actions, isOn, lastNumber: before?.lastNumber ?? 0 });
  if (isOn && before?.isOn !== true) {
    await beginRule(manager, key);
  }
}
