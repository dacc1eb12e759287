import { Global, Injectable, Module } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

import {
  CallerLists,
  type CallerStatement,
  type FoundCaller,
  type ListColumns,
  type ListSummary,
} from '../auth/consumers/caller-lists.js';
import { NoConnectionError, StandbyError } from '../platform/database/database.errors.js';
import { isDistributed } from '../platform/database/database.js';
import { queryRows } from '../platform/database/query-rows.js';
import { SUMMARISE_LIST, summaryColumns } from './entities/list-summary.sql.js';

/** The list version and the item counts for a call without a user. */
const NO_LIST: ListSummary = {
  item_count: 0,
  version: 0,
  since: 0,
  newest_since: 0,
  era: 0,
  facet_counts: '',
  has_search_index: false,
};

/** A column that this file checks and removes from the result. */
interface OfServer {
  readonly is_standby: boolean;
}

/**
 * Reads the version and the item counts of one list.
 * @throws NoConnectionError if the database server is a standby.
 */
export async function readSummary(manager: EntityManager, userId: string): Promise<ListSummary> {
  const [summary] = await onPrimary<ListSummary>(manager, SUMMARISE_LIST, [userId]);
  if (summary === undefined) {
    throw new Error('a statement that always has a row had none');
  }
  return summary;
}

/**
 * Returns the rows of a statement that finds callers, each with the version and the item counts of the user's list. If
 * lists are on other database servers, a second statement reads the version and counts for each row.
 * @throws NoConnectionError if the database server is a standby.
 */
export async function queryWithLists<Row extends FoundCaller>(
  manager: EntityManager,
  statement: CallerStatement,
  values: readonly unknown[],
): Promise<(Row & ListSummary)[]> {
  const { together, apart } = textsOf(statement);
  if (!isDistributed(manager)) {
    return onPrimary<Row & ListSummary>(manager, together, values);
  }
  const rows = await queryRows<Row>(manager, apart, values);
  return Promise.all(
    rows.map(async (row) => ({
      ...row,
      ...(row.user_id === null ? NO_LIST : await readSummary(manager, row.user_id)),
    })),
  );
}

/**
 * Returns the rows of a statement. Rejects rows from a standby server, because they may be older than data that clients
 * have already received.
 */
async function onPrimary<Row extends object>(
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

/**
 * Returns the SQL columns with the version and the item counts of a list, and the SQL join for these columns. `OFFSET
 * 0` stops the planner from joining whole tables.
 */
const listBeside = (userId: string): ListColumns => ({
  columns: `, ${summaryColumns('list', 'list.locked_by')}`,
  joined: `LEFT JOIN LATERAL (SELECT *, xmax AS locked_by FROM lists WHERE user_id = ${userId} OFFSET 0) list ON true`,
});

interface Texts {
  readonly together: string;
  readonly apart: string;
}

/** Caches the SQL of each statement that finds callers. */
const texts = new WeakMap<CallerStatement, Texts>();

function textsOf(statement: CallerStatement): Texts {
  const known = texts.get(statement);
  if (known !== undefined) {
    return known;
  }
  const made = {
    together: statement(listBeside),
    apart: statement(() => ({ columns: '', joined: '' })),
  };
  texts.set(statement, made);
  return made;
}

@Injectable()
class ListsOfCallers extends CallerLists {
  override query<Row extends FoundCaller>(
    ...query: Parameters<typeof queryWithLists<Row>>
  ): Promise<(Row & ListSummary)[]> {
    return queryWithLists<Row>(...query);
  }
}

/**
 * Provides the implementation of CallerLists. The module is global, because AuthModule cannot import the reading list.
 */
@Global()
@Module({
  providers: [{ provide: CallerLists, useClass: ListsOfCallers }],
  exports: [CallerLists],
})
export class CallerListsModule {}
