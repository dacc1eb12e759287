import { setTimeout as pause } from 'node:timers/promises';

import { DataSource } from 'typeorm';

import type { Connection } from '../../platform/database/data-source.options.js';
import { directDataSourceOptions } from '../../platform/database/migrator.js';
import { queryRows } from '../../platform/database/query-rows.js';
import { failed, type Finding, ok, warning } from './finding.js';
import { LOCKING_SESSIONS, type LockingSession } from './locks.sql.js';

/** Locks of healthy transactions are short. After this time, the others are long enough to be reported. */
const SECOND_LOOK_MS = 1500;

/** The findings about locks. */
interface LockFindings {
  readonly findings: readonly Finding[];
  /** True if a session locks the table of the migrations. Without a time limit, its readers would wait forever. */
  readonly areMigrationsLocked: boolean;
}

/** Checks that no session of the database blocks others for long. */
export async function checkLocks(direct: Connection): Promise<LockFindings> {
  const dataSource = await new DataSource(directDataSourceOptions(direct, 1)).initialize();
  try {
    const sessions = await findLong(dataSource);
    return {
      findings:
        sessions.length === 0
          ? [ok('locks', 'no session blocks others for long')]
          : sessions.map(findingAbout),
      areMigrationsLocked: sessions.some(({ tables }) => tables.includes('migrations')),
    };
  } finally {
    await dataSource.destroy();
  }
}

async function findLong({ manager }: DataSource): Promise<LockingSession[]> {
  const look = (): Promise<LockingSession[]> =>
    queryRows<LockingSession>(manager, LOCKING_SESSIONS);
  const sessions = await look();
  if (sessions.every(({ isLong }) => isLong)) {
    return sessions;
  }
  await pause(SECOND_LOOK_MS);
  return (await look()).filter(({ isLong }) => isLong);
}

function findingAbout(session: LockingSession): Finding {
  const { pid, application, role, tables, waiting } = session;
  const isOwn = application.startsWith('satchel');
  const name = `application "${application}", role "${role}", pid ${pid}`;
  const locked = tables.length > 0 ? `, locks ${tables.join(', ')}` : '';
  const blocked = waiting > 0 ? `, and ${waiting} sessions wait for it` : '';
  const condition = isOwn ? 'if no migration, restore or backup of Satchel is running, ' : '';
  const detail = `${name}: a transaction ${ageOf(session)}${locked}${blocked}: ${condition}end it: SELECT pg_terminate_backend(${pid})`;
  const isBlocking = waiting > 0 || tables.length > 0;
  return isBlocking && !isOwn ? failed('locks', detail) : warning('locks', detail);
}

function ageOf({ seconds, state }: LockingSession): string {
  const age = seconds === null ? 'of unknown age' : `of ${Math.round(seconds)} s`;
  return state === null ? age : `${age} (${state})`;
}
