import { DataSource, type EntityManager } from 'typeorm';

import { User } from '../../auth/entities/user.entity.js';
import { Clock } from '../../platform/common/clock.js';
import type { Config } from '../../platform/config/config.js';
import type { Connection } from '../../platform/database/data-source.options.js';
import { directDataSourceOptions } from '../../platform/database/migrator.js';
import { BackupRunRepository, reasonOfRun } from '../../transfer/backup/backup-run.repository.js';
import { BackupSchedule } from '../../transfer/backup/scheduled-backups.js';
import { BackupRun } from '../../transfer/entities/backup-run.entity.js';
import { failed, type Finding, ok, warning } from './finding.js';

/** The time in which a backup that is due begins and ends, also on a busy machine. */
const MARGIN_MS = 60 * 60 * 1000;
/** The start of a backup is a time of the database, whose clock may be behind. */
const CLOCK_MARGIN_MS = 5 * 60 * 1000;
const ADVICE = 'is the service running, with the same BACKUP_SCHEDULE?';

/** Checks that the latest scheduled backup has succeeded. */
export async function checkBackups(direct: Connection, config: Config): Promise<Finding> {
  if (config.backup === undefined) {
    return ok('backups', 'the service writes none by itself: BACKUP_SCHEDULE');
  }
  const options = { ...directDataSourceOptions(direct, 1), entities: [BackupRun, User] };
  const dataSource = await new DataSource(options).initialize();
  try {
    return await examine(dataSource.manager, latestDue(config));
  } finally {
    await dataSource.destroy();
  }
}

/** Returns the latest time of the schedule whose backup must have ended. */
function latestDue(config: Config): Date | undefined {
  const clock = new Clock();
  return new BackupSchedule(config, clock).latest(new Date(clock.now().getTime() - MARGIN_MS));
}

async function examine(manager: EntityManager, due: Date | undefined): Promise<Finding> {
  const runs = new BackupRunRepository(BackupRun, manager);
  const { success, failure } = await runs.state();
  const latest = describe(success);
  if (failure !== undefined) {
    return failed('backups', `${reasonOfRun(failure)}; ${latest}`);
  }
  if (await runs.isRunning()) {
    return ok('backups', `the service is writing one; ${latest}`);
  }
  const since = success?.startedAt ?? (await findFirstUser(manager))?.createdAt;
  if (isLate(since, due)) {
    return warning('backups', `${latest}, and one was due at ${due.toISOString()}: ${ADVICE}`);
  }
  return ok('backups', success === undefined ? 'none is due yet' : latest);
}

const describe = (success: BackupRun | undefined): string =>
  success === undefined ? 'none has succeeded yet' : `the latest is ${success.file ?? ''}`;

const isLate = (since: Date | undefined, due: Date | undefined): due is Date =>
  since !== undefined && due !== undefined && since.getTime() < due.getTime() - CLOCK_MARGIN_MS;

/** Returns the first user, who is about as old as the installation. Before that time, no backup was due. */
async function findFirstUser(manager: EntityManager): Promise<User | undefined> {
  const [user] = await manager.find(User, {
    select: { createdAt: true },
    order: { id: 'ASC' },
    take: 1,
  });
  return user;
}
