import type { EntityManager } from 'typeorm';

/**
 * The version and the item counts of a user's list, which are loaded together with the user. The
 * version shows whether the list has changed since the client's last call. The counts determine how
 * the list is queried.
 */
export interface ListSummary {
  readonly item_count: number;
  /** The number of the latest change of the list. 0 if the list does not exist yet. */
  readonly version: number;
  /** The value of `since` for the client's next call (docs/decisions/0042). */
  readonly since: number;
  /**
   * The largest `since` that can come from this database. A larger `since` comes from another
   * database or another clock.
   */
  readonly newest_since: number;
  /** The smallest `since` that is valid. A smaller `since` was issued before the database was restored. */
  readonly era: number;
  /**
   * The numbers of items for 64 combinations of properties, such as archived and tagged, separated
   * by commas.
   */
  readonly facet_counts: string;
  readonly has_search_index: boolean;
}

/**
 * SQL fragments that add the data of a list to a query: columns with a leading comma, and a join.
 * The fragments are empty if lists are on other database servers.
 */
export interface ListColumns {
  readonly columns: string;
  readonly joined: string;
}

/**
 * Returns the SQL of a query for users. `listOf` takes the SQL expression of a user id, and returns
 * the fragments that add the user's list.
 */
export type CallerStatement = (listOf: (userId: string) => ListColumns) => string;

/** The columns that each row of a CallerStatement must have. */
export interface FoundCaller {
  readonly user_id: string | null;
}

/**
 * Finds the users of API calls, together with the versions and counts of their lists. The
 * reading-list module contains the implementation of this class.
 */
export abstract class CallerLists {
  /**
   * Returns the rows of the statement, each with the version and the counts of the user's list. In a distributed
   * database, the server of one list may be unreachable. The result then has an error in place of the row.
   *
   * @throws NoConnectionError if the database server is a standby.
   */
  abstract query<Row extends FoundCaller>(
    manager: EntityManager,
    statement: CallerStatement,
    values: readonly unknown[],
  ): Promise<((Row & ListSummary) | Error)[]>;
}
