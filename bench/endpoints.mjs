// Compares the built service with two floors in turn, on a copy of the benchmark database: the bare floor
// (bench/floor/bare.mjs) and the fair one (bench/floor/fair.mjs). Also measures the time of a send. Compare ratios rather
// than figures, because all share the machine with the load generator.
//   npm run bench -- endpoints [--server URL --seconds 3 --rounds 3 --only get,add --lists sizes --json FILE]
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import pg from 'pg';

import { admitted, SECRET } from './admission.mjs';
import { JSON_OPTION, keepFigures } from './figures.mjs';
import { compared, emptied, printHead } from './in-turn.mjs';
import { listDatabase } from './list-data.mjs';
import { processorOf } from './processor.mjs';
import { timeSends } from './sends.mjs';
import { startedService } from './service.mjs';
import { SHAPES, statementsOf } from './shapes.mjs';
import { sizesDatabase } from './size-data.mjs';
import { unreadItems } from './writes.mjs';

const { values: given } = parseArgs({
  options: {
    server: { type: 'string', default: 'postgres://postgres@127.0.0.1:5432/postgres' },
    seconds: { type: 'string', default: '3' },
    rounds: { type: 'string', default: '3' },
    connections: { type: 'string', default: '16' },
    only: { type: 'string', default: '' },
    lists: { type: 'string', default: 'many' },
    profile: { type: 'boolean', default: false },
    ...JSON_OPTION,
  },
});
/** A fixed name, so that each run replaces the copy of an aborted run. */
const COPY = 'satchel_bench_http';
/** The queue of items whose words the fair floor has not stored yet. */
const FLOOR_QUEUE = 'floor_due_texts';

async function administrate(...statements) {
  const client = new pg.Client({ connectionString: given.server });
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}

/** Ids of added items, below those of the service. */
const FIRST_ID = { bare: 2 ** 51, fair: 2 ** 51 + 2 ** 50 };

async function startFloor(name, url, statements) {
  const floor = spawn(process.execPath, [`bench/floor/${name}.mjs`], {
    env: {
      ...process.env,
      NAME: name,
      DATABASE_URL: url,
      SECRET,
      QUEUE: FLOOR_QUEUE,
      FIRST_ID: String(FIRST_ID[name]),
      STATEMENTS: JSON.stringify(statements),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const port = await new Promise((resolve) =>
    floor.stdout.once('data', (output) => resolve(String(output).trim())),
  );
  const processor = await processorOf(url, { pid: floor.pid, sessions: name });
  return { process: floor, url: `http://127.0.0.1:${port}`, processor };
}

async function startService(url, directory, variables) {
  const options = given.profile ? ['--cpu-prof', '--cpu-prof-dir=bench-profile'] : [];
  const { child, address } = await startedService(url, directory, {
    options,
    variables: { RESOLVER_CONCURRENCY: '0', ...variables },
  });
  const processor = await processorOf(url, { pid: child.pid, sessions: 'satchel' });
  return { process: child, url: address, processor };
}

async function stopped({ process: child }) {
  const end = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await end;
}

const rows = [];
const isWanted = ({ name }) => given.only.split(',').some((part) => name.includes(part));
const source =
  given.lists === 'sizes' ? await sizesDatabase(given.server) : await listDatabase(given.server);
await administrate(
  `DROP DATABASE IF EXISTS ${COPY} WITH (FORCE)`,
  `CREATE DATABASE ${COPY} TEMPLATE ${new URL(source).pathname.slice(1)}`,
);
const url = Object.assign(new URL(given.server), { pathname: `/${COPY}` }).href;
const directory = mkdtempSync(join(tmpdir(), 'satchel-bench-'));
const running = [];
try {
  // Without a cache, every answer is computed. Only the second service, for repeated calls, has a cache.
  const service = await startService(url, directory, { ANSWER_CACHE_MB: '0' });
  running.push(service);
  const admission = { ...(await admitted(url)), unread: await unreadItems(url) };
  const statements = await statementsOf(url);
  const servers = { service };
  for (const name of ['bare', 'fair']) {
    servers[name] = await startFloor(name, url, statements);
    running.push(servers[name]);
  }
  servers.service.drained = emptied(url, 'due_texts');
  servers.fair.drained = emptied(url, FLOOR_QUEUE);
  const { seconds, rounds, connections } = given;
  console.log(
    `${cpus().length} cores, ${connections} connections, ${rounds} rounds of ${seconds} s`,
  );
  printHead();
  const terms = {
    seconds: Number(seconds),
    rounds: Number(rounds),
    connections: Number(connections),
  };
  const wanted = SHAPES.filter(isWanted);
  for (const shape of wanted.filter(({ isAgain }) => !isAgain)) {
    rows.push(...(await compared(shape.against(admission), servers, terms)));
  }
  const again = wanted.filter(({ isAgain }) => isAgain);
  if (again.length > 0) {
    const remembering = await startService(url, directory, { ANSWER_CACHE_MB: undefined });
    running.push(remembering);
    for (const shape of again) {
      const sides = { ...servers, service: remembering };
      rows.push(...(await compared(shape.against(admission), sides, terms)));
    }
  }
  const ratios = rows.flatMap(({ name, usedRatio, fairRatio }) => [
    [`${name}: processor time of the floor`, usedRatio],
    [`${name}: processor time of the fair floor`, fairRatio],
  ]);
  keepFigures(given.json, { ratios: Object.fromEntries(ratios), ...terms, rows });
  if (given.only === '' && given.lists === 'many') {
    await timeSends(service.url, await admission.ofSends());
  }
} finally {
  for (const one of running) {
    await one.processor.end();
    await stopped(one);
  }
  rmSync(directory, { recursive: true });
  await administrate(`DROP DATABASE IF EXISTS ${COPY} WITH (FORCE)`);
}
