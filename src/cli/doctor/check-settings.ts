import type { Config } from '../../platform/config/config.js';
import {
  connectionsOf,
  type DatabaseServer,
  type ServerFacts,
} from '../../platform/database/database-server.js';
import { failed, type Finding, ok, warning } from './finding.js';

const MAX_CLOCK_DIFFERENCE_SECONDS = 5;

/** The facts about the server, and the time of this machine at which they were read. */
export interface ReadFacts extends ServerFacts {
  readonly readAt: Date;
}

/** Checks the settings and the clock of the database server. */
export function checkSettings(
  { connection }: DatabaseServer,
  config: Config,
  facts: ReadFacts,
): Finding[] {
  return [
    // With a connection pooler, this check is skipped, because the pooler limits the connections.
    ...(connection.pooler === undefined
      ? [checkConnections(connectionsOf(config), facts.connections)]
      : []),
    checkEncoding(facts.encoding),
    checkAutovacuum(facts.autovacuum),
    checkClock(facts),
  ];
}

function checkConnections(wanted: number, allowed: number): Finding {
  const detail = `the service may open ${wanted}, the server allows ${allowed}`;
  return wanted > allowed
    ? warning(
        'connections',
        `${detail}: lower DATABASE_POOL_SIZE or SATCHEL_WORKERS, or raise max_connections and the CONNECTION LIMIT of the role and the database`,
      )
    : ok('connections', detail);
}

function checkEncoding(encoding: string): Finding {
  return encoding === 'UTF8'
    ? ok('encoding', encoding)
    : failed(
        'encoding',
        `the database is ${encoding}: create one with ENCODING 'UTF8' and move there`,
      );
}

function checkAutovacuum(setting: string): Finding {
  return setting === 'on'
    ? ok('autovacuum', setting)
    : warning(
        'autovacuum',
        `it is ${setting}: long lists get slow and deleted rows keep their place`,
      );
}

function checkClock({ now, readAt }: ReadFacts): Finding {
  const seconds = Math.abs(now.getTime() - readAt.getTime()) / 1000;
  const difference = `${seconds.toFixed(1)} s from the database's clock`;
  return seconds > MAX_CLOCK_DIFFERENCE_SECONDS
    ? warning('clock', `${difference}: synchronise both machines (NTP)`)
    : ok('clock', difference);
}
