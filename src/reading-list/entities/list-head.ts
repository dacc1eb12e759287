/** What a list says of itself, before anything of it is read: grounds for a plan, and all that an idle poll needs. */
export interface ListHead {
  readonly item_count: number;
  /** Of the latest change; 0 for a list that nobody has begun. */
  readonly stamp: number;
  /** The stamp to ask with next time (docs/decisions/0015). */
  readonly since: number;
  /** The largest `since` that can have been given: a larger one is of another clock, or of another database. */
  readonly newest_since: number;
  /** The smallest `since` that was given of this database, and not of one from before a restore. */
  readonly era: number;
  /** How many items have each of the 64 facets, with commas between. */
  readonly facet_counts: string;
  readonly has_search_index: boolean;
}

const CLOCK = 'floor(extract(epoch FROM now()))::bigint';

/**
 * The stamp to ask with next time: a change that this statement does not see has a later one. While a writer has the
 * row locked, however long its commit takes, that is sure of the stamp of the list alone; after a month without a
 * change, of which clients could not be told any more one day, the clock goes on (docs/decisions/0034).
 */
export const sinceOf = (row: string, lockedBy = `${row}.xmax`): string =>
  `greatest(${row}.stamp, ${CLOCK} - CASE WHEN is_in_flight(${lockedBy}) THEN 2592000 ELSE 60 END)`;

/** The columns, from a row of `lists` or from none. */
export const listHeadOf = (row: string, lockedBy?: string): string => `
  coalesce(${row}.item_count, 0) AS item_count, coalesce(${row}.stamp, 0)::float8 AS stamp,
  ${sinceOf(row, lockedBy)}::float8 AS since,
  greatest(${row}.stamp, ${CLOCK})::float8 AS newest_since,
  coalesce((SELECT max(begins) FROM sync_eras), 0)::float8 AS era, coalesce(array_to_string(${row}.facet_counts, ','), '') AS facet_counts,
  coalesce(${row}.has_search_index, false) AS has_search_index`;
