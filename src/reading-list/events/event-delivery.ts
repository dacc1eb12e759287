import { Injectable, Logger } from '@nestjs/common';

import { Database } from '../../platform/database/database.js';
import { type Delivery, EventSubscriptionRepository } from './event-subscription.repository.js';
import { ListEventRepository } from './list-event.repository.js';
import type { ListEventHandler } from './list-event-handler.js';

/** The maximum number of events that a handler gets in one transaction. */
const EVENTS_AT_ONCE = 100;

/** The number of consecutive failures at which the log level changes from warning to error. */
const LASTING_FAILURES = 3;

/**
 * Delivers the events of lists to handlers: in order for each user, and at least once. Several processes may deliver
 * events at the same time (docs/decisions/0118).
 */
@Injectable()
export class EventDelivery {
  private readonly logger = new Logger(EventDelivery.name);

  constructor(private readonly database: Database) {}

  /**
   * Delivers the next events of each user to each handler. Returns true if any events were delivered, so that there may
   * be more. A failure for one user does not affect other users.
   */
  async deliverAll(handlers: readonly ListEventHandler[]): Promise<boolean> {
    const byName = new Map(handlers.map((handler) => [handler.name, handler]));
    let hasDelivered = false;
    for (let last: string | undefined = '0'; last !== undefined && byName.size > 0;) {
      const subscriptions = EventSubscriptionRepository.in(this.database.manager);
      const users = await subscriptions.next(last, [...byName.keys()]);
      for (const { userId, subscribers } of users) {
        for (const handler of subscribers.flatMap((name) => byName.get(name) ?? [])) {
          hasDelivered = (await this.attempt(userId, handler)) || hasDelivered;
        }
      }
      last = users.at(-1)?.userId;
    }
    return hasDelivered;
  }

  /** Delivers events of one user to one handler, or postpones them. Returns true if events were delivered. */
  private async attempt(userId: string, handler: ListEventHandler): Promise<boolean> {
    const delivery = { userId, subscriber: handler.name };
    try {
      const hasDelivered = await this.deliver(delivery, handler);
      if (hasDelivered) {
        // Deletes events after the commit, so that the later one of two deliveries to a user sees both positions.
        await ListEventRepository.in(this.database.manager).deleteHandled(userId);
      }
      return hasDelivered;
    } catch (error) {
      await this.postpone(delivery, error);
      return false;
    }
  }

  private deliver(delivery: Delivery, handler: ListEventHandler): Promise<boolean> {
    const { userId } = delivery;
    return this.database.transaction(async (manager) => {
      const subscriptions = EventSubscriptionRepository.in(manager);
      const position = await subscriptions.lock(delivery);
      if (position === undefined) {
        return false;
      }
      const events = await ListEventRepository.in(manager).after(userId, position, EVENTS_AT_ONCE);
      const last = events.at(-1);
      if (last === undefined) {
        return false;
      }
      await handler.handle(userId, events, manager);
      await subscriptions.advance(delivery, last.sequence);
      return true;
    });
  }

  private async postpone(delivery: Delivery, cause: unknown): Promise<void> {
    const subscriptions = EventSubscriptionRepository.in(this.database.manager);
    const failures = await subscriptions.postpone(delivery);
    const { userId, subscriber } = delivery;
    const error = new Error(`${subscriber} cannot handle the events of user ${userId}`, { cause });
    if (failures < LASTING_FAILURES) {
      this.logger.warn(error);
    } else {
      this.logger.error(error);
    }
  }
}
