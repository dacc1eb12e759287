const CLOCK = 'floor(extract(epoch FROM now()))::bigint';

/**
 * The version to ask with next time: a change that this statement does not see has a later one. While a writer has the
 * row locked, however long its commit takes, only the version of the list itself is certain; after a month without a
 * change the clock goes on, since deletions are forgotten one day (docs/decisions/0034).
 */
export const sinceOf = (row: string, lockedBy = `${row}.xmax`): string =>
  `greatest(${row}.stamp, ${CLOCK} - CASE WHEN is_in_flight(${lockedBy}) THEN 2592000 ELSE 60 END)`;

/**
 * Its columns, from a row of `lists` that may be absent. Behind a pooler no session is asked whether it is on a standby,
 * so that the statement is (docs/decisions/0084).
 */
export const summaryColumns = (row: string, lockedBy?: string): string => `
  coalesce(${row}.item_count, 0) AS item_count, coalesce(${row}.stamp, 0)::float8 AS version,
  ${sinceOf(row, lockedBy)}::float8 AS since,
  greatest(${row}.stamp, ${CLOCK})::float8 AS newest_since,
  coalesce((SELECT max(begins) FROM sync_eras), 0)::float8 AS era, coalesce(array_to_string(${row}.facet_counts, ','), '') AS facet_counts,
  coalesce(${row}.has_search_index, false) AS has_search_index, pg_is_in_recovery() AS is_standby`;

/** Gives a row also for a user without a list. $1 is the user. */
export const SUMMARISE_LIST = `
  SELECT ${summaryColumns('list')} FROM (VALUES (1)) AS one LEFT JOIN lists list ON list.user_id = $1`;
