import type { EntityManager } from 'typeorm';

import { NoConnectionError, StandbyError } from '../../platform/database/database.errors.js';
import { queryRows } from '../../platform/database/query-rows.js';
import type { ListSummary } from '../../reading-list/entities/list-summary.js';
import { SUMMARISE_LIST } from '../../reading-list/entities/list-summary.sql.js';

/** Of a call without a user. */
const NO_LIST: ListSummary = {
  ...{ item_count: 0, version: 0, since: 0, newest_since: 0, era: 0 },
  ...{ facet_counts: '', has_search_index: false },
};

/** The column of summaryColumns that no caller gets to see. */
interface OfServer {
  readonly is_standby: boolean;
}

/**
 * The rows of a statement with summaries of lists, from the primary server. Throws NoConnectionError on a standby, which
 * may be behind what clients have been told.
 */
export async function queryWithSummaries<Row extends object>(
  manager: EntityManager,
  text: string,
  values: readonly unknown[],
): Promise<Row[]> {
  const rows = await queryRows<Row & OfServer>(manager, text, values);
  if (rows.some((row) => row.is_standby)) {
    throw new NoConnectionError(new StandbyError());
  }
  return rows;
}

/** Reads the summary of a list by itself, where it was not read with the caller. */
export async function readSummary(manager: EntityManager, userId: string): Promise<ListSummary> {
  const [summary] = await queryWithSummaries<ListSummary>(manager, SUMMARISE_LIST, [userId]);
  if (summary === undefined) {
    throw new Error('a statement that always has a row had none');
  }
  return summary;
}

/** The rows of users with the summaries of their lists, where these lie on other servers: a statement each. */
export const withSummaries = <Row extends object>(
  manager: EntityManager,
  rows: readonly Row[],
  userOf: (row: Row) => string | null,
): Promise<(Row & ListSummary)[]> =>
  Promise.all(
    rows.map(async (row) => {
      const userId = userOf(row);
      return { ...row, ...(userId === null ? NO_LIST : await readSummary(manager, userId)) };
    }),
  );
