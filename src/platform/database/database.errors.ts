import {
  QueryFailedError,
  QueryRunnerAlreadyReleasedError,
  QueryRunnerProviderAlreadyReleasedError,
} from 'typeorm';

import type { ErrorCode } from '../common/error.catalogue.js';

/** The connection to the database could not be opened. `cause` is the original error. */
export class NoConnectionError extends Error {
  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

/** The database has not responded for longer than any statement may take. */
export class SilentDatabaseError extends Error {
  readonly code = 'ETIMEDOUT';

  constructor() {
    super('connection terminated: the database did not answer in time');
  }
}

/** The database server is a standby, which only replicates another server. */
export class StandbyError extends Error {
  /** The SQLSTATE `read_only_sql_transaction`. */
  readonly code = '25006';

  constructor() {
    super('the database server is a standby, which takes no changes');
  }
}

/**
 * A pooler shares sessions between connections. The statements of a connection run in different
 * sessions, or its session loses settings.
 */
export class SharedSessionsError extends Error {
  constructor(variable: keyof typeof REMEDIES = 'DATABASE_URL') {
    super(
      `the connection pooler behind ${variable} gives a connection the session of another: ${REMEDIES[variable]}`,
    );
  }
}

const REMEDIES = {
  DATABASE_URL:
    'set DATABASE_POOLER=transaction and DATABASE_DIRECT_URL if its pool_mode is transaction, or set its pool_mode to session for this database, or connect to PostgreSQL itself',
  DATABASE_DIRECT_URL: 'let it lead to PostgreSQL itself, past the pooler',
} as const;

/**
 * The pooler at DATABASE_URL does not meet the requirements of the service, or connects to another database than
 * DATABASE_DIRECT_URL. The message contains the settings to change.
 */
export class UnfitPoolerError extends Error {}

/**
 * The SQLSTATE classes and codes for an unavailable database (PostgreSQL manual, appendix A). Class
 * 28 means that the login failed, 3D000 that the database does not exist, and 55000 that it accepts
 * no connections. 25006, and 0A000 for an unlogged table, mean that the server is a standby, to
 * which a pooler may connect for a moment.
 */
const UNAVAILABLE = /^(08|28|53|57)|^(0A000|25006|3D000|55000)$/;
/**
 * The SQLSTATEs of conflicts with other transactions, such as a deadlock, and of transactions that the database ended
 * because the service was too busy.
 */
const BUSY = /^(25P03|40001|40P01|55P03)$/;
/**
 * The SQLSTATEs of temporary errors: the server is unreachable or out of connections. A retry may succeed without a
 * change of the configuration.
 */
const AWAY = /^(08|53|57P)|^(25006|55000)$/;
const BAD_VALUE = /^(22|54000)/;

const LOST_CONNECTION = new Set([
  'ECONNREFUSED',
  'ECONNABORTED',
  'ECONNRESET',
  'EPIPE',
  'ERR_STREAM_DESTROYED',
  'ERR_STREAM_WRITE_AFTER_END',
  'ENOENT',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
]);
/** Matches the messages of errors that the database driver throws without an error code (pg 8.23, pg-pool 3). */
const LOST_CONNECTION_TEXT =
  /connection terminated|timeout exceeded when trying to connect|not queryable/i;

/** Returns the error code for clients if the error comes from the database. Returns undefined for other errors. */
export function databaseErrorCode(error: unknown): ErrorCode | undefined {
  const state = sqlState(error);
  if (BUSY.test(state)) {
    return 'service_busy';
  }
  if (UNAVAILABLE.test(state) || isLostConnection(error) || isStoppedServer(error)) {
    return 'database_unavailable';
  }
  return BAD_VALUE.test(state) && error instanceof QueryFailedError ? 'invalid_value' : undefined;
}

/**
 * Returns true if the database was busy or unreachable, so that the same statement may succeed later. In a distributed
 * database, only the server of one list may be unreachable.
 */
export const isTemporary = (error: unknown): boolean =>
  /^(?:service_busy|database_unavailable)$/.test(databaseErrorCode(error) ?? '');

/** The error codes for a full disk, from PostgreSQL and from files that this process writes. */
const DISK_FULL = new Set(['53100', 'ENOSPC', 'EDQUOT']);

export const isDiskFull = (error: unknown): boolean => DISK_FULL.has(sqlState(error));

/**
 * Returns the SQLSTATE or system code of an error, even if TypeORM has wrapped the error. Returns an empty string if
 * the error has no code.
 */
export const sqlState = (error: unknown): string => textMember(causeOf(error), 'code');

function causeOf(error: unknown): unknown {
  if (error instanceof QueryFailedError) {
    return error.driverError;
  }
  return error instanceof NoConnectionError ? error.cause : error;
}

/**
 * Returns a property of an error if the property is a string. `instanceof Error` would not work in tests, because
 * socket errors belong to another JavaScript realm than the test.
 */
function textMember(error: unknown, name: string): string {
  const value: unknown =
    typeof error === 'object' && error !== null ? Reflect.get(error, name) : undefined;
  return typeof value === 'string' ? value : '';
}

function isLostConnection(error: unknown): boolean {
  return (
    error instanceof NoConnectionError ||
    // The code means a lost connection only if a query failed, because files and other sockets have the same codes.
    (error instanceof QueryFailedError && LOST_CONNECTION.has(sqlState(error))) ||
    // After a connection ends, TypeORM throws an "already released" error for each later statement of the transaction.
    error instanceof QueryRunnerAlreadyReleasedError ||
    error instanceof QueryRunnerProviderAlreadyReleasedError ||
    LOST_CONNECTION_TEXT.test(textMember(error, 'message'))
  );
}

/**
 * Citus has no SQLSTATE of its own for a server that stops during a commit or a COPY, and passes on messages of libpq
 * with the SQLSTATE for internal errors.
 */
const STOPPED_SERVER: Readonly<Record<string, RegExp>> = {
  XX000:
    /^(?:postmaster was shut down|terminating connection due to unexpected postmaster exit|server closed the connection unexpectedly|could not (?:receive data from|send data to) server)/,
  58030: /^failed to COPY to shard /,
};

const isStoppedServer = (error: unknown): boolean =>
  STOPPED_SERVER[sqlState(error)]?.test(textMember(causeOf(error), 'message')) === true;

/**
 * Returns true if the server is unreachable or currently accepts no connections, so a retry may succeed. A rejected
 * password or a missing database is a permanent error.
 */
export function isDatabaseAway(error: unknown): boolean {
  const known = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const cause = causeOf(known);
  const message = textMember(cause, 'message');
  return (
    LOST_CONNECTION.has(sqlState(cause)) ||
    LOST_CONNECTION_TEXT.test(message) ||
    (AWAY.test(sqlState(cause)) && !message.startsWith('unsupported startup parameter'))
  );
}

/**
 * Returns true if the named constraint rejected a write. The constraint can be a unique constraint (23505) or a foreign
 * key (23503).
 */
export const violates = (error: unknown, constraint: string): boolean =>
  /^2350[35]$/.test(sqlState(error)) && constraintOf(causeOf(error), constraint) === constraint;

/**
 * Citus passes on the message of another server without the field for the constraint. There, the name of a constraint
 * ends with the number of the shard.
 */
const constraintOf = (cause: unknown, expected: string): string =>
  textMember(cause, 'constraint') ||
  (new RegExp(String.raw`\b(${expected})_\d+\b`).exec(textMember(cause, 'message'))?.[1] ?? '');
