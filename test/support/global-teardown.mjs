import { rmSync } from 'node:fs';

import pg from 'pg';

export default async function globalTeardown() {
  const others = process.env.TEST_CITUS_SERVERS?.split(' ') ?? [];
  for (const connectionString of [process.env.TEST_SERVER_URL, ...others]) {
    const client = new pg.Client({ connectionString });
    await client.connect();
    await client.query(`DROP DATABASE IF EXISTS ${process.env.TEST_TEMPLATE} WITH (FORCE)`);
    await client.end();
  }
  if (globalThis.satchelTestServer) {
    await globalThis.satchelTestServer.server.stop();
    rmSync(globalThis.satchelTestServer.directory, { recursive: true, force: true });
  }
}
