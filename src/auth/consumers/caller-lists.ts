import type { EntityManager } from 'typeorm';

/**
 * The version and the counters of a list, read together with the caller. They decide on a query plan, and are all that
 * an idle poll needs.
 */
export interface ListSummary {
  readonly item_count: number;
  /** Version of the latest change; 0 for a list that does not exist yet. */
  readonly version: number;
  /** The `since` to send with the next call (docs/decisions/0042). */
  readonly since: number;
  /** The largest `since` that can have been issued. A larger one comes from another clock or another database. */
  readonly newest_since: number;
  /** The smallest `since` that this database has issued. A smaller one comes from before a restore. */
  readonly era: number;
  /** Number of items per facet: 64 numbers, separated by commas. */
  readonly facet_counts: string;
  readonly has_search_index: boolean;
}

/**
 * SQL fragments that read a list in a statement: columns with a leading comma, and the join. Empty if lists are on
 * other servers.
 */
export interface ListColumns {
  readonly columns: string;
  readonly joined: string;
}

/** Returns the SQL of a statement that finds callers. Pass `listOf` the SQL expression of the user's id. */
export type CallerStatement = (listOf: (userId: string) => ListColumns) => string;

/** A row of a statement that finds callers. */
export interface FoundCaller {
  readonly user_id: string | null;
}

/**
 * Reads the list summaries of callers in the statement that finds the callers. The reading list implements this port.
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
