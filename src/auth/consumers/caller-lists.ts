import type { EntityManager } from 'typeorm';

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

/** What a statement reads of a list: its columns, with a comma before them, and the join. Empty where lists lie on other servers. */
export interface ListColumns {
  readonly columns: string;
  readonly joined: string;
}

/** Makes the text of a statement that finds callers. `listOf` takes the SQL expression of the id of their user. */
export type CallerStatement = (listOf: (userId: string) => ListColumns) => string;

/** A row of such a statement. */
export interface FoundCaller {
  readonly user_id: string | null;
}

/** Reads the lists of callers in the statement that finds the callers. The reading list knows how. */
export abstract class CallerLists {
  /** The rows of the statement with the summaries of their lists. Throws NoConnectionError on a standby. */
  abstract query<Row extends FoundCaller>(
    manager: EntityManager,
    statement: CallerStatement,
    values: readonly unknown[],
  ): Promise<(Row & ListSummary)[]>;
}
