import { DataSource } from 'typeorm';

import { reasonOf } from '../../lib/util/reason.js';
import type { Connection } from '../../platform/database/data-source.options.js';
import {
  isDatabaseAway,
  isDiskFull,
  NoConnectionError,
  sqlState,
  StandbyError,
} from '../../platform/database/database.errors.js';
import { directDataSourceOptions } from '../../platform/database/migrator.js';
import { queryRows } from '../../platform/database/query-rows.js';
import { failed, type Finding, warning } from './finding.js';
import { LOCKED_TABLES } from './locks.sql.js';

/** The SQLSTATE `lock_not_available`. */
const LOCK_TIMEOUT = '55P03';

type Check = () => Promise<Finding | readonly Finding[]>;

/** Runs one check. If it fails, for example because a table is locked, the other checks still run. */
export async function attempt(direct: Connection, check: string, run: Check): Promise<Finding[]> {
  try {
    return [await run()].flat();
  } catch (error) {
    return [await failureOf(direct, check, error)];
  }
}

/** Returns the finding about the error with which a check has ended. */
export async function failureOf(
  direct: Connection,
  check: string,
  error: unknown,
): Promise<Finding> {
  if (isLockTimeout(error)) {
    return warning(check, `not checked, because ${await lockedTables(direct)}`);
  }
  return isStandby(error)
    ? failed('writing', `${reasonOf(error)}: set ${variableOf(direct)} to the primary server`)
    : failed(
        check,
        isUnreachable(error) ? `${reasonOf(error)}: ${adviceFor(direct)}` : reasonOf(error),
      );
}

const adviceFor = (direct: Connection): string =>
  `is the server running, has it free connections, and is ${variableOf(direct)} right?`;

export const isLockTimeout = (error: unknown): boolean => sqlState(error) === LOCK_TIMEOUT;

const isStandby = (error: unknown): boolean =>
  chainOf(error).some((one) => one instanceof StandbyError);

/** Returns true if the connection could not be opened, or was lost. */
export const isUnreachable = (error: unknown): boolean =>
  chainOf(error).some((one) => one instanceof NoConnectionError) ||
  (isDatabaseAway(error) && !isDiskFull(error));

const MOST_CAUSES = 5;

/** Returns an error, its cause, and the further causes. */
const chainOf = (error: unknown, most = MOST_CAUSES): readonly unknown[] =>
  error instanceof Error && error.cause !== undefined && most > 0
    ? [error, ...chainOf(error.cause, most - 1)]
    : [error];

/** Returns the name of the variable with the address of the server itself. */
export const variableOf = ({ variable }: Connection): string => variable ?? 'DATABASE_URL';

/** Describes the tables that are locked now, because the error of PostgreSQL does not contain the table. */
async function lockedTables(direct: Connection): Promise<string> {
  const [name, ...others] = await findLockedTables(direct).catch(() => []);
  if (name === undefined) {
    return 'a table was locked';
  }
  return others.length === 0
    ? `the table ${name} is locked`
    : `one of the tables ${[name, ...others].join(', ')} is locked`;
}

async function findLockedTables(direct: Connection): Promise<string[]> {
  const dataSource = await new DataSource(directDataSourceOptions(direct, 1)).initialize();
  try {
    const rows = await queryRows<{ name: string }>(dataSource.manager, LOCKED_TABLES);
    return rows.map(({ name }) => name);
  } finally {
    await dataSource.destroy();
  }
}
