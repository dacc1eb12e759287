import type { EntityManager } from 'typeorm';

import { EventSubscription } from '../events/event-subscription.entity.js';
import { EventSubscriptionRepository } from '../events/event-subscription.repository.js';
import { ListRuleRepository } from './list-rule.repository.js';

/** The name of the rules as a subscriber to events. It never changes. */
export const SUBSCRIBER = 'rules';

/**
 * Locks the subscription of the rules, if it exists. Call this function before you lock the list, because the delivery
 * of events locks both in this order.
 */
export async function lockSubscription(manager: EntityManager, userId: string): Promise<void> {
  await manager.findOne(EventSubscription, {
    select: { userId: true },
    where: { userId, subscriber: SUBSCRIBER },
    lock: { mode: 'pessimistic_write' },
  });
}

/**
 * Subscribes to the events of a list if any rule of the user is on. Otherwise, ends the subscription. The caller has
 * locked the subscription and the list, and has changed the rules or lists in the same transaction.
 */
export async function updateSubscription(manager: EntityManager, userId: string): Promise<void> {
  const subscriptions = EventSubscriptionRepository.in(manager);
  const rules = await ListRuleRepository.in(manager).active(userId);
  await (rules.length > 0
    ? subscriptions.subscribe(userId, SUBSCRIBER)
    : subscriptions.unsubscribe(userId, SUBSCRIBER));
}
