import { EventSubscriptionRepository } from '../../src/reading-list/events/event-subscription.repository.js';
import type { ListsOnPostgres } from './a-list.js';
import type { TestDatabase } from './test-database.js';

/** An event without the columns that are null. */
export interface WrittenEvent {
  readonly kind: string;
  readonly item_id?: string;
  readonly annotation_id?: string;
  readonly count?: number;
}

/** Returns the stored events of a user in their order, without sequence numbers and times. */
export const eventsIn = async (tables: TestDatabase, userId: string): Promise<WrittenEvent[]> => {
  const rows = await tables.query<{ event: WrittenEvent }>(
    `SELECT jsonb_strip_nulls(jsonb_build_object(
       'kind', kind, 'item_id', item_id::text, 'annotation_id', annotation_id, 'count', count)) AS event
     FROM list_events WHERE user_id = $1 ORDER BY sequence`,
    [userId],
  );
  return rows.map(({ event }) => event);
};

export const subscribe = (
  { database }: Pick<ListsOnPostgres, 'database'>,
  userId: string,
  subscriber: string,
): Promise<void> =>
  database.transaction((manager) =>
    EventSubscriptionRepository.in(manager).subscribe(userId, subscriber),
  );

export const unsubscribe = (
  { database }: Pick<ListsOnPostgres, 'database'>,
  userId: string,
  subscriber: string,
): Promise<void> =>
  database.transaction((manager) =>
    EventSubscriptionRepository.in(manager).unsubscribe(userId, subscriber),
  );
