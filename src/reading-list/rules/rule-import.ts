import type { EntityManager } from 'typeorm';

import { parseTagNames } from '../list/tag-name.js';
import { MAX_TAGS } from '../list/tracked-tags.js';
import type { RuleActions } from './list-rule.entity.js';
import { ListRuleRepository } from './list-rule.repository.js';
import { hasNoAction } from './rule-actions.js';

/** A list of an imported file with its rule. */
export interface WithRule {
  readonly ruleActions?: RuleActions | undefined;
}

interface ImportedRule extends WithRule {
  readonly listId: string;
}

/** The part of a list that an import leaves out: it turns off all rules. */
export const OFF = 'the rule of the list is turned off; turn it on at the page of the list';

/** Stores the rules of imported lists. They are off, so that an import starts no actions. Requires a transaction. */
export async function importRules(
  manager: EntityManager,
  userId: string,
  rules: readonly ImportedRule[],
): Promise<void> {
  const repository = ListRuleRepository.in(manager);
  for (const { listId, ruleActions } of rules) {
    const actions = ruleActions && validActions(ruleActions);
    if (actions !== undefined && !hasNoAction(actions)) {
      await repository.put({ userId, listId, actions, isOn: false, lastNumber: 0 });
    }
  }
}

/** Removes all tags if one of them is invalid, or if there are too many. */
function validActions({ tags = [], ...others }: RuleActions): RuleActions {
  const names = parseTagNames(tags)?.map(({ name }) => name) ?? [];
  return names.length > 0 && names.length <= MAX_TAGS ? { ...others, tags: names } : others;
}
