import { randomUUID } from 'node:crypto';

import { DataSource, type EntityManager } from 'typeorm';

import { reasonOf } from '../../lib/util/reason.js';
import type { Connection } from '../../platform/database/data-source.options.js';
import { isDiskFull } from '../../platform/database/database.errors.js';
import { DatabasePing } from '../../platform/database/database.module.js';
import { directDataSourceOptions } from '../../platform/database/migrator.js';
import { queryRows } from '../../platform/database/query-rows.js';
import { isLockTimeout, variableOf } from './attempt.js';
import { fastestMs } from './fastest.js';
import { failed, type Finding, ok, warning } from './finding.js';
import { DELETE_ROW, WRITE_ROW } from './probes.sql.js';

const WRITES = 3;
const SLOW_MS = 500;
const FULL = 'the disk of the database is full: free space on it, and the service continues';

interface Condition {
  readonly isReadOnly: boolean;
  /** False if tables may be missing. */
  readonly isMigrated: boolean;
}

/**
 * Checks that the database stores a change, and how long this takes.
 *
 * @throws QueryFailedError if the table is locked
 */
export async function checkWriting(
  direct: Connection,
  { isReadOnly, isMigrated }: Condition,
): Promise<Finding> {
  if (isReadOnly) {
    return failed(
      'writing',
      `the database only reads: set ${variableOf(direct)} to the primary server, or set default_transaction_read_only to off`,
    );
  }
  try {
    return (
      (await findFullDisk(direct)) ??
      (isMigrated
        ? findingAbout(await measureWrites(direct))
        : ok('writing', 'the disk of the database has room'))
    );
  } catch (error) {
    if (isLockTimeout(error)) {
      throw error;
    }
    return failed('writing', isDiskFull(error) ? FULL : `a change fails: ${reasonOf(error)}`);
  }
}

/** Uses the check of `/ready`, which also finds a full disk on which the tables still have some room. */
async function findFullDisk(direct: Connection): Promise<Finding | undefined> {
  const ping = new DatabasePing(direct);
  try {
    await ping.answers();
    const failure = await ping.findWriteFailure();
    return failure === undefined ? undefined : failed('writing', FULL);
  } finally {
    await ping.onApplicationShutdown();
  }
}

async function measureWrites(direct: Connection): Promise<number> {
  const dataSource = await new DataSource(directDataSourceOptions(direct, 1)).initialize();
  try {
    return await fastestMs(WRITES, () => dataSource.transaction(writeAndDelete));
  } finally {
    await dataSource.destroy();
  }
}

async function writeAndDelete(manager: EntityManager): Promise<void> {
  const key = [`doctor:${randomUUID()}`];
  await queryRows(manager, WRITE_ROW, key);
  await queryRows(manager, DELETE_ROW, key);
}

function findingAbout(ms: number): Finding {
  const detail = `the database stores a change in ${ms.toFixed(0)} ms`;
  return ms > SLOW_MS
    ? warning('writing', `${detail}: check the load of its disk, and its synchronous standbys`)
    : ok('writing', detail);
}
