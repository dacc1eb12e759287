import { CustomRepository } from '../../platform/database/custom-repository.js';
import { queryRows } from '../../platform/database/query-rows.js';
import { beginList } from '../begin-list.js';
import { List } from '../entities/list.entity.js';
import { OwnerGoneError } from '../reading-list.errors.js';
import { LOCK_SUBSCRIPTION, NEXT_DELIVERIES, OPEN_OUTBOX, POSTPONE } from './event.sql.js';
import { EventSubscription } from './event-subscription.entity.js';
import { ListEvent, PLACES_IN_VERSION } from './list-event.entity.js';

/** A subscriber with events of one user that it has not handled. */
export type Delivery = Pick<EventSubscription, 'userId' | 'subscriber'>;

/** A user with events. All subscribers may have handled them, or wait for the next attempt. */
interface UserDeliveries {
  readonly userId: string;
  readonly subscribers: readonly string[];
}

/** Stores which subscribers get the events of which users, and the last event that each has handled. */
export class EventSubscriptionRepository extends CustomRepository<EventSubscription> {
  static readonly entity = EventSubscription;

  /**
   * Subscribes to the events of a list from now on, in the caller's transaction. A repeated call is a no-op. The name
   * is that of a ListEventHandler.
   * @throws OwnerGoneError if the account was deleted
   */
  async subscribe(userId: string, subscriber: string): Promise<void> {
    await beginList(this.manager, userId);
    const [list] = await queryRows<{ version: string }>(this.manager, OPEN_OUTBOX, [userId]);
    if (list === undefined) {
      throw new OwnerGoneError();
    }
    const position = String((BigInt(list.version) + 1n) * PLACES_IN_VERSION - 1n);
    await this.createQueryBuilder()
      .insert()
      .values({ userId, subscriber, position })
      .orIgnore()
      .execute();
  }

  /**
   * Ends a subscription, in the caller's transaction. After the last subscription of a user has ended, the list writes
   * no more events, and stored events are deleted. Waits for a running delivery. Call this method before you lock the
   * list, because a handler may wait for the list.
   */
  async unsubscribe(userId: string, subscriber: string): Promise<void> {
    await this.delete({ userId, subscriber });
    // Two transactions that end the last two subscriptions must not both find the other one.
    await this.manager.findOne(List, {
      select: { userId: true },
      where: { userId },
      lock: { mode: 'pessimistic_write' },
    });
    if (!(await this.existsBy({ userId }))) {
      await this.manager.update(List, { userId }, { hasSubscribers: false });
      await this.manager.delete(ListEvent, { userId });
    }
  }

  /** Returns the next users with events after a user, each with those of the subscribers that have events to handle. */
  next(afterUserId: string, subscribers: readonly string[]): Promise<UserDeliveries[]> {
    return queryRows<UserDeliveries>(this.manager, NEXT_DELIVERIES, [afterUserId, subscribers]);
  }

  /**
   * Locks a subscription until the transaction ends. Returns the sequence number of the last event that was handled.
   * Returns undefined if another process is delivering events, or if the next delivery is later.
   */
  async lock({ userId, subscriber }: Delivery): Promise<string | undefined> {
    const [row] = await queryRows<{ position: string }>(this.manager, LOCK_SUBSCRIPTION, [
      userId,
      subscriber,
    ]);
    return row?.position;
  }

  /** Records that a subscriber has handled all events up to a position. */
  async advance({ userId, subscriber }: Delivery, position: string): Promise<void> {
    await this.update({ userId, subscriber }, { position, failures: 0 });
  }

  /** Postpones the next delivery after a failure. Returns the number of failures in a row. */
  async postpone({ userId, subscriber }: Delivery): Promise<number> {
    const [row] = await queryRows<{ failures: number }>(this.manager, POSTPONE, [
      userId,
      subscriber,
    ]);
    return row?.failures ?? 0;
  }
}
