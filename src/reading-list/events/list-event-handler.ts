import type { EntityManager } from 'typeorm';

import type { ListEvent } from './list-event.entity.js';

/**
 * Reacts to the events of lists. Each provider of a module that extends this class gets the events of the users who
 * have a subscription with its name (EventSubscriptionRepository).
 */
export abstract class ListEventHandler {
  /** The name of the subscriber in `event_subscriptions`. It must not change, and must not be used by another handler. */
  abstract readonly name: string;

  /**
   * Handles the next events of one user, the oldest first. All writes must use `manager`: they are committed together
   * with the position of the subscriber. If the promise is rejected, nothing is written, and the same events are
   * delivered again later. Ignore events of an unknown kind, and items that no longer exist.
   */
  abstract handle(
    userId: string,
    events: readonly ListEvent[],
    manager: EntityManager,
  ): Promise<void>;
}
