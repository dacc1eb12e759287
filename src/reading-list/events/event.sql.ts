import { queueStatement } from '../../platform/jobs/queue-state.js';
import { PLACES_IN_VERSION } from './list-event.entity.js';

/**
 * Writes the events of a transaction, which gives the list the version $2. The caller has locked the list, so later
 * transactions write greater sequence numbers. This is raw SQL with `unnest`, so that one prepared statement writes any
 * number of rows.
 */
export const WRITE_EVENTS = `
    INSERT INTO list_events (user_id, sequence, kind, item_id, annotation_id, count)
    SELECT $1, $2::bigint * ${PLACES_IN_VERSION} + place, kind, item_id, annotation_id, count
    FROM unnest($3::text[], $4::bigint[], $5::text[], $6::integer[])
        WITH ORDINALITY AS event (kind, item_id, annotation_id, count, place)`;

/** Deletes the events of a user that all subscribers have handled. */
export const DELETE_HANDLED = `
    DELETE FROM list_events WHERE user_id = $1 AND sequence <= (
      SELECT min(position) FROM event_subscriptions WHERE user_id = $1)`;

/**
 * Records in the list that the user has a subscriber. Returns the version of the list. Waits for running changes of the
 * list, because they write no events.
 */
export const OPEN_OUTBOX = `
    UPDATE lists SET has_subscribers = true WHERE user_id = $1 RETURNING stamp AS version`;

/** The number of users that one statement returns. */
const USERS_AT_ONCE = 100;

/**
 * Returns the next users with events after the user $1, in the order of their ids, each with those of the subscribers in
 * $2 that have events to handle now. WITH RECURSIVE reads one index entry for each user, so that the statement costs
 * little if a user has many events, or if many subscribers have handled all events.
 */
export const NEXT_DELIVERIES = `
    WITH RECURSIVE owner AS (
      (SELECT user_id, 1 AS place FROM list_events WHERE user_id > $1 ORDER BY user_id LIMIT 1)
      UNION ALL
      SELECT next.user_id, owner.place + 1 FROM owner CROSS JOIN LATERAL (
        SELECT user_id FROM list_events e WHERE e.user_id > owner.user_id ORDER BY user_id LIMIT 1) next
      WHERE owner.place < ${USERS_AT_ONCE})
    SELECT owner.user_id AS "userId", ARRAY(
      SELECT s.subscriber FROM event_subscriptions s
      WHERE s.user_id = owner.user_id AND s.subscriber = ANY ($2::text[]) AND s.due_at <= now() AND EXISTS (
        SELECT FROM list_events e WHERE e.user_id = s.user_id AND e.sequence > s.position)
      ORDER BY s.subscriber) AS subscribers
    FROM owner ORDER BY owner.user_id`;

/**
 * Locks a subscription until its events are handled. Returns no row if another process has locked the subscription, or
 * if its next delivery is later.
 */
export const LOCK_SUBSCRIPTION = `
    SELECT position FROM event_subscriptions WHERE user_id = $1 AND subscriber = $2 AND due_at <= now()
    FOR UPDATE SKIP LOCKED`;

/**
 * Postpones the deliveries to a subscriber after a failure: for 1 second, then for twice as long after each further
 * failure, up to an hour.
 */
export const POSTPONE = `
    UPDATE event_subscriptions
    SET failures = failures + 1, due_at = now() + least(interval '1 second' * 2 ^ least(failures, 12), interval '1 hour')
    WHERE user_id = $1 AND subscriber = $2 RETURNING failures`;

/** The number of events whose times are compared. No index has the times, and the queue is usually short. */
const MOST_COMPARED = 10_000;

/** The events that a subscriber has not handled yet. */
export const EVENT_QUEUE = queueStatement({
  queue: 'events',
  rows: 'list_events',
  oldest: `SELECT min(created_at) FROM (SELECT created_at FROM list_events LIMIT ${MOST_COMPARED}) AS event`,
});
