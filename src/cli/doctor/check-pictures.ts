import { DataSource } from 'typeorm';

import { MEASURE_PICTURES } from '../../articles/images/picture.sql.js';
import { COUNT_FULL_USERS } from '../../articles/images/picture-share.sql.js';
import type { Config } from '../../platform/config/config.js';
import type { Connection } from '../../platform/database/data-source.options.js';
import { directDataSourceOptions } from '../../platform/database/migrator.js';
import { queryRows } from '../../platform/database/query-rows.js';
import { type Finding, ok, warning } from './finding.js';

const MEGABYTE = 1_000_000;

/** Checks that there is room for more pictures of articles. */
export async function checkPictures(direct: Connection, config: Config): Promise<Finding> {
  if (!config.keepsPictures) {
    return ok('pictures', 'the service does not store them: KEEP_PICTURES');
  }
  const dataSource = await new DataSource(directDataSourceOptions(direct, 1)).initialize();
  try {
    const { manager } = dataSource;
    const [stored] = await queryRows<{ bytes: number }>(manager, MEASURE_PICTURES);
    const [full] = await queryRows<{ users: number }>(manager, COUNT_FULL_USERS);
    return findingOf(stored?.bytes ?? 0, full?.users ?? 0, config);
  } finally {
    await dataSource.destroy();
  }
}

function findingOf(bytes: number, fullUsers: number, config: Config): Finding {
  const { keptPicturesMegabytes: megabytes } = config;
  const size = `${Math.ceil(bytes / MEGABYTE)} of ${megabytes} MB are used`;
  if (bytes >= megabytes * MEGABYTE) {
    return warning('pictures', `${size}: raise KEEP_PICTURES_MAX_MB, or set KEEP_PICTURES=off`);
  }
  return fullUsers > 0
    ? warning(
        'pictures',
        `${size}; users whose storage has no room for more pictures: ${fullUsers}: raise STORAGE_LIMIT_PER_USER, or let them delete items`,
      )
    : ok('pictures', size);
}
