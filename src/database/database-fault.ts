import {
  QueryFailedError,
  QueryRunnerAlreadyReleasedError,
  QueryRunnerProviderAlreadyReleasedError,
} from 'typeorm';

import type { ErrorCode } from '../common/error.catalogue.js';

/**
 * SQLSTATE classes and codes (PostgreSQL manual, appendix A) that say "not now" rather than "never", and those
 * of a refused connection: 28 and 3D000 for a role or database that is gone, 55000 for one that is closed.
 */
const UNAVAILABLE = /^(08|28|53|57)|^(25P03|25006|3D000|40001|40P01|55000|55P03)$/;
const BAD_VALUE = /^(22|54000)/;

const LOST_CONNECTION = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOENT',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
]);
/** Errors of the driver that carry no code (pg 8.23, pg-pool 3). */
const LOST_CONNECTION_TEXT =
  /connection terminated|timeout exceeded when trying to connect|not queryable/i;

/** The code a client gets for an error of the database, or undefined for any other error. */
export function databaseFault(error: unknown): ErrorCode | undefined {
  const state = sqlState(error);
  if (UNAVAILABLE.test(state) || isLostConnection(error)) {
    return 'database_unavailable';
  }
  return BAD_VALUE.test(state) && error instanceof QueryFailedError ? 'invalid_value' : undefined;
}

/** The SQLSTATE or system code of an error, also when TypeORM wraps it; empty when there is none. */
export function sqlState(error: unknown): string {
  const cause: unknown = error instanceof QueryFailedError ? error.driverError : error;
  return cause instanceof Error && 'code' in cause && typeof cause.code === 'string'
    ? cause.code
    : '';
}

function isLostConnection(error: unknown): boolean {
  return (
    LOST_CONNECTION.has(sqlState(error)) ||
    // TypeORM lets go of a connection that ends, and then refuses the rest of the transaction.
    error instanceof QueryRunnerAlreadyReleasedError ||
    error instanceof QueryRunnerProviderAlreadyReleasedError ||
    (error instanceof Error && LOST_CONNECTION_TEXT.test(error.message))
  );
}

/** Tells whether an insert met a row that the named unique constraint keeps apart. */
export function violates(error: unknown, constraint: string): boolean {
  const cause: unknown = error instanceof QueryFailedError ? error.driverError : error;
  return (
    sqlState(error) === '23505' &&
    cause instanceof Error &&
    'constraint' in cause &&
    cause.constraint === constraint
  );
}
