import { join, resolve } from 'node:path';

import { IsOptional, IsString } from 'class-validator';
import { Cron } from 'croner';

import { CacheSettings, CacheVariables } from './cache-settings.js';
import { check, WholeNumber } from './environment.decorators.js';

/** Five fields, as in crontab(5). More fields could mean a backup every second. */
const FIELDS = 5;

const HOUR_MS = 60 * 60 * 1000;
/** The number of times for which the shortest pause is checked. */
const CHECKED = 50;

/** Accepts the times of backups, as in crontab(5): minute, hour, day of the month, month, day of the week. */
const CronTimes = (): PropertyDecorator =>
  check('cronTimes', 'is five fields of cron, such as 30 3 * * *, at most once an hour', isCron);

function isCron(text: string): boolean {
  try {
    const times = new Cron(text).nextRuns(CHECKED).map((time) => time.getTime());
    const areApart = times.every((time, at) => time - (times[at - 1] ?? 0) >= HOUR_MS);
    return text.trim().split(/\s+/).length === FIELDS && times.length > 0 && areApart;
  } catch {
    return false;
  }
}

/** The environment variables for scheduled backups. */
export abstract class BackupVariables extends CacheVariables {
  @IsOptional()
  @CronTimes()
  readonly BACKUP_SCHEDULE?: string;

  @WholeNumber(1, 10_000)
  readonly BACKUP_KEEP: number = 7;

  @IsOptional()
  @IsString()
  readonly BACKUP_DIR?: string;
}

/** When the service writes backups by itself, and where. */
export interface ScheduledBackup {
  /** The times of backups in the format of crontab(5), in the time zone of the process. */
  readonly times: string;
  readonly directory: string;
  /** The number of backups that are kept. */
  readonly keep: number;
}

/** The settings for operators: caches and scheduled backups. */
export abstract class BackupSettings extends CacheSettings {
  /** Undefined if the service writes no backups by itself. */
  abstract readonly backup: ScheduledBackup | undefined;
}

export const backupSettings = (
  { BACKUP_SCHEDULE, BACKUP_DIR, BACKUP_KEEP }: BackupVariables,
  dataDirectory: string,
): Pick<BackupSettings, 'backup'> => ({
  backup:
    BACKUP_SCHEDULE === undefined
      ? undefined
      : {
          times: BACKUP_SCHEDULE,
          directory:
            BACKUP_DIR === undefined ? join(dataDirectory, 'backups') : resolve(BACKUP_DIR),
          keep: BACKUP_KEEP,
        },
});
