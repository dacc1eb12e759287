import type { Connection } from '../../platform/database/data-source.options.js';
import type { ShardServer } from '../../platform/database/distributed-servers.js';
import { type Distribution, distributionOf } from '../../platform/database/distribution.js';
import { failed, type Finding, ok, warning } from './finding.js';

const DISTRIBUTE = 'run migrate --distributed citus';

/** Checks that each table of a database with Citus is on its servers. A database without Citus has no finding. */
export async function checkPlaces(direct: Connection): Promise<Finding[]> {
  const distribution = await distributionOf(direct);
  return distribution === undefined
    ? []
    : [checkDistribution(distribution), ...checkServers(distribution)];
}

function checkDistribution({ isBegun, missing, doubled, hasTwoPhases }: Distribution): Finding {
  const command = DISTRIBUTE;
  if (!isBegun) {
    return ok('distribution', `Citus is there, and no table is spread: ${command}`);
  }
  if (missing.length > 0) {
    return failed('distribution', `not spread, ${command}: ${missing.join(', ')}`);
  }
  if (!hasTwoPhases) {
    return failed('distribution', `a list and its queues are not committed together: ${command}`);
  }
  return doubled.length > 0
    ? warning('distribution', `local rows are left, ${command}: ${doubled.join(', ')}`)
    : ok('distribution', 'each table is where it belongs');
}

/** Checks the servers with lists, after the distribution has begun. */
function checkServers({ isBegun, servers }: Distribution): Finding[] {
  if (!isBegun) {
    return [];
  }
  const away = servers.filter(({ failure }) => failure !== undefined);
  const unlimited = servers.filter(({ failure, hasLimits }) => failure === undefined && !hasLimits);
  const names = (some: readonly ShardServer[]): string => some.map(({ name }) => name).join(', ');
  return [
    ...away.map(({ name, failure }) => failed('servers', `${name}: ${failure ?? ''}`)),
    ...(unlimited.length > 0
      ? [failed('servers', `limits of time do not hold on ${names(unlimited)}: ${DISTRIBUTE}`)]
      : []),
    ...(away.length + unlimited.length === 0
      ? [ok('servers', `${servers.length} with lists, and limits of time hold there`)]
      : []),
  ];
}
