// Measures an import of Pocket's export through /v3/import: rows per second, memory of the service, and the delay of
// /v3/get for another user. Compares with the minimum work of parsing and inserting, in the same run.
//   npm run bench -- import [--server URL --rows 10000,100000 --full 200000 --json FILE]
import 'reflect-metadata';

import { mkdtempSync, openAsBlob, readFileSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import pg from 'pg';

import { runMigrations } from '../dist/src/platform/database/migrator.js';
import { admitted } from './admission.mjs';
import { JSON_OPTION, keepFigures } from './figures.mjs';
import { importBarely } from './import/bare-import.mjs';
import { writePocketZip } from './import/pocket-zip.mjs';
import { startService } from './resolve/running-service.mjs';

const { values: given } = parseArgs({
  options: {
    server: { type: 'string', default: 'postgres://postgres@127.0.0.1:5432/postgres' },
    rows: { type: 'string', default: '10000,100000' },
    full: { type: 'string', default: '200000' },
    ...JSON_OPTION,
  },
});
const NAME = 'satchel_bench_import';
const [READER, FILLED] = ['1', '2'];
const READER_ROWS = 5000;
const QUIET_MS = 5000;

const percentile = (times, part) =>
  [...times].sort((a, b) => a - b)[Math.floor(times.length * part)];
const said = (what, figure) => console.log(what.padEnd(64), String(figure).padStart(14));

async function administrate(...statements) {
  const client = new pg.Client({ connectionString: given.server });
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}

const database = Object.assign(new URL(given.server), { pathname: `/${NAME}` }).href;
const directory = mkdtempSync(join(tmpdir(), 'satchel-bench-'));
await administrate(`DROP DATABASE IF EXISTS ${NAME} WITH (FORCE)`, `CREATE DATABASE ${NAME}`);
await runMigrations({ url: database });
const client = new pg.Client({ connectionString: database });
await client.connect();
await client.query(
  `INSERT INTO users (name, email, password_hash) SELECT 'Person', n || '@example.com', '' FROM generate_series(1, 20) n`,
);
const admission = await admitted(database);
const service = await startService({ database, directory, concurrency: 0 });

const megabytes = () =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${service.pid}/status`, 'utf8'))[1]) / 1024;

/** Imports a file with `rows` rows and measures memory meanwhile. */
async function imported(user, rows, who = user) {
  const path = join(directory, `${who}.zip`);
  await writePocketZip(path, { who, rows });
  const { consumer_key, access_token } = admission.of(user);
  const form = new FormData();
  form.append('consumer_key', consumer_key);
  form.append('access_token', access_token);
  form.append('file', await openAsBlob(path), 'pocket.zip');
  const started = performance.now();
  const sent = await fetch(`${service.url}/v3/import`, { method: 'POST', body: form });
  let { import: job } = await sent.json();
  let peak = megabytes();
  while (job.finished_at === null) {
    await pause(100);
    peak = Math.max(peak, megabytes());
    const query = new URLSearchParams({ consumer_key, access_token });
    ({ import: job } = await (await fetch(`${service.url}/v3/import/${job.id}?${query}`)).json());
  }
  const seconds = (performance.now() - started) / 1000;
  rmSync(path);
  if (job.added !== rows) throw new Error(`not all rows arrived: ${JSON.stringify(job)}`);
  return { rate: rows / seconds, peak };
}

/** Returns the durations of another user's /v3/get calls until the work is done. */
async function timesOfReader(work) {
  const times = [];
  let isDone = false;
  const done = work.finally(() => (isDone = true));
  while (!isDone) {
    const started = performance.now();
    await service.post('/v3/get', { ...admission.of(READER), count: 30, detailType: 'complete' });
    times.push(performance.now() - started);
    await pause(20);
  }
  return { result: await done, p95: percentile(times, 0.95), median: percentile(times, 0.5) };
}

try {
  console.log(`${cpus().length} cores, ${process.version}`);
  await imported(READER, READER_ROWS);
  await timesOfReader(pause(QUIET_MS));
  const quiet = await timesOfReader(pause(QUIET_MS));
  const idle = megabytes();
  const floor = await importBarely(database, 50_000);
  said('the least: rows a second', floor.toFixed(0));
  said('the service at rest', `${idle.toFixed(0)} MB`);
  said(
    'get of another user, at rest: median, p95',
    `${quiet.median.toFixed(1)}, ${quiet.p95.toFixed(1)} ms`,
  );
  const rowsOf = [];
  const ratios = {};
  let user = 3;
  let last = 0;
  for (const rows of given.rows.split(',').map(Number)) {
    const { result, p95, median } = await timesOfReader(imported(String(user), rows));
    user += 1;
    last = result.rate;
    rowsOf.push({
      rows,
      rate: result.rate,
      floor,
      memory: result.peak - idle,
      p95,
      quiet: quiet.p95,
    });
    ratios[`${rows} rows beside the least`] = result.rate / floor;
    said(`${rows} rows into an empty list: rows a second`, result.rate.toFixed(0));
    said('  of the least', `${((100 * result.rate) / floor).toFixed(0)} %`);
    said('  memory above rest, at most', `${(result.peak - idle).toFixed(0)} MB`);
    said('  get of another user: median, p95', `${median.toFixed(1)}, ${p95.toFixed(1)} ms`);
    said('  p95 beside that at rest', `${(p95 / quiet.p95).toFixed(2)} x`);
  }
  if (Number(given.full) > 0) {
    await imported(FILLED, Number(given.full));
    const { rate } = await imported(FILLED, 50_000, 'more');
    said(`50000 rows into a list of ${given.full}: rows a second`, rate.toFixed(0));
    said('  beside the last into an empty list', `${((100 * rate) / last).toFixed(0)} %`);
    ratios[`list of ${given.full} beside an empty one`] = rate / last;
  }
  keepFigures(given.json, { ratios, idle, rows: rowsOf });
} finally {
  await service.stop();
  await client.end();
  rmSync(directory, { recursive: true });
  await administrate(`DROP DATABASE IF EXISTS ${NAME} WITH (FORCE)`);
}
