import type { EntityManager } from 'typeorm';

import { ListRepository } from '../list/list.repository.js';
import { ListRuleRepository, type RuleKey } from './list-rule.repository.js';

/**
 * Lets a rule act only on items that are added from now on. Does nothing if the list has no rule. The caller has locked
 * the list.
 */
export async function beginRule(manager: EntityManager, key: RuleKey): Promise<void> {
  const rules = ListRuleRepository.in(manager);
  const { numbers: lastNumber } = await ListRepository.in(manager).lock(key.userId);
  await rules.forgetItems(key);
  await rules.update(key, { lastNumber });
}
