import type { EntityManager } from 'typeorm';

/**
 * The version and the counters of a list, read together with the caller. They decide on the query plan. A poll of an
 * unchanged list needs no other data.
 */
export interface ListSummary {
  readonly item_count: number;
  /** The version of the latest change. 0 if the list does not exist yet. */
  readonly version: number;
  /** The `since` to send with the next call (docs/decisions/0042). */
  readonly since: number;
  /**
   * The largest `since` that this database can have issued. A larger `since` comes from another clock or another
   * database.
   */
  readonly newest_since: number;
  /** The smallest `since` that is valid. A smaller `since` was issued before the database was restored. */
  readonly era: number;
  /** The number of items of each facet, as 64 numbers separated by commas. */
  readonly facet_counts: string;
  readonly has_search_index: boolean;
}

/**
 * The SQL fragments that read a list within a statement: the columns, with a leading comma, and the join. Both are
 * empty if lists are on other servers.
 */
export interface ListColumns {
  readonly columns: string;
  readonly joined: string;
}

/**
 * Returns the SQL of a statement that finds callers. `listOf` returns the fragments for the list of the user whose id
 * is the given SQL expression.
 */
export type CallerStatement = (listOf: (userId: string) => ListColumns) => string;

/** A row that a statement for finding callers returns. */
export interface FoundCaller {
  readonly user_id: string | null;
}

/**
 * Runs the statement that finds callers, and reads the list summaries of the callers in the same statement. The reading
 * list implements this port.
 */
export abstract class CallerLists {
  /**
   * Returns the rows of the statement, each with the summary of the user's list.
   *
   * @throws NoConnectionError on a standby.
   */
  abstract query<Row extends FoundCaller>(
    manager: EntityManager,
    statement: CallerStatement,
    values: readonly unknown[],
  ): Promise<(Row & ListSummary)[]>;
}
