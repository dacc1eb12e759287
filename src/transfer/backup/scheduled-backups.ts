import { Injectable, Logger } from '@nestjs/common';
import { Cron } from 'croner';

import { UserRepository } from '../../auth/user.repository.js';
import { recipientOf } from '../../auth/user-language.js';
import { reasonOf } from '../../lib/util/reason.js';
import { Clock } from '../../platform/common/clock.js';
import { Config } from '../../platform/config/config.js';
import { Every } from '../../platform/jobs/every.js';
import { Mailer } from '../../platform/mail/mailer.js';
import { Mails } from '../../platform/mail/mails.js';
import { BackupFiles } from './backup-files.js';
import { BackupRunRepository, type ClaimedRun } from './backup-run.repository.js';

const SECOND_MS = 1000;
const LOOK_EVERY_MS = 60_000;
/** A quarter of the lease, so that a slow database does not end it. */
const RENEW_EVERY_MS = 30_000;

/** Tells administrators by mail that a backup has failed. */
@Injectable()
export class BackupAlerts {
  constructor(
    private readonly users: UserRepository,
    private readonly mailer: Mailer,
    private readonly mails: Mails,
  ) {}

  async tell(reason: string): Promise<void> {
    for (const user of this.mailer.isOn ? await this.users.reachableAdministrators() : []) {
      this.mailer.post(() => Promise.resolve(this.mails.backupFailed(recipientOf(user), reason)));
    }
  }
}

/** The times of BACKUP_SCHEDULE. */
@Injectable()
export class BackupSchedule {
  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  /** Returns the latest time of the schedule that is not after `now`. Returns undefined if there is no schedule. */
  latest(now = this.clock.now()): Date | undefined {
    const { backup } = this.config;
    // The library looks for times before the given one, which may be such a time itself.
    const after = new Date(now.getTime() + SECOND_MS);
    return backup && new Cron(backup.times).previousRuns(1, after)[0];
  }
}

/**
 * Writes the backups of BACKUP_SCHEDULE (docs/decisions/0130). If several instances use one database, one of them
 * writes each backup. A backup that was due while the service was stopped is written after the start.
 */
@Injectable()
export class ScheduledBackups {
  private readonly logger = new Logger(ScheduledBackups.name);

  constructor(
    private readonly schedule: BackupSchedule,
    private readonly files: BackupFiles,
    private readonly runs: BackupRunRepository,
    private readonly alerts: BackupAlerts,
  ) {}

  @Every(LOOK_EVERY_MS)
  async writeIfDue(): Promise<void> {
    const dueAt = this.schedule.latest();
    const run = dueAt && (await this.runs.claim(dueAt));
    if (run !== undefined) {
      await this.write(run);
    }
  }

  private async write(run: ClaimedRun): Promise<void> {
    const renewal = setInterval(() => void this.renew(run), RENEW_EVERY_MS);
    try {
      const written = await this.files.write();
      await this.runs.succeed(run, written);
      this.logger.log({ file: written.file, bytes: written.bytes, msg: 'backup written and read' });
    } catch (error) {
      if (await this.runs.fail(run, reasonOf(error))) {
        await this.alerts.tell(reasonOf(error));
      }
      throw error;
    } finally {
      clearInterval(renewal);
    }
  }

  /** If the database does not answer, writing the backup fails too, and says why. */
  private async renew(run: ClaimedRun): Promise<void> {
    await this.runs.renew(run).catch(() => undefined);
  }
}
