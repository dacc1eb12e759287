// Measures the processor time of a call by layer: idle polls, an uncached get of 30 items, an add, an archive. The service and
// its sessions are measured without a profile. The main thread's share is divided by the samples of a profile of the
// same calls. Also draws flame graphs. Linux only.
//   npm run bench -- layers [--server URL --seconds 5 --folder docs/research/performance --json FILE]
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import autocannon from 'autocannon';
import pg from 'pg';

import { admitted } from './admission.mjs';
import { JSON_OPTION, keepFigures } from './figures.mjs';
import { listDatabase, SHORT_LISTS } from './list-data.mjs';
import { between, mainThread, processorOf } from './processor.mjs';
import { flameGraph } from './profile/flame.mjs';
import { timeOfLayers } from './profile/layers.mjs';
import { ended, startedService } from './service.mjs';
import { SHAPES } from './shapes.mjs';
import { unreadItems } from './writes.mjs';

const { values: given } = parseArgs({
  options: {
    server: { type: 'string', default: 'postgres://postgres@127.0.0.1:5432/postgres' },
    seconds: { type: 'string', default: '5' },
    connections: { type: 'string', default: '16' },
    folder: { type: 'string', default: 'docs/research/performance' },
    ...JSON_OPTION,
  },
});
/** Name in SHAPES and file name of the picture. */
const CALLS = [
  { key: 'poll', name: 'idle poll', shape: 'idle delta', file: 'idle-poll' },
  {
    ...{ key: 'pollAlone', name: 'idle poll, one connection', shape: 'idle delta, one connection' },
    file: 'idle-poll-one-connection',
  },
  { key: 'get', name: 'get, 30 items', shape: 'get simple', file: 'get' },
  { key: 'add', name: 'add', shape: 'add', file: 'add' },
  { key: 'archive', name: 'archive', shape: 'archive', file: 'archive' },
];
/** A fixed name, so that each run replaces the copy of an aborted run. */
const COPY = 'satchel_bench_layers';
/** Folder of the profiles, for Chrome's developer tools. */
const PROFILES = 'bench-profile';
const SLACK_MS = 1500;

async function administrate(...statements) {
  const client = new pg.Client({ connectionString: given.server });
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}

async function driven({ address }, { requests, connections }) {
  const {
    requests: made,
    non2xx,
    errors,
  } = await autocannon({
    ...{ url: address, requests },
    ...{ connections, duration: Number(given.seconds) },
  });
  if (non2xx + errors > 0) throw new Error(`${non2xx} refusals, ${errors} errors`);
  return made.total;
}

/** Returns microseconds per request, without a profile. */
async function measured(service, calls) {
  const before = { all: await service.clock.read(), main: mainThread(service.child.pid) };
  const number = await driven(service, calls);
  const after = { all: await service.clock.read(), main: mainThread(service.child.pid) };
  const main = after.main - before.main;
  const server = after.all.server - before.all.server;
  return {
    main: main / number,
    threads: (server - main) / number,
    database: (between(before.all, after.all) - server) / number,
  };
}

async function profiled(service, calls, number) {
  const signalled = async () => {
    service.child.kill('SIGUSR2');
    await new Promise((resolve) => setTimeout(resolve, SLACK_MS));
  };
  await signalled();
  await driven(service, calls);
  await signalled();
  return JSON.parse(readFileSync(join(PROFILES, `${number}.cpuprofile`), 'utf8'));
}

async function layersOf(service, calls, at) {
  await driven(service, calls);
  const used = await measured(service, calls);
  const profile = await profiled(service, calls, at + 1);
  const layers = timeOfLayers(profile);
  const busy = [...layers.values()].reduce((sum, us) => sum + us, 0);
  const shares = [...layers].map(([layer, us]) => [layer, (us / busy) * used.main]);
  const others = [
    ['other threads of the process', used.threads],
    ['sessions of the database', used.database],
  ];
  return { profile, layers: new Map([...shares, ...others]) };
}

/** Returns the layers in descending order of time, and their sum. */
function rowsOf(columns) {
  const layers = [...new Set(columns.flatMap((column) => [...column.keys()]))];
  const sum = (numbers) => numbers.reduce((all, one) => all + one, 0);
  const rows = layers
    .map((layer) => ({ layer, us: columns.map((column) => column.get(layer) ?? 0) }))
    .sort((one, other) => sum(other.us) - sum(one.us));
  return [...rows, { layer: 'all', us: columns.map((column) => sum([...column.values()])) }];
}

const table = (rows) =>
  [
    ['µs of processor time', ...CALLS.map(({ name }) => name)],
    ['---', ...CALLS.map(() => '---:')],
    ...rows.map(({ layer, us }) => [layer, ...us.map((one) => one.toFixed(0))]),
  ]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');

for (const folder of [PROFILES, given.folder]) mkdirSync(folder, { recursive: true });
const source = await listDatabase(given.server, 'satchel_bench_short', SHORT_LISTS);
await administrate(
  `DROP DATABASE IF EXISTS ${COPY} WITH (FORCE)`,
  `CREATE DATABASE ${COPY} TEMPLATE ${new URL(source).pathname.slice(1)}`,
);
const url = Object.assign(new URL(given.server), { pathname: `/${COPY}` }).href;
const directory = mkdtempSync(join(tmpdir(), 'satchel-layers-'));
const service = await startedService(url, directory, {
  options: ['--import', './bench/profile/on-signal.mjs'],
  variables: { PROFILE_DIR: PROFILES, RESOLVER_CONCURRENCY: '0' },
});
try {
  Object.assign(service, {
    clock: await processorOf(url, { pid: service.child.pid, sessions: 'satchel' }),
  });
  const admission = { ...(await admitted(url)), unread: await unreadItems(url) };
  const columns = [];
  for (const [at, { name, shape, file }] of CALLS.entries()) {
    const { service: requests, connections = Number(given.connections) } = SHAPES.find(
      (one) => one.name === shape,
    ).against(admission);
    const { profile, layers } = await layersOf(service, { requests, connections }, at);
    writeFileSync(join(given.folder, `flame-${file}.svg`), flameGraph(profile, name));
    columns.push(layers);
  }
  const rows = rowsOf(columns);
  console.log(
    `${given.connections} connections, load ${loadavg()[0].toFixed(1)}\n\n${table(rows)}`,
  );
  keepFigures(given.json, {
    rows: rows.map(({ layer, us }) => ({
      layer,
      ...Object.fromEntries(CALLS.map(({ key }, at) => [key, us[at]])),
    })),
  });
} finally {
  await service.clock?.end();
  await ended(service.child);
  rmSync(directory, { recursive: true });
  await administrate(`DROP DATABASE IF EXISTS ${COPY} WITH (FORCE)`);
}
