// Starts one PostgreSQL server for the whole run, or uses TEST_DATABASE_URL. Migrates a template database, which every
// test file clones. It uses the compiled service, since it runs outside Jest's module system.
import 'reflect-metadata';

import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import pg from 'pg';

export default async function globalSetup() {
  execFileSync(process.execPath, ['scripts/build-if-stale.mjs'], { stdio: 'inherit' });
  const { runMigrations } = await import('../../dist/src/platform/database/migrator.js');
  const url = await testServer();
  const template = `satchel_template_${randomBytes(6).toString('hex')}`;
  process.env.TEST_SERVER_URL = url;
  process.env.TEST_TEMPLATE = template;
  if (process.env.TEST_ON_CITUS) {
    const { citusServers, prepareCitusTemplate } = await import('./citus-servers.mjs');
    const servers = await citusServers(url);
    process.env.TEST_CITUS_SERVERS = servers.slice(1).join(' ');
    process.env.TEST_COPYING = 'STRATEGY FILE_COPY';
    await prepareCitusTemplate(servers, template);
    return;
  }
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`CREATE DATABASE ${template}`);
  const { rows } = await client.query(
    `SELECT current_setting('server_version_num')::int AS version`,
  );
  // Copying the template's files takes a quarter of the processor time of logging them. Servers before version 15
  // always copy files.
  process.env.TEST_COPYING = rows[0].version >= 150_000 ? 'STRATEGY FILE_COPY' : '';
  await client.end();
  const templateUrl = Object.assign(new URL(url), { pathname: `/${template}` }).href;
  await runMigrations({ url: templateUrl });
  const partitions = Number(process.env.TEST_PARTITIONS ?? 0);
  if (partitions > 0) {
    const { partitionPersonalTables } = await import('./partitions.mjs');
    await partitionPersonalTables(templateUrl, partitions);
  }
}

async function testServer() {
  if (process.env.TEST_ON_CITUS) {
    return process.env.TEST_CITUS_URL;
  }
  if (process.env.TEST_DATABASE_URL) {
    return process.env.TEST_DATABASE_URL;
  }
  const { startEmbeddedPostgres } =
    await import('../../dist/src/lib/embedded-postgres/embedded-postgres.js');
  const directory = mkdtempSync(join(parentOfServer(), 'satchel-test-'));
  // Each Jest worker has several applications at a time, and each application has a pool.
  const settings = { max_connections: '400', max_wal_size: '256MB' };
  const server = await startEmbeddedPostgres({ directory, volatile: true, settings });
  globalThis.satchelTestServer = { directory, server };
  const { host, port, username, database } = server.connection;
  return `postgres://${username}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`;
}

const MEMORY = '/dev/shm';
const NEEDED_BYTES = 2 ** 31;

/**
 * Uses the memory file system if it has enough space: a run creates hundreds of databases with hundreds of files each.
 */
function parentOfServer() {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize >= NEEDED_BYTES ? MEMORY : tmpdir();
  } catch {
    return tmpdir();
  }
}
