const CLOCK = 'floor(extract(epoch FROM now()))::bigint';

/**
 * Returns a SQL expression for the `since` that a client sends with its next request for changes.
 * The value is usually a minute before now, so that the client misses no change.
 *
 * If a running transaction has locked the list, the value is the list version, because this
 * transaction may be committed much later. However, the value is at most 30 days old, because older
 * records of deleted items may be missing (docs/decisions/0034).
 */
export const sinceOf = (row: string, lockedBy = `${row}.xmax`): string =>
  `greatest(${row}.stamp, ${CLOCK} - CASE WHEN is_in_flight(${lockedBy}) THEN 2592000 ELSE 60 END)`;

/**
 * Returns the columns with the version and counts of a list, even if the list has no row. Every
 * query includes `is_standby`, because a connection pooler may run each query on a different
 * connection (docs/decisions/0084). `clock` shows whether the clock was set back (docs/decisions/0143).
 */
export const summaryColumns = (row: string, lockedBy?: string): string => `
  coalesce(${row}.item_count, 0) AS item_count, coalesce(${row}.stamp, 0)::float8 AS version,
  ${sinceOf(row, lockedBy)}::float8 AS since,
  greatest(${row}.stamp, ${CLOCK})::float8 AS newest_since,
  coalesce((SELECT max(begins) FROM sync_eras), 0)::float8 AS era, coalesce(array_to_string(${row}.facet_counts, ','), '') AS facet_counts,
  coalesce(${row}.has_search_index, false) AS has_search_index, pg_is_in_recovery() AS is_standby,
  ${CLOCK}::float8 AS clock`;

/** Selects the version and counts of the list of user $1. Returns a row even if the user has no list. */
export const SUMMARISE_LIST = `
  SELECT ${summaryColumns('list')} FROM (VALUES (1)) AS one LEFT JOIN lists list ON list.user_id = $1`;
