import { In, IsNull, Not } from 'typeorm';

import { CustomRepository } from '../../platform/database/custom-repository.js';
import { NOT_FETCHED } from '../entities/page-columns.js';
import { ListRule } from './list-rule.entity.js';
import { ListRuleItem } from './list-rule-item.entity.js';

/** The key of a rule, which is that of its list. */
export type RuleKey = Pick<ListRule, 'userId' | 'listId'>;

/** Stores the rules of saved lists, and the new items that they check again. */
export class ListRuleRepository extends CustomRepository<ListRule> {
  static readonly entity = ListRule;

  /** Returns the rules of a user, also those that are off or belong to deleted lists. */
  ofUser(userId: string): Promise<ListRule[]> {
    return this.findBy({ userId });
  }

  async ofList(key: RuleKey): Promise<ListRule | undefined> {
    return (await this.findOneBy(key)) ?? undefined;
  }

  /** Returns the rules of a user that are on, with their lists, in the order of the lists. */
  active(userId: string): Promise<ListRule[]> {
    return this.find({
      where: { userId, isOn: true, list: { userId, deletedAt: IsNull() } },
      relations: { list: true },
      order: { list: { place: 'ASC', id: 'ASC' } },
    });
  }

  async put(rule: Omit<ListRule, 'list'>): Promise<void> {
    await this.upsert({ ...rule, actions: { ...rule.actions } }, ['userId', 'listId']);
  }

  /** Records that items up to this number are not new any more to the rules that are on. */
  async advance(userId: string, lastNumber: number): Promise<void> {
    await this.createQueryBuilder()
      .update()
      .set({ lastNumber: () => 'greatest(last_number, :lastNumber)' })
      .where({ userId, isOn: true })
      .setParameter('lastNumber', lastNumber)
      .execute();
  }

  /** Returns the items that rules check again. */
  waiting(userId: string, itemIds: readonly string[]): Promise<ListRuleItem[]> {
    return this.manager.findBy(ListRuleItem, { userId, itemId: In(itemIds) });
  }

  /** Returns the ids of the items that rules check again and whose pages have been fetched. */
  async waitingWithPage(userId: string): Promise<string[]> {
    const items = await this.manager.findBy(ListRuleItem, {
      userId,
      item: { userId, resolvedId: Not(NOT_FETCHED) },
    });
    return items.map(({ itemId }) => itemId);
  }

  /** Records that rules check these items again when their pages are fetched. */
  async wait(items: readonly Omit<ListRuleItem, 'rule' | 'item'>[]): Promise<void> {
    if (items.length > 0) {
      await this.manager
        .createQueryBuilder()
        .insert()
        .into(ListRuleItem)
        .values([...items])
        .orIgnore()
        .execute();
    }
  }

  /** Ends the wait for the pages of these items. */
  async endWait(userId: string, itemIds: readonly string[]): Promise<void> {
    await this.manager.delete(ListRuleItem, { userId, itemId: In(itemIds) });
  }

  /** Forgets all items that a rule would check again. */
  async forgetItems(key: RuleKey): Promise<void> {
    await this.manager.delete(ListRuleItem, key);
  }
}
