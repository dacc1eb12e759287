import { setTimeout as pause } from 'node:timers/promises';

import pg from 'pg';
import { DataSource } from 'typeorm';

import type { Connection } from '../../platform/database/data-source.options.js';
import { directDataSourceOptions } from '../../platform/database/migrator.js';
import { queryRows } from '../../platform/database/query-rows.js';
import { failed, type Finding, ok, warning } from './finding.js';
import {
  LOCKING_SESSIONS,
  type LockingSession,
  OLD_PREPARED_TRANSACTIONS,
  type PreparedTransaction,
} from './locks.sql.js';

/** Locks of healthy transactions are short. After this time, the others are long enough to be reported. */
const SECOND_LOOK_MS = 1500;

/** Checks that no session and no prepared transaction of the database blocks others for long. */
export async function checkLocks(direct: Connection): Promise<Finding[]> {
  const dataSource = await new DataSource(directDataSourceOptions(direct, 1)).initialize();
  try {
    const { manager } = dataSource;
    const look = (): Promise<LockingSession[]> =>
      queryRows<LockingSession>(manager, LOCKING_SESSIONS);
    const sessions = await findLong(look, () => pause(SECOND_LOOK_MS));
    const prepared = await queryRows<PreparedTransaction>(manager, OLD_PREPARED_TRANSACTIONS);
    const found = [...sessions.map(findingAbout), ...prepared.map(findingAboutPrepared)];
    return found.length === 0 ? [ok('locks', 'no session blocks others for long')] : found;
  } finally {
    await dataSource.destroy();
  }
}

/**
 * Returns the sessions that have blocked others for long. If the age of a transaction is unknown, the transaction must
 * still run at the second look.
 */
export async function findLong(
  look: () => Promise<LockingSession[]>,
  wait: () => Promise<unknown>,
): Promise<LockingSession[]> {
  const before = await look();
  if (before.every(({ isLong }) => isLong === true)) {
    return before;
  }
  await wait();
  const known = new Set(before.map(transactionOf));
  return (await look()).filter((session) => session.isLong ?? known.has(transactionOf(session)));
}

const transactionOf = ({ pid, transaction }: LockingSession): string =>
  `${pid} ${transaction ?? ''}`;

function findingAbout(session: LockingSession): Finding {
  const { pid, application, role, tables, waiting } = session;
  const isOwn = application.startsWith('satchel');
  const facts = [
    `has a transaction ${ageOf(session)}`,
    ...(tables.length > 0 ? [`locks ${tables.join(', ')}`] : []),
    ...(waiting > 0 ? [`blocks ${waiting} ${waiting === 1 ? 'session' : 'sessions'}`] : []),
  ];
  const remedy = `run SELECT pg_terminate_backend(${pid})`;
  const advice = isOwn
    ? `If no migration, restore or backup of Satchel is running, ${remedy}`
    : `To end it, ${remedy}`;
  const detail = `application "${application}" (role "${role}", pid ${pid}) ${facts.join(', ')}. ${advice}`;
  return isOwn ? warning('locks', detail) : failed('locks', detail);
}

function ageOf({ seconds, state }: LockingSession): string {
  const age = seconds === null ? 'of unknown age' : `of ${Math.round(seconds)} s`;
  return state === null ? age : `${age} (${state})`;
}

function findingAboutPrepared({ gid, role, seconds }: PreparedTransaction): Finding {
  const age = `${Math.round(seconds)} s ago`;
  return failed(
    'locks',
    `role "${role}" prepared the transaction "${gid}" ${age}, and its locks remain. If no program ends it, run ROLLBACK PREPARED ${pg.escapeLiteral(gid)}`,
  );
}
