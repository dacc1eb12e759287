/** The version and the counters of a list, read with the caller: grounds for a query plan, and all that an idle poll needs. */
export interface ListSummary {
  readonly item_count: number;
  /** Of the latest change; 0 for a list that does not exist yet. */
  readonly version: number;
  /** The version to ask with next time (docs/decisions/0042). */
  readonly since: number;
  /** The largest `since` that can have been given: a larger one comes from another clock or another database. */
  readonly newest_since: number;
  /** The smallest `since` that was given by this database, not by one from before a restore. */
  readonly era: number;
  /** How many items have each of the 64 facets, with commas between. */
  readonly facet_counts: string;
  readonly has_search_index: boolean;
}
