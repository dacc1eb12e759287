import { createHash } from 'node:crypto';

import pg from 'pg';
import { type EntityManager, QueryFailedError, type QueryRunner } from 'typeorm';
import { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';

import { NoConnectionError } from './database.errors.js';
import { ANSWER_MARGIN_MS } from './session-settings.js';
import { SteadyClient } from './steady-client.js';

/** A statement whose text holds no values, so that there are few and a connection prepares each once. */
export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

const names = new Map<string, string>();

/** The error that ended a transaction, by the handle that each transaction has of its own. */
const causes = new WeakMap<QueryRunner, Error>();

/**
 * Runs a prepared statement on the manager's connection, past TypeORM, which prepares none. The statements of a
 * transaction run in the order of the calls, also when nobody waits between them: then they travel together.
 */
export async function run<Row extends pg.QueryResultRow>(
  manager: EntityManager,
  { text, values }: Statement,
): Promise<Row[]> {
  const session = await sessionOf(manager);
  try {
    return (await session.query<Row>({ name: nameOf(text), text, values: [...values] })).rows;
  } catch (error) {
    throw error instanceof Error && !(error instanceof NoConnectionError)
      ? causeOf(manager, new QueryFailedError(text, [...values], error))
      : error;
  }
}

/**
 * Statements that travel together all fail after the first that does (25P02, 26000), and the caller may see a later
 * one first: each tells the first error.
 */
function causeOf({ queryRunner }: EntityManager, error: Error): Error {
  const cause = (queryRunner && causes.get(queryRunner)) ?? error;
  if (queryRunner !== undefined) {
    causes.set(queryRunner, cause);
  }
  return cause;
}

const ALLOW = `SELECT set_config('statement_timeout', $1, true)`;

/** Lets each statement of the transaction take that long from here on, also those that travel together with this one. */
export async function allowLongStatements(manager: EntityManager, seconds: number): Promise<void> {
  await Promise.all([
    run(manager, { text: ALLOW, values: [`${seconds}s`] }),
    waitLonger(manager, seconds * 1000 + ANSWER_MARGIN_MS),
  ]);
}

async function waitLonger(manager: EntityManager, limitMs: number): Promise<void> {
  const session = await sessionOf(manager);
  if (session instanceof SteadyClient) {
    session.waitLonger(limitMs);
  }
}

/** The connection of the manager's transaction, or the pool. */
export async function sessionOf(manager: EntityManager): Promise<pg.Client | pg.Pool> {
  const { driver } = manager.dataSource;
  const session: unknown =
    manager.queryRunner === undefined
      ? driver instanceof PostgresDriver && driver.master
      : await manager.queryRunner.connect();
  if (session instanceof pg.Pool || session instanceof pg.Client) {
    return session;
  }
  throw new Error('The database is not reached through pg.');
}

/** The same in every instance, which a pooler that tracks prepared statements likes. */
function nameOf(text: string): string {
  const known = names.get(text);
  if (known !== undefined) {
    return known;
  }
  const name = createHash('sha256').update(text).digest('base64url').slice(0, 20);
  names.set(text, name);
  return name;
}
