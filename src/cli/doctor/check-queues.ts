import { DataSource } from 'typeorm';

import { QUEUES } from '../../app/queues/queues.sql.js';
import { MEASURE_PICTURES, PICTURE_QUEUE } from '../../articles/images/picture.sql.js';
import { PAGE_QUEUES } from '../../articles/resolver/page-queues.sql.js';
import { SECURITY_MAIL_QUEUE } from '../../auth/security-mails/security-mail.sql.js';
import type { Config } from '../../platform/config/config.js';
import type { Connection } from '../../platform/database/data-source.options.js';
import { directDataSourceOptions } from '../../platform/database/migrator.js';
import { queryRows } from '../../platform/database/query-rows.js';
import type { QueueState } from '../../platform/jobs/queue-state.js';
import { type Finding, ok, warning } from './finding.js';

const HOUR_SECONDS = 3600;
const MEGABYTE = 1_000_000;
const ADVICE = 'is the service running? a large import can take hours, and the log names failures';
const fetchesNoPages = ({ resolverConcurrency }: Config): boolean => resolverConcurrency === 0;

/** The settings that turn queues off. The entries of such a queue wait until the setting is changed. */
const IS_OFF: Readonly<Record<string, (config: Config) => boolean>> = {
  ...Object.fromEntries(PAGE_QUEUES.map(({ queue }) => [queue, fetchesNoPages])),
  [PICTURE_QUEUE.queue]: (config) => fetchesNoPages(config) || !config.keepsPictures,
  digests: ({ mail }) => mail?.hasEReaderMail !== true,
  'list-digests': ({ mail }) => mail === undefined,
  'rule-mails': ({ mail }) => mail?.hasEReaderMail !== true,
  [SECURITY_MAIL_QUEUE.queue]: ({ mail }) => mail === undefined,
};

const FULL =
  'the stored pictures have reached KEEP_PICTURES_MAX_MB: raise it, or set KEEP_PICTURES=off';

/** Checks that no entry of a queue has waited for more than an hour. Skips queues that a setting has turned off. */
export async function checkQueues(direct: Connection, config: Config): Promise<Finding[]> {
  const dataSource = await new DataSource(directDataSourceOptions(direct, 1)).initialize();
  try {
    const late: Finding[] = [];
    for (const { queue, text } of QUEUES.filter((one) => IS_OFF[one.queue]?.(config) !== true)) {
      const [state] = await queryRows<QueueState>(dataSource.manager, text);
      const hours = (state?.oldestSeconds ?? 0) / HOUR_SECONDS;
      if (state !== undefined && hours > 1) {
        const waiting = `${queue}: ${state.depth} wait, the first for ${hours.toFixed(1)} hours`;
        late.push(warning('queues', `${waiting}: ${await adviceFor(queue, dataSource, config)}`));
      }
    }
    return late.length > 0 ? late : [ok('queues', 'no entry has waited for more than an hour')];
  } finally {
    await dataSource.destroy();
  }
}

async function adviceFor(queue: string, dataSource: DataSource, config: Config): Promise<string> {
  if (queue !== PICTURE_QUEUE.queue) {
    return ADVICE;
  }
  const [stored] = await queryRows<{ bytes: number }>(dataSource.manager, MEASURE_PICTURES);
  return (stored?.bytes ?? 0) >= config.keptPicturesMegabytes * MEGABYTE ? FULL : ADVICE;
}
