import { DataSource } from 'typeorm';

import type { Config } from '../../platform/config/config.js';
import type { Connection } from '../../platform/database/data-source.options.js';
import { directDataSourceOptions } from '../../platform/database/migrator.js';
import { BackupRunRepository, reasonOfRun } from '../../transfer/backup/backup-run.repository.js';
import { BackupRun } from '../../transfer/entities/backup-run.entity.js';
import { failed, type Finding, ok, warning } from './finding.js';

/** Checks that the latest scheduled backup has succeeded. */
export async function checkBackups(direct: Connection, { backup }: Config): Promise<Finding> {
  if (backup === undefined) {
    return ok('backups', 'the service writes none by itself: BACKUP_SCHEDULE');
  }
  const options = { ...directDataSourceOptions(direct, 1), entities: [BackupRun] };
  const dataSource = await new DataSource(options).initialize();
  try {
    const { success, failure } = await new BackupRunRepository(
      BackupRun,
      dataSource.manager,
    ).state();
    const latest =
      success === undefined ? 'none has succeeded yet' : `the latest is ${success.file ?? ''}`;
    if (failure !== undefined) {
      return failed('backups', `${reasonOfRun(failure)}; ${latest}`);
    }
    return success === undefined ? warning('backups', latest) : ok('backups', latest);
  } finally {
    await dataSource.destroy();
  }
}
