import { DataSource } from 'typeorm';

import { type Connection, dataSourceOptions } from './data-source.options.js';

interface ServerFacts {
  readonly version: string;
  readonly now: Date;
  readonly encoding: string;
  readonly autovacuum: string;
}

/** TypeORM has no words for the settings of a server and its clock. */
const SERVER_FACTS = `
  SELECT current_setting('server_version') AS version, clock_timestamp() AS now,
         current_setting('server_encoding') AS encoding, current_setting('autovacuum') AS autovacuum`;

/** What an operator is told of a server, over a connection of its own. */
export async function serverFacts(connection: Connection): Promise<ServerFacts> {
  const dataSource = await new DataSource(dataSourceOptions(connection, 2)).initialize();
  try {
    const [row] = await dataSource.query<[ServerFacts]>(SERVER_FACTS);
    return row;
  } finally {
    await dataSource.destroy();
  }
}
