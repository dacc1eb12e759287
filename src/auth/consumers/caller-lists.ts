import type { EntityManager } from 'typeorm';

/**
 * The version and the item counts of a user's list. They are loaded with the caller, because the version shows if the
 * list has changed since the client's last call, and the counts determine how the list is queried.
 */
export interface ListSummary {
  readonly item_count: number;
  /** The number of the latest change of the list. 0 if the list does not exist yet. */
  readonly version: number;
  /** The value of `since` for the client's next call (docs/decisions/0042). */
  readonly since: number;
  /**
   * The largest `since` that this database can have issued. A larger `since` comes from another clock or another
   * database.
   */
  readonly newest_since: number;
  /** The smallest `since` that is valid. A smaller `since` was issued before the database was restored. */
  readonly era: number;
  /** The numbers of items for the 64 combinations of properties, such as archived or tagged, separated by commas. */
  readonly facet_counts: string;
  readonly has_search_index: boolean;
}

/**
 * SQL fragments that add the properties of a list to a statement: columns with a leading comma, and a join. The
 * fragments are empty if lists are on other database servers.
 */
export interface ListColumns {
  readonly columns: string;
  readonly joined: string;
}

/**
 * Returns the SQL of a statement that finds callers. The function `listOf` returns the fragments for the list of one
 * user. Its parameter is the SQL expression of the user id.
 */
export type CallerStatement = (listOf: (userId: string) => ListColumns) => string;

/** The columns that each row of a statement for finding callers must have. */
export interface FoundCaller {
  readonly user_id: string | null;
}

/**
 * Runs a statement that finds callers together with the versions and counts of their lists. The reading-list module
 * contains the implementation of this class.
 */
export abstract class CallerLists {
  /**
   * Returns the rows of the statement, each with the version and the counts of the user's list.
   *
   * @throws NoConnectionError if the database server is a standby.
   */
  abstract query<Row extends FoundCaller>(
    manager: EntityManager,
    statement: CallerStatement,
    values: readonly unknown[],
  ): Promise<(Row & ListSummary)[]>;
}
