import { DataSource } from 'typeorm';

import type { Connection } from '../../platform/database/data-source.options.js';
import { directDataSourceOptions } from '../../platform/database/migrator.js';
import { queryRows } from '../../platform/database/query-rows.js';
import { fastestMs } from './fastest.js';
import { type Finding, ok, warning } from './finding.js';
import { ROUND_TRIP } from './probes.sql.js';

const ROUND_TRIPS = 5;
const SLOW_MS = 50;

/** Checks how long a trivial statement takes. A request of a client needs several statements. */
export async function checkSpeed(direct: Connection): Promise<Finding> {
  const dataSource = await new DataSource(directDataSourceOptions(direct, 1)).initialize();
  try {
    const ms = await fastestMs(ROUND_TRIPS, () => queryRows(dataSource.manager, ROUND_TRIP));
    const detail = `the database answers a trivial statement in ${ms.toFixed(1)} ms`;
    return ms > SLOW_MS
      ? warning('speed', `${detail}: check the network to the database, and the load of its server`)
      : ok('speed', detail);
  } finally {
    await dataSource.destroy();
  }
}
