// Prepares test databases on a Citus cluster: the coordinator at TEST_CITUS_URL, and the servers that it knows.
import pg from 'pg';

import { distributeOverCitus } from '../../dist/src/platform/database/distribution.js';
import { runMigrations } from '../../dist/src/platform/database/migrator.js';

/** Few shards, because each test database has its own. */
const SHARDS = 4;

const NODES = `SELECT nodename AS host, nodeport AS port FROM pg_dist_node
  WHERE isactive AND noderole = 'primary' AND groupid <> 0 ORDER BY nodeid`;

const SESSIONS = 'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1';

const databaseAt = (url, name) => Object.assign(new URL(url), { pathname: `/${name}` }).href;

async function on(url, work) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Returns the addresses of the coordinator and of the other servers of the cluster. */
export async function citusServers(url) {
  const nodes = await on(url, async (client) => (await client.query(NODES)).rows);
  if (nodes.length === 0) {
    throw new Error(
      'the coordinator at TEST_CITUS_URL knows no other server: SELECT citus_add_node(…)',
    );
  }
  return [
    url,
    ...nodes.map(({ host, port }) => Object.assign(new URL(url), { hostname: host, port }).href),
  ];
}

/**
 * Creates a database with the same name on all servers, and distributes the lists of the coordinator over the others.
 * Copies of these databases under another name are a cluster too, because Citus finds the database of another server by
 * the name of its own.
 */
export async function prepareCitusTemplate(servers, name) {
  for (const server of servers) {
    await on(server, (client) => client.query(`CREATE DATABASE ${name}`));
    await on(databaseAt(server, name), (client) => client.query('CREATE EXTENSION citus'));
  }
  const [coordinator, ...others] = servers.map((server) => databaseAt(server, name));
  await on(coordinator, async (client) => {
    const { hostname, port } = new URL(coordinator);
    await client.query('SELECT citus_set_coordinator_host($1, $2)', [
      hostname,
      Number(port || 5432),
    ]);
    for (const other of others) {
      const node = new URL(other);
      await client.query('SELECT citus_add_node($1, $2)', [
        node.hostname,
        Number(node.port || 5432),
      ]);
    }
    await client.query(`ALTER DATABASE ${name} SET citus.shard_count = ${SHARDS}`);
  });
  await runMigrations({ url: coordinator });
  await distributeOverCitus({ url: coordinator });
  for (const server of servers) {
    await freeze(server, name);
  }
}

/** PostgreSQL copies a database only while it has no session. The maintenance of Citus has one. */
async function freeze(server, name) {
  await on(server, async (client) => {
    await client.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
    await client.query(SESSIONS, [name]);
  });
}
