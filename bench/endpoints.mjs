// Requests a second of the built service beside those of the floor (bench/floor.mjs), in turn, on a copy of the
// benchmark database, and the time of a send. Ratios say more than figures: both share the machine with the load.
//   npm run bench:endpoints [-- --server URL --seconds 3 --rounds 3 --only get]
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import autocannon from 'autocannon';
import pg from 'pg';

import { admitted, SECRET, TTL } from './admission.mjs';
import { listDatabase } from './list-data.mjs';
import { SHAPES, statementsOf } from './shapes.mjs';

const { values: given } = parseArgs({
  options: {
    server: { type: 'string', default: 'postgres://postgres@127.0.0.1:5432/postgres' },
    seconds: { type: 'string', default: '3' },
    rounds: { type: 'string', default: '3' },
    connections: { type: 'string', default: '16' },
    only: { type: 'string', default: '' },
    profile: { type: 'boolean', default: false },
  },
});
const COPY = 'satchel_bench_http';

const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];

async function administrate(...statements) {
  const client = new pg.Client({ connectionString: given.server });
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}

const freePort = () =>
  new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });

function startFloor(url, statements) {
  const floor = spawn(process.execPath, ['bench/floor.mjs'], {
    env: { ...process.env, DATABASE_URL: url, STATEMENTS: JSON.stringify(statements) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return new Promise((resolve) =>
    floor.stdout.once('data', (port) =>
      resolve({ process: floor, url: `http://127.0.0.1:${String(port).trim()}` }),
    ),
  );
}

async function startService(url, directory) {
  const port = await freePort();
  const profile = given.profile ? ['--cpu-prof', '--cpu-prof-dir=bench-profile'] : [];
  const service = spawn(process.execPath, [...profile, 'dist/src/main.js'], {
    env: {
      ...process.env,
      DATABASE_URL: url,
      DATA_DIR: directory,
      JWT_SECRET: SECRET,
      SESSION_SECRET: SECRET,
      PORT: String(port),
      ACCESS_TOKEN_TTL: String(TTL),
      RESOLVE_WAIT_MS: '0',
    },
    stdio: 'ignore',
  });
  const address = `http://127.0.0.1:${port}`;
  for (let wait = 0; wait < 100; wait += 1) {
    if (
      await fetch(`${address}/health`).then(
        () => true,
        () => false,
      )
    )
      break;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return { process: service, url: address };
}

async function stopped({ process: child }) {
  const end = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await end;
}

/** Says why a request is refused, before thousands are. */
async function proved(url, [{ path, method, headers, body, setupRequest }]) {
  const request = { path, method, headers, body };
  const ready = setupRequest === undefined ? request : setupRequest(request);
  const response = await fetch(`${url}${ready.path}`, ready);
  if (response.status !== 200) throw new Error(`${ready.path}: ${await response.text()}`);
  await response.text();
}

/** Requests a second; an answer that is no 2xx is a fault of the benchmark. */
async function rate(url, requests) {
  const {
    requests: made,
    non2xx,
    errors,
  } = await autocannon({
    url,
    connections: Number(given.connections),
    duration: Number(given.seconds),
    requests,
  });
  if (non2xx + errors > 0) throw new Error(`${non2xx} refusals, ${errors} errors at ${url}`);
  return made.average;
}

async function compared({ name, goal, service, floor }, urls) {
  const rates = { service: [], floor: [] };
  await proved(urls.floor, floor);
  await proved(urls.service, service);
  for (let round = 0; round < Number(given.rounds); round += 1) {
    rates.floor.push(await rate(urls.floor, floor));
    rates.service.push(await rate(urls.service, service));
  }
  const ratios = rates.service.map((one, round) => one / rates.floor[round]);
  console.log(
    name.padEnd(34),
    median(rates.service).toFixed(0).padStart(8),
    median(rates.floor).toFixed(0).padStart(8),
    `${(100 * median(ratios)).toFixed(0)} %`.padStart(7),
    goal.padStart(6),
  );
}

const ACTIONS = ['archive', 'favorite', 'tags_add', 'readd', 'unfavorite', 'tags_remove'];

/** Batches over the newest items of a list of 50,000. */
async function timeSends(url, { credentials, itemIds }) {
  console.log('\nsend of actions, 50,000 items      median ms   fastest ms');
  for (const size of [1, 100, 1000]) {
    const times = [];
    for (let repeat = 0; repeat < 9; repeat += 1) {
      const actions = Array.from({ length: size }, (_, at) => ({
        action: ACTIONS[(at + repeat) % ACTIONS.length],
        item_id: itemIds[(at * 7 + repeat) % itemIds.length],
        tags: 'one,two',
      }));
      const begin = performance.now();
      const response = await fetch(`${url}/v3/send`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ ...credentials, actions }),
      });
      const { status } = await response.json();
      if (response.status !== 200 || status !== 1) throw new Error(`send: ${response.status}`);
      times.push(performance.now() - begin);
    }
    console.log(
      String(size).padEnd(34),
      median(times).toFixed(1).padStart(9),
      Math.min(...times)
        .toFixed(1)
        .padStart(12),
    );
  }
}

const source = await listDatabase(given.server);
await administrate(
  `DROP DATABASE IF EXISTS ${COPY} WITH (FORCE)`,
  `CREATE DATABASE ${COPY} TEMPLATE ${new URL(source).pathname.slice(1)}`,
);
const url = Object.assign(new URL(given.server), { pathname: `/${COPY}` }).href;
const directory = mkdtempSync(join(tmpdir(), 'satchel-bench-'));
const running = [];
try {
  const service = await startService(url, directory);
  running.push(service);
  const admission = await admitted(url);
  const floor = await startFloor(url, await statementsOf(url));
  running.push(floor);
  console.log(
    `${cpus().length} cores, ${given.connections} connections, ${given.rounds} rounds of ${given.seconds} s`,
  );
  console.log('requests a second'.padEnd(34), ' service    floor   ratio   goal');
  for (const shape of SHAPES.filter(({ name }) => name.includes(given.only))) {
    await compared(shape.against(admission), { service: service.url, floor: floor.url });
  }
  if (given.only === '') await timeSends(service.url, await admission.ofSends());
} finally {
  for (const one of running) await stopped(one);
  rmSync(directory, { recursive: true });
  await administrate(`DROP DATABASE IF EXISTS ${COPY} WITH (FORCE)`);
}
