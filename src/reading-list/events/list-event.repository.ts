import { MoreThan } from 'typeorm';

import { CustomRepository } from '../../platform/database/custom-repository.js';
import { queryRows } from '../../platform/database/query-rows.js';
import { DELETE_HANDLED, WRITE_EVENTS } from './event.sql.js';
import { type EventKind, ListEvent } from './list-event.entity.js';

/** An event to write. It is about one item, or has a count. */
export type NewEvent =
  | { readonly kind: EventKind; readonly itemId: string; readonly annotationId?: string }
  | { readonly kind: EventKind; readonly count: number };

/** Stores the events of lists until all subscribers have handled them (docs/decisions/0118). */
export class ListEventRepository extends CustomRepository<ListEvent> {
  static readonly entity = ListEvent;

  /**
   * Writes events in their order, in the transaction that gives the list this version. Only
   * `ListRepository.moveCounters` calls this method, so each version is used once.
   */
  async write(
    [userId, version]: readonly [userId: string, version: string],
    events: readonly NewEvent[],
  ): Promise<void> {
    if (events.length > 0) {
      await queryRows(this.manager, WRITE_EVENTS, [
        userId,
        version,
        events.map(({ kind }) => kind),
        events.map((event) => ('itemId' in event ? event.itemId : null)),
        events.map((event) => ('itemId' in event ? (event.annotationId ?? null) : null)),
        events.map((event) => ('count' in event ? event.count : null)),
      ]);
    }
  }

  /** Returns the events of a user after a position, the oldest first. */
  after(userId: string, position: string, atMost: number): Promise<ListEvent[]> {
    return this.find({
      where: { userId, sequence: MoreThan(position) },
      order: { sequence: 'ASC' },
      take: atMost,
    });
  }

  /** Deletes the events of a user that all subscribers have handled. */
  async deleteHandled(userId: string): Promise<void> {
    await queryRows(this.manager, DELETE_HANDLED, [userId]);
  }
}
