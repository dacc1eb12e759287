import { Injectable } from '@nestjs/common';

import { Metric, type Samples } from '../../platform/metrics/metric.js';
import { BackupRunRepository, type BackupState } from './backup-run.repository.js';

/** Shows the state of scheduled backups. There are no samples while the database does not answer. */
@Injectable()
export class BackupMetrics {
  constructor(private readonly runs: BackupRunRepository) {}

  @Metric({
    name: 'satchel_backup_last_success_timestamp_seconds',
    help: 'Time of the latest scheduled backup that was written and read back.',
    kind: 'gauge',
  })
  async lastSuccess(): Promise<Samples> {
    const { success } = (await this.state()) ?? {};
    return success === undefined ? [] : success.startedAt.getTime() / 1000;
  }

  @Metric({
    name: 'satchel_backup_failed',
    help: '1 if the latest scheduled backup has failed, else 0.',
    kind: 'gauge',
  })
  async hasFailed(): Promise<Samples> {
    const state = await this.state();
    return state === undefined ? [] : Number(state.failure !== undefined);
  }

  private state(): Promise<BackupState | undefined> {
    return this.runs.state().catch(() => undefined);
  }
}
