// Compares requests per second of the built service and of the floor (bench/floor.mjs), in turn, on a copy of the
// benchmark database. Also measures the time of a send. Compare ratios rather than figures, because both share the
// machine with the load generator.
//   npm run bench -- endpoints [--server URL --seconds 3 --rounds 3 --only get,add --lists sizes --json FILE]
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import autocannon from 'autocannon';
import pg from 'pg';

import { admitted, SECRET, TTL } from './admission.mjs';
import { JSON_OPTION, keepFigures } from './figures.mjs';
import { freePort } from './free-port.mjs';
import { listDatabase } from './list-data.mjs';
import { between, processorOf } from './processor.mjs';
import { median, timeSends, timeWideSends } from './sends.mjs';
import { SHAPES, statementsOf } from './shapes.mjs';
import { sizesDatabase } from './size-data.mjs';

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

async function administrate(...statements) {
  const client = new pg.Client({ connectionString: given.server });
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}

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

async function startService(url, directory, variables) {
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
      RESOLVER_CONCURRENCY: '0',
      // Calls are counted, but the limit is out of reach.
      CALL_LIMIT_PER_USER: '100000000',
      CALL_LIMIT_PER_KEY: '100000000',
      ...variables,
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

/** Sends one request first, so that an error is shown before thousands of requests fail. */
async function proved(url, [{ path, method, headers, body, setupRequest }]) {
  const request = { path, method, headers, body };
  const ready = setupRequest === undefined ? request : setupRequest(request);
  const response = await fetch(`${url}${ready.path}`, ready);
  if (response.status !== 200) throw new Error(`${ready.path}: ${await response.text()}`);
  await response.text();
}

/** Returns requests per second. Any status except 2xx means that the benchmark is wrong. */
async function measured(server, requests) {
  const before = await server.processor.read();
  const result = await autocannon({
    url: server.url,
    connections: Number(given.connections),
    duration: Number(given.seconds),
    requests,
  });
  if (result.non2xx + result.errors > 0)
    throw new Error(`${result.non2xx} refusals, ${result.errors} errors at ${server.url}`);
  const used = between(before, await server.processor.read());
  const { p50, p97_5: p975 } = result.latency;
  return { rate: result.requests.average, used: used / result.requests.total, p50, p975 };
}

async function compared({ name, goal, ...requests }, servers) {
  const runs = [];
  for (const side of ['floor', 'service']) await proved(servers[side].url, requests[side]);
  // The first round warms up both servers and is discarded.
  for (let round = 0; round <= Number(given.rounds); round += 1) {
    const floor = await measured(servers.floor, requests.floor);
    runs.push({ floor, service: await measured(servers.service, requests.service) });
  }
  runs.shift();
  const medianOf = (of) => median(runs.map(of));
  const middle = (of) => medianOf(of).toFixed(0).padStart(8);
  rows.push({
    name,
    goal,
    rate: medianOf(({ service }) => service.rate),
    floorRate: medianOf(({ floor }) => floor.rate),
    used: medianOf(({ service }) => service.used),
    floorUsed: medianOf(({ floor }) => floor.used),
    rateRatio: medianOf(({ service, floor }) => service.rate / floor.rate),
    usedRatio: medianOf(({ service, floor }) => floor.used / service.used),
    p50: medianOf(({ service }) => service.p50),
    p975: medianOf(({ service }) => service.p975),
  });
  console.log(
    name.padEnd(30),
    middle(({ service }) => service.rate),
    middle(({ floor }) => floor.rate),
    `${middle(({ service, floor }) => (100 * service.rate) / floor.rate)} %`,
    middle(({ service }) => service.used),
    middle(({ floor }) => floor.used),
    `${middle(({ service, floor }) => (100 * floor.used) / service.used)} %`,
    goal.padStart(6),
    middle(({ service }) => service.p50),
    middle(({ floor }) => floor.p50),
    middle(({ service }) => service.p975),
    middle(({ floor }) => floor.p975),
  );
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
  const remembering = await startService(url, directory, {});
  running.push(remembering);
  const admission = await admitted(url);
  const floor = await startFloor(url, await statementsOf(url));
  running.push(floor);
  console.log(
    `${cpus().length} cores, ${given.connections} connections, ${given.rounds} rounds of ${given.seconds} s`,
  );
  const pair = ' service    floor';
  console.log(
    `${''.padEnd(31)}        requests a second       processor, µs a request         median, ms       p97.5, ms`,
  );
  console.log(`${''.padEnd(31)}${pair}      ratio ${pair}      ratio   goal ${pair} ${pair}`);
  for (const one of [service, remembering]) {
    one.processor = await processorOf(url, { pid: one.process.pid, sessions: 'satchel' });
  }
  floor.processor = await processorOf(url, { pid: floor.process.pid, sessions: 'floor' });
  for (const shape of SHAPES.filter(isWanted)) {
    const asked = shape.isAgain ? remembering : service;
    await compared(shape.against(admission), { service: asked, floor });
  }
  const ratios = rows.map(({ name, usedRatio }) => [
    `${name}: processor time of the floor`,
    usedRatio,
  ]);
  const { seconds, rounds, connections } = given;
  keepFigures(given.json, {
    ratios: Object.fromEntries(ratios),
    seconds,
    rounds,
    connections,
    rows,
  });
  if (given.only === '' && given.lists === 'many') {
    await timeSends(service.url, await admission.ofSends());
    await timeWideSends(service.url, admission.of('1'));
  }
} finally {
  for (const one of running) {
    await one.processor?.end();
    await stopped(one);
  }
  rmSync(directory, { recursive: true });
  await administrate(`DROP DATABASE IF EXISTS ${COPY} WITH (FORCE)`);
}
