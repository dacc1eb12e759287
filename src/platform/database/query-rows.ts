import type { EntityManager, EntityTarget, ObjectLiteral } from 'typeorm';

import { ANSWER_MARGIN_MS, DatabaseClient } from './database-client.js';

/** A statement whose text holds no values, so that there are few and a connection prepares each once. */
export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** Before the text of a statement that reads personal rows of more than one user (docs/scaling.md). */
export const OVER_ALL_USERS = '/* over all users */';

/**
 * The rows of a statement, whatever its command. The statements of a transaction run in the order of the calls, also
 * when they are not waited for in between: then they travel together. Processor time of a trivial statement through
 * TypeORM, and past it: 39.1 and 39.0 µs inside a transaction, 55 and 48 µs outside one.
 */
export async function queryRows<Row extends ObjectLiteral>(
  manager: EntityManager,
  text: string,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  const runner = manager.queryRunner ?? manager.dataSource.createQueryRunner();
  try {
    const { records }: { records: Row[] } = await runner.query(text, [...values], true);
    return records;
  } finally {
    if (runner !== manager.queryRunner) {
      await runner.release();
    }
  }
}

const ALLOW = `SELECT set_config('statement_timeout', $1, true)`;

/** Lets each statement of the transaction take that long from here on, also those that travel together with this one. */
export async function allowLongStatements(manager: EntityManager, seconds: number): Promise<void> {
  await Promise.all([
    queryRows(manager, ALLOW, [`${seconds}s`]),
    waitLonger(manager, seconds * 1000 + ANSWER_MARGIN_MS),
  ]);
}

async function waitLonger(manager: EntityManager, limitMs: number): Promise<void> {
  const client: unknown = await manager.queryRunner?.connect();
  if (client instanceof DatabaseClient) {
    client.waitLonger(limitMs);
  }
}

/** Waits for the transactions that write to a table, and keeps others from it until this one ends. */
export async function lockTable(
  manager: EntityManager,
  target: EntityTarget<ObjectLiteral>,
): Promise<void> {
  const { tablePath } = manager.dataSource.getMetadata(target);
  await queryRows(manager, `LOCK TABLE ${tablePath} IN SHARE ROW EXCLUSIVE MODE`);
}
