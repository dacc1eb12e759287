import { DataSource } from 'typeorm';

import { QUEUES } from '../app/queues/queues.sql.js';
import type { Connection } from '../platform/database/data-source.options.js';
import { directDataSourceOptions } from '../platform/database/migrator.js';
import { queryRows } from '../platform/database/query-rows.js';
import type { QueueState } from '../platform/jobs/queue-state.js';
import { type Finding, ok, warning } from './finding.js';

const HOUR_SECONDS = 3600;
const ADVICE = 'is the service running? a large import can take hours, and the log names failures';

/** Checks that no entry of a queue has waited for more than an hour. */
export async function checkQueues(direct: Connection): Promise<Finding[]> {
  const dataSource = await new DataSource(directDataSourceOptions(direct, 1)).initialize();
  try {
    const late: Finding[] = [];
    for (const { queue, text } of QUEUES) {
      const [state] = await queryRows<QueueState>(dataSource.manager, text);
      const hours = (state?.oldestSeconds ?? 0) / HOUR_SECONDS;
      if (state !== undefined && hours > 1) {
        const waiting = `${queue}: ${state.depth} wait, the first for ${hours.toFixed(1)} hours`;
        late.push(warning('queues', `${waiting}: ${ADVICE}`));
      }
    }
    return late.length > 0 ? late : [ok('queues', 'no entry has waited for more than an hour')];
  } finally {
    await dataSource.destroy();
  }
}
