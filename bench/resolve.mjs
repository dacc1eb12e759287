// Measures pages per second through queue, fetch, extraction and delivery, and the time of add while the queue is full
// of imported pages. Compares both with their minimum work in the same run. Compare ratios rather than figures.
//   npm run bench -- resolve [--server URL --seconds 15 --queued 50000 --workers 2 --json FILE]
import 'reflect-metadata';

import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import pg from 'pg';

import { runMigrations } from '../dist/src/platform/database/migrator.js';
import { admitted } from './admission.mjs';
import { JSON_OPTION, keepFigures } from './figures.mjs';
import { readBarely } from './resolve/floor.mjs';
import { startService } from './resolve/running-service.mjs';

const { values: given } = parseArgs({
  options: {
    server: { type: 'string', default: 'postgres://postgres@127.0.0.1:5432/postgres' },
    seconds: { type: 'string', default: '15' },
    queued: { type: 'string', default: '50000' },
    workers: { type: 'string', default: '2' },
    ...JSON_OPTION,
  },
});
const seconds = Number(given.seconds);
const workers = Number(given.workers);
const HOSTS = 50;
const NAME = 'satchel_bench_resolve';
const READER = '2';

const percentile = (times, part) =>
  [...times].sort((a, b) => a - b)[Math.floor(times.length * part)];
const ms = (number) => `${number.toFixed(1)} ms`;
const said = (what, figure) => console.log(what.padEnd(64), String(figure).padStart(12));

async function administrate(...statements) {
  const client = new pg.Client({ connectionString: given.server });
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}

function startPages() {
  const child = spawn(process.execPath, ['bench/resolve/page-server.mjs', String(HOSTS)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return new Promise((resolve) =>
    child.stdout.once('data', (text) => resolve({ child, ...JSON.parse(text) })),
  );
}

const database = Object.assign(new URL(given.server), { pathname: `/${NAME}` }).href;
const directory = mkdtempSync(join(tmpdir(), 'satchel-bench-'));
await administrate(`DROP DATABASE IF EXISTS ${NAME} WITH (FORCE)`, `CREATE DATABASE ${NAME}`);
await runMigrations({ url: database });
const client = new pg.Client({ connectionString: database });
await client.connect();
const one = async (text, values) => (await client.query(text, values)).rows[0];
await client.query(
  `INSERT INTO users (name, email, password_hash) VALUES ('Importer', 'a@example.com', ''), ('Reader', 'b@example.com', '')`,
);
const admission = await admitted(database);
const pages = await startPages();
let places = 0;
/** Returns new URLs. */
const urls = (count) =>
  Array.from({ length: count }, () => {
    places += 1;
    return `http://${pages.hosts[places % HOSTS]}:${pages.port}/${places}`;
  });

/**
 * Creates a list of imported pages that are all queued. Its search index starts empty, since building one takes
 * seconds, once.
 */
async function fill() {
  const all = urls(Number(given.queued));
  await client.query(
    'INSERT INTO lists (user_id, item_count, numbers, has_search_index) VALUES (1, $1, $1, true)',
    [all.length],
  );
  await client.query('UPDATE lists SET facet_counts[1] = item_count');
  const given_urls = 'unnest($1::text[]) WITH ORDINALITY AS row (url, place)';
  await client.query(
    `INSERT INTO items (user_id, item_id, stamp, time_added, time_updated, given_url, title_key, url_key, search_text, number)
     SELECT 1, place, 1, 1, 1, url, url, url, url, place FROM ${given_urls}`,
    [all],
  );
  await client.query(
    `INSERT INTO page_requests (user_id, item_id, page_key, url, host, priority, turn)
     SELECT 1, place, sha256(url::bytea), url, substring(url FROM '//([^:]+)'), 1, least(place, 1000)
     FROM ${given_urls}`,
    [all],
  );
}

/** Returns the time of each sequential add, and the number of adds whose answer included the page. */
async function timeAdds(service) {
  const times = [];
  let read = 0;
  const end = performance.now() + seconds * 1000;
  while (performance.now() < end) {
    const [url] = urls(1);
    const start = performance.now();
    const { item } = await service.post('/v3/add', { ...admission.of(READER), url });
    times.push(performance.now() - start);
    read += item.resolved_id === '0' ? 0 : 1;
    await pause(50);
  }
  return { times, read };
}

const delivered = async () =>
  (await one(`SELECT count(*)::int AS items FROM items WHERE resolved_id <> 0`)).items;

async function deliveredPerSecond() {
  const before = { items: await delivered(), at: performance.now() };
  await pause(seconds * 1000);
  const items = await delivered();
  return ((items - before.items) * 1000) / (performance.now() - before.at);
}

const facts = { database, directory, pages };
let service;
try {
  console.log(
    `${cpus().length} cores, ${workers} workers, ${given.queued} pages queued, ${seconds} s each`,
  );
  const floor = await readBarely(urls(100_000), { atOnce: workers, seconds });
  service = await startService({ ...facts, concurrency: 0 });
  await fill();
  const saving = await timeAdds(service);
  await service.stop();
  service = await startService({ ...facts, concurrency: workers });
  // Time for threads to start and code to compile, which is not measured.
  await pause(6000);
  const rate = await deliveredPerSecond();
  const adding = await timeAdds(service);
  said('pages a second, bare fetch and extraction', floor.rate.toFixed(1));
  said('pages a second, brought to their items', rate.toFixed(1));
  said('ratio', `${((100 * rate) / floor.rate).toFixed(0)} %`);
  said('a page, bare fetch and extraction, p95', ms(percentile(floor.times, 0.95)));
  said(
    'add without reading (RESOLVER_CONCURRENCY=0), queue full, p95',
    ms(percentile(saving.times, 0.95)),
  );
  said('add, its page read, queue full and at work, median', ms(percentile(adding.times, 0.5)));
  said('add, its page read, queue full and at work, p95', ms(percentile(adding.times, 0.95)));
  said(
    'of these answered with their page',
    `${((100 * adding.read) / adding.times.length).toFixed(0)} %`,
  );
  const least = percentile(floor.times, 0.95) + percentile(saving.times, 0.95);
  said(
    'ratio of its p95 to those of its two parts',
    (percentile(adding.times, 0.95) / least).toFixed(2),
  );
  const ratios = {
    'pages a second beside bare fetch and extraction': rate / floor.rate,
    'p95 of add beside its two parts': percentile(adding.times, 0.95) / least,
  };
  keepFigures(given.json, { ratios, rate, floor: floor.rate, workers });
} finally {
  await service?.stop();
  pages.child.kill();
  await client.end();
  rmSync(directory, { recursive: true });
  await administrate(`DROP DATABASE IF EXISTS ${NAME} WITH (FORCE)`);
}
