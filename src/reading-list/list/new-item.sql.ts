import { namesOf } from '../../platform/database/entity-columns.js';
import { ITEM_COLUMNS } from '../entities/item.entity.js';
import { type EventKind, PLACES_IN_VERSION } from '../events/list-event.entity.js';
import { pageRequestSql } from '../pages/page-requests.sql.js';
import { INDEXED_ABOVE, INSERTED_COLUMNS, SEARCHED_COLUMNS } from './item.sql.js';
import { NEXT_VERSION } from './list.sql.js';
import { SEQUENCE_END } from './list-state.js';

/** The numbers that the list assigns to a new item. The service cannot know them before the list is locked. */
const ASSIGNED: Partial<Record<string, string>> = {
  addedSequence: `((additions + 1) % ${SEQUENCE_END})::integer`,
  number: 'numbers + 1',
};

/** The columns of a new item whose values the service sends. */
export const GIVEN_COLUMNS = INSERTED_COLUMNS.filter(
  ({ property }) => ASSIGNED[property] === undefined,
);

const FIRST_COLUMN = 9;

const given = new Map(
  GIVEN_COLUMNS.map(({ property, type, isArray }, at) => [
    property,
    `$${FIRST_COLUMN + at}::${type}${isArray ? '[]' : ''}`,
  ]),
);

const VALUES = INSERTED_COLUMNS.map(({ property }) => ASSIGNED[property] ?? given.get(property));

const PAGE = pageRequestSql({
  rows: '(SELECT item_id, $6::bytea AS page_key, $7::text AS url, $8::text AS host, 1 AS place FROM item) AS row',
  priority: '0::smallint',
  perHour: '$5::integer',
});

const ADDED: EventKind = 'item.added';

/** Returns SQL that finds the ids $2 in a table. LIMIT makes PostgreSQL look up each id instead of reading the list. */
const foundIn = (table: string): string => `
          SELECT FROM unnest($2::bigint[]) AS id CROSS JOIN LATERAL (
            SELECT FROM ${table} WHERE user_id = $1 AND item_id = id LIMIT 1) one`;

/**
 * Adds an item without tags to a list that does not contain it. Returns the row of the item. Returns no row, and changes
 * nothing, if one of the ids $2 belongs to an item or to the record of a deleted item, if the list has no room for $4
 * bytes below the limit $3, or if the list needs a new search index.
 *
 * All parts of a statement see the data from before the lock. `seen` is the version of the list at that time. If another
 * transaction has changed the list since then, `list` has a later version, and the statement adds nothing.
 *
 * This is raw SQL, because it does in one round trip what otherwise takes eight statements (docs/decisions/0123).
 */
export const ADD_NEW_ITEM = `
    WITH seen AS MATERIALIZED (SELECT stamp FROM lists WHERE user_id = $1),
    list AS MATERIALIZED (
      SELECT *, ${NEXT_VERSION} AS version
      FROM (SELECT stamp, additions, numbers, item_count, has_search_index, has_subscribers, stored_bytes
        FROM lists WHERE user_id = $1 FOR UPDATE) locked),
    free AS MATERIALIZED (
      SELECT list.* FROM list JOIN seen USING (stamp)
      WHERE (has_search_index OR item_count < ${INDEXED_ABOVE}) AND ($3::bigint = 0 OR stored_bytes + $4::bigint <= $3)
        AND NOT EXISTS (${foundIn('items')}) AND NOT EXISTS (${foundIn('tombstones')})),
    item AS (
      INSERT INTO items (user_id, stamp, ${namesOf(INSERTED_COLUMNS)})
      SELECT $1, version, ${VALUES.join(', ')} FROM free RETURNING *),
    counted AS (
      UPDATE lists SET stamp = version, additions = lists.additions + 1, item_count = lists.item_count + 1,
        numbers = lists.numbers + 1, facet_counts[1] = facet_counts[1] + 1, stored_bytes = lists.stored_bytes + $4
      FROM free WHERE lists.user_id = $1),
    searched AS (
      INSERT INTO item_search (${namesOf(SEARCHED_COLUMNS)})
      SELECT ${SEARCHED_COLUMNS.map(({ name }) => `item.${name}`).join(', ')} FROM item, free WHERE has_search_index),
    due AS (
      INSERT INTO due_texts (user_id, item_id) SELECT $1, item_id FROM item
      ON CONFLICT (user_id, item_id) DO UPDATE SET marked_at = excluded.marked_at),
    told AS (
      INSERT INTO list_events (user_id, sequence, kind, item_id)
      SELECT $1, version * ${PLACES_IN_VERSION} + 1, '${ADDED}', item_id FROM item, free WHERE has_subscribers),
    ${PAGE.ctes},
    requested AS (${PAGE.insert})
    SELECT ${ITEM_COLUMNS.join(', ')} FROM item`;
