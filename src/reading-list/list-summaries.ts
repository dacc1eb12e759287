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
import { ClockSteps } from './clock-steps.js';
import { SUMMARISE_LIST, summaryColumns } from './entities/list-summary.sql.js';

/** The list version and the item counts for a caller that is not a user, and so has no list. */
const NO_LIST: ListSummary = {
  item_count: 0,
  version: 0,
  since: 0,
  newest_since: 0,
  era: 0,
  facet_counts: '',
  has_search_index: false,
};

/** The columns about the database server that returned the row. */
interface OfServer {
  /** True if it is a standby. */
  readonly is_standby: boolean;
  /** Its time in Unix seconds. */
  readonly clock: number;
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

/** A row with the data of the list, or the reason why the server of the list did not return them. */
type Outcome<Row> = (Row & ListSummary) | Error;

/**
 * Runs a statement that finds the callers of API requests. Returns its rows, each with the version and the item counts
 * of the caller's list. If lists and callers are on different database servers, an additional statement for each row
 * reads the version and the counts. If it fails, the result has its error in place of the row, so that calls of users
 * on other servers succeed.
 * @throws NoConnectionError if the database server is a standby.
 */
async function queryEachWithList<Row extends FoundCaller>(
  manager: EntityManager,
  statement: CallerStatement,
  values: readonly unknown[],
): Promise<Outcome<Row>[]> {
  const { together, apart } = textsOf(statement);
  if (!isDistributed(manager)) {
    return onPrimary<Row & ListSummary>(manager, together, values);
  }
  const rows = await queryRows<Row>(manager, apart, values);
  return Promise.all(rows.map((row) => withList(manager, row)));
}

async function withList<Row extends FoundCaller>(
  manager: EntityManager,
  row: Row,
): Promise<Outcome<Row>> {
  try {
    const list = row.user_id === null ? NO_LIST : await readSummary(manager, row.user_id);
    return { ...row, ...list };
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

/** Runs a statement that finds one caller, as `queryEachWithList`. Throws its error. */
export async function queryWithList<Row extends FoundCaller>(
  manager: EntityManager,
  statement: CallerStatement,
  values: readonly unknown[],
): Promise<(Row & ListSummary) | undefined> {
  const [caller] = await queryEachWithList<Row>(manager, statement, values);
  if (caller instanceof Error) {
    throw caller;
  }
  return caller;
}

/**
 * Runs a statement and returns its rows. Throws an error if a standby server returned them, because a standby may lack
 * changes that clients have already received. If the clock of the server was set back, runs the statement again, in a
 * new era. A transaction does not begin an era, because it may have locked a list. The clocks of several servers are not
 * compared.
 */
async function onPrimary<Row extends object>(
  manager: EntityManager,
  text: string,
  values: readonly unknown[],
): Promise<Row[]> {
  const steps = ClockSteps.of(manager.dataSource);
  const known = steps.latest;
  const rows = await queryRows<Row & OfServer>(manager, text, values);
  if (rows.some((row) => row.is_standby)) {
    throw new NoConnectionError(new StandbyError());
  }
  const [first] = rows;
  if (first === undefined || manager.queryRunner !== undefined || isDistributed(manager)) {
    return rows;
  }
  const hasBegunEra = await steps.note(first.clock, known);
  return hasBegunEra ? queryRows<Row & OfServer>(manager, text, values) : rows;
}

/**
 * Returns the SQL columns with the version and the item counts of a user's list, and the SQL join for these columns.
 * `OFFSET 0` makes the planner look up the list by its user id instead of joining the whole table `lists`.
 */
const listBeside = (userId: string): ListColumns => ({
  columns: `, ${summaryColumns('list', 'list.locked_by')}`,
  joined: `LEFT JOIN LATERAL (SELECT *, xmax AS locked_by FROM lists WHERE user_id = ${userId} OFFSET 0) list ON true`,
});

interface Texts {
  readonly together: string;
  readonly apart: string;
}

/** Maps each statement that finds callers to two SQL texts: with the columns of the list, and without these columns. */
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
    ...query: Parameters<typeof queryEachWithList<Row>>
  ): Promise<Outcome<Row>[]> {
    return queryEachWithList<Row>(...query);
  }
}

/**
 * Provides CallerLists to AuthModule. This module is global, so that AuthModule need not import the
 * reading list.
 */
@Global()
@Module({
  providers: [{ provide: CallerLists, useClass: ListsOfCallers }],
  exports: [CallerLists],
})
export class CallerListsModule {}
