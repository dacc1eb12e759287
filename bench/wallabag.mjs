// Measures a full sync of 10,000 articles with the paging of wallabag's apps, and a delta of 10: elapsed time and
// processor time (server and database). Compares with a floor (bench/wallabag-floor.mjs) in the same run. Compare
// ratios rather than figures.
//   npm run bench -- wallabag [--server URL --rounds 1 --json FILE]
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import bcrypt from 'bcrypt';
import pg from 'pg';

import { JSON_OPTION, keepFigures } from './figures.mjs';
import { listDatabase, LISTS } from './list-data.mjs';
import { between, processorOf } from './processor.mjs';
import { ended, startedService } from './service.mjs';

const { values: given } = parseArgs({
  options: {
    server: { type: 'string', default: 'postgres://postgres@127.0.0.1:5432/postgres' },
    rounds: { type: 'string', default: '1' },
    ...JSON_OPTION,
  },
});
const DATABASE = 'satchel_bench_wallabag';
const PASSWORD = 'a long pass phrase';
const COUNT = 10_000;
const DELTA = 10;
const ARTICLES = 500;
const WORDS =
  'of the list reading a page garden that which some later evening were found again'.split(' ');

/** Paging of the apps. iOS stops at the first missing page. */
const SYNCS = [
  { name: 'Android, full', query: 'perPage=30&sort=created&order=asc&detail=full&since=0' },
  { name: 'iOS, full', query: 'perPage=50&order=desc', isToEnd: true },
  { name: 'Frigoligo, metadata', query: 'perPage=300&detail=metadata' },
];

async function connected(url, work) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** A distinct article of 5 KB. */
const articleOf = (at) =>
  Array.from({ length: 16 }, (_, part) => {
    const words = Array.from({ length: 55 }, (__, n) => WORDS[(at * 7 + part * 11 + n * n) % 14]);
    return `<p>Article ${at}, part ${part}: ${words.join(' ')}.</p>`;
  }).join('');

/** Stores articles for the items once, and a password for the user. Returns a `since` with DELTA later changes. */
async function prepared(client) {
  await client.query('UPDATE users SET password_hash = $1 WHERE id = 1', [
    await bcrypt.hash(PASSWORD, 4),
  ]);
  const { compressedText } = await import('../dist/src/lib/util/compressed-text.js');
  const articles = await Promise.all(
    Array.from({ length: ARTICLES }, (_, at) => compressedText(articleOf(at))),
  );
  const { rows: pages } = await client.query('SELECT 1 FROM pages LIMIT 1');
  if (pages.length === 0) {
    await client.query(
      `INSERT INTO pages (page_id, page_key, url, host, content, article, fetched_at, first_fetched_at)
       OVERRIDING SYSTEM VALUE
       SELECT item_id, sha256(item_id::text::bytea), resolved_url, 'example.com',
         '{"facts":{"mimeType":"text/html","responseCode":200}}', ($1::bytea[])[1 + number % ${ARTICLES}], now(), now()
       FROM items`,
      [articles],
    );
    await client.query('VACUUM ANALYZE pages');
  }
  const { rows } = await client.query(
    `SELECT stamp FROM items ORDER BY stamp DESC OFFSET ${DELTA} LIMIT 1`,
  );
  return Number(rows[0].stamp);
}

/** Creates a client by the command line. */
function newClient(url, directory) {
  const text = execFileSync(
    process.execPath,
    ['dist/src/cli.js', 'client', 'create', '--name', 'Benchmark', '--json'],
    { env: { ...process.env, DATABASE_URL: url, DATA_DIR: directory } },
  );
  const { client_id, client_secret } = JSON.parse(text.toString());
  return { client_id, client_secret };
}

async function tokenOf(address, client) {
  const person = { username: '1@example.com', password: PASSWORD };
  const answer = await fetch(`${address}/wallabag/oauth/v2/token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'password', ...client, ...person }),
  });
  return (await answer.json()).access_token;
}

function startFloor(url) {
  const child = spawn(process.execPath, ['bench/wallabag-floor.mjs'], {
    env: { ...process.env, DATABASE_URL: url },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return new Promise((resolve) =>
    child.stdout.once('data', (port) =>
      resolve({ child, address: `http://127.0.0.1:${String(port).trim()}` }),
    ),
  );
}

async function pageOf({ address, headers }, query) {
  const answer = await fetch(`${address}/wallabag/api/entries.json?${query}`, { headers });
  const text = await answer.text();
  return { status: answer.status, bytes: text.length, list: JSON.parse(text) };
}

/** Reads the whole list. Returns the number of calls and bytes. */
async function synced(server, { query, isToEnd = false }) {
  const ids = new Set();
  const sum = { calls: 0, bytes: 0 };
  for (let page = 1, pages = 1; page <= pages || isToEnd; page += 1) {
    const { status, bytes, list } = await pageOf(server, `page=${page}&${query}`);
    sum.calls += 1;
    sum.bytes += bytes;
    if (status !== 200) break;
    ({ pages } = list);
    for (const { id } of list._embedded.items) ids.add(id);
  }
  if (ids.size !== COUNT) throw new Error(`${ids.size} entries, not ${COUNT}`);
  return sum;
}

/** Repeats the delta often enough to measure its time. */
async function deltas(server, since) {
  const rounds = 100;
  let bytes = 0;
  for (let round = 0; round < rounds; round += 1) {
    const query = `page=1&perPage=30&sort=updated&order=asc&since=${since}`;
    const answer = await pageOf(server, query);
    const found = answer.list._embedded.items.length;
    if (found !== DELTA) throw new Error(`${found} changes, not ${DELTA}`);
    ({ bytes } = answer);
  }
  return { calls: rounds, bytes };
}

async function measured(processor, work) {
  const [before, begun] = [await processor.read(), performance.now()];
  const sum = await work();
  const ms = performance.now() - begun;
  return { ...sum, ms, processor: between(before, await processor.read()) / 1000 };
}

const least = (rounds) => ({
  ...rounds[0],
  ms: Math.min(...rounds.map(({ ms }) => ms)),
  processor: Math.min(...rounds.map(({ processor }) => processor)),
});

const rows = [];

function tell(name, [service, floor], unit = 1) {
  rows.push({ name, ms: service.ms / unit, ratio: service.processor / floor.processor });
  const cells = (key) => [service[key] / unit, floor[key] / unit].map((ms) => ms.toFixed(1));
  const ratio = (key) => (service[key] / floor[key]).toFixed(2);
  const size = `${(service.bytes / 1_000_000).toFixed(2)} MB`;
  console.log(
    [name.padEnd(22), String(service.calls).padStart(5), size.padStart(9)].join(' '),
    ...[...cells('ms'), ratio('ms'), ...cells('processor'), ratio('processor')].map((text) =>
      text.padStart(9),
    ),
  );
}

async function run(service, floor, { url, since, client }) {
  const token = await tokenOf(service.address, client);
  service.headers = { authorization: `Bearer ${token}` };
  const servers = [
    [service, await processorOf(url, { pid: service.child.pid, sessions: 'satchel' })],
    [floor, await processorOf(url, { pid: floor.child.pid, sessions: 'floor' })],
  ];
  const both = async (work) => {
    const rounds = [[], []];
    for (let round = 0; round < Number(given.rounds); round += 1) {
      for (const [at, [server, processor]] of servers.entries()) {
        rounds[at].push(await measured(processor, () => work(server)));
      }
    }
    return rounds.map(least);
  };
  for (const [server] of servers) await deltas(server, since);
  console.log('ms: service, floor, ratio by the clock, then of the processors');
  for (const sync of SYNCS) tell(sync.name, await both((server) => synced(server, sync)));
  const delta = await both((server) => deltas(server, since));
  tell(`delta of ${DELTA}, each`, delta, delta[0].calls);
  for (const [, processor] of servers) await processor.end();
  const ratios = rows.map(({ name, ratio }) => [`${name}: processor time beside the floor`, ratio]);
  keepFigures(given.json, { ratios: Object.fromEntries(ratios), rows });
}

LISTS.splice(0, LISTS.length, { users: 1, items: COUNT });
const url = await listDatabase(given.server, DATABASE);
const since = await connected(url, prepared);
const directory = mkdtempSync(join(tmpdir(), 'satchel-bench-'));
const client = newClient(url, directory);
const service = await startedService(url, directory);
const floor = await startFloor(url);
try {
  await run(service, floor, { url, since, client });
} finally {
  await ended(floor.child);
  await ended(service.child);
  rmSync(directory, { recursive: true });
}
