// Compares adds of users with and without a subscriber to the events of their lists, in turn, in one service. The
// figures are microseconds of processor time (service and database sessions) and milliseconds of an add. The control
// compares two groups of users without a subscriber, so it shows the noise of the machine. The subscriber of the benchmark
// has no handler, so the events are written but not delivered.
//   npm run bench -- events [--server URL --adds 2000 --rounds 9 --json FILE]
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import autocannon from 'autocannon';
import pg from 'pg';

import { admitted } from './admission.mjs';
import { JSON_OPTION, keepFigures } from './figures.mjs';
import { between, processorOf } from './processor.mjs';
import { median } from './sends.mjs';
import { ended, startedService } from './service.mjs';

const { values: given } = parseArgs({
  options: {
    server: { type: 'string', default: 'postgres://postgres@127.0.0.1:5432/postgres' },
    adds: { type: 'string', default: '2000' },
    rounds: { type: 'string', default: '9' },
    ...JSON_OPTION,
  },
});
const DATABASE = 'satchel_bench_events';
const CONNECTIONS = 4;
/** Each connection has its own user, because the changes of one list wait for each other. */
const WITHOUT = [1, 2, 3, 4].map(String);
const WITH = [5, 6, 7, 8].map(String);
/** Users of their own, so that the lists of all groups are equally long. */
const CONTROL = [9, 10, 11, 12].map(String);
const USERS = `
  INSERT INTO users (id, name, email, password_hash)
  OVERRIDING SYSTEM VALUE SELECT id, 'Ada', 'ada' || id || '@example.com', '' FROM generate_series(1, 12) AS id`;
const LISTS = `INSERT INTO lists (user_id, stored_bytes, has_subscribers) SELECT id, 0, id BETWEEN 5 AND 8 FROM users`;
const SUBSCRIPTIONS = `INSERT INTO event_subscriptions (user_id, subscriber, position) SELECT id, 'bench', 0 FROM users WHERE id BETWEEN 5 AND 8`;

async function run(url, ...statements) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}

let added = 0;

/** Adds new items to the lists of these users. Returns the processor time and the elapsed time of one add. */
async function measured(address, processor, credentials) {
  let at = 0;
  const before = await processor.read();
  const result = await autocannon({
    url: address,
    connections: CONNECTIONS,
    amount: Number(given.adds),
    requests: [
      {
        ...{ method: 'POST', path: '/v3/add' },
        headers: { 'content-type': 'application/json' },
        setupRequest: (request) => {
          added += 1;
          at = (at + 1) % credentials.length;
          const url = `https://site${added % 50}.example/${added}`;
          return { ...request, body: JSON.stringify({ ...credentials[at], url }) };
        },
      },
    ],
  });
  if (result.non2xx + result.errors > 0) throw new Error(`${result.non2xx} refusals`);
  const used = between(before, await processor.read()) / result.requests.total;
  return { used, ms: result.latency.average };
}

const url = Object.assign(new URL(given.server), { pathname: `/${DATABASE}` }).href;
const directory = mkdtempSync(join(tmpdir(), 'satchel-bench-'));
const drop = `DROP DATABASE IF EXISTS ${DATABASE} WITH (FORCE)`;
await run(given.server, drop, `CREATE DATABASE ${DATABASE}`);
const service = await startedService(url, directory, {
  variables: { RESOLVER_CONCURRENCY: '0', STORAGE_LIMIT_MB: '0' },
});
try {
  await run(url, USERS, LISTS, SUBSCRIPTIONS);
  const admission = await admitted(url);
  const processor = await processorOf(url, { pid: service.child.pid, sessions: 'satchel' });
  const [without, subscribed, control] = [WITHOUT, WITH, CONTROL].map((users) =>
    users.map(admission.of),
  );
  const rows = [];
  // The first round warms up the service and is discarded.
  for (let round = 0; round <= Number(given.rounds); round += 1) {
    const first = await measured(service.address, processor, without);
    const withOne = await measured(service.address, processor, subscribed);
    const second = await measured(service.address, processor, control);
    rows.push({ first, withOne, second });
  }
  rows.shift();
  await processor.end();
  const ratioOf = (figure) =>
    median(
      rows.map(
        ({ first, withOne, second }) => (2 * withOne[figure]) / (first[figure] + second[figure]),
      ),
    );
  const controlOf = (figure) =>
    median(rows.map(({ first, second }) => second[figure] / first[figure]));
  for (const [figure, unit] of [
    ['used', 'processor, µs'],
    ['ms', 'elapsed, ms'],
  ]) {
    const middle = (side) =>
      median(rows.map((row) => row[side][figure])).toFixed(figure === 'ms' ? 2 : 0);
    console.log(
      `add, ${unit}: without ${middle('first')}, with a subscriber ${middle('withOne')}, ratio ${ratioOf(figure).toFixed(3)}, control ${controlOf(figure).toFixed(3)}`,
    );
  }
  keepFigures(given.json, {
    ratios: { 'add: processor time with a subscriber': ratioOf('used') },
    rows,
  });
} finally {
  await ended(service.child);
  rmSync(directory, { recursive: true });
  await run(given.server, drop);
}
