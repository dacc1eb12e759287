// Compares requests per second of one process and of several (SATCHEL_WORKERS), in turn, on its own database. Also
// shows where a request's processor time goes. If web workers are the limit, two of them double the rate, as long as
// there are cores for the rest. Load generator and PostgreSQL share the machine; --share 0.25 limits each web worker to
// a quarter of a core, which leaves room for them. Linux only.
//   npm run bench -- workers [--server URL --seconds 3 --rounds 3 --workers 1,2 --only get --share 0.25 --json FILE]
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import autocannon from 'autocannon';
import pg from 'pg';

import { admitted, SECRET, TTL } from './admission.mjs';
import { JSON_OPTION, keepFigures } from './figures.mjs';
import { freePort } from './free-port.mjs';
import { loggedIn } from './logged-in.mjs';
import { between, processorOf } from './processor.mjs';
import { median } from './sends.mjs';
import { limitToShare } from './share-of-core.mjs';

const { values: given } = parseArgs({
  options: {
    server: { type: 'string', default: 'postgres://postgres@127.0.0.1:5432/postgres' },
    seconds: { type: 'string', default: '3' },
    rounds: { type: 'string', default: '3' },
    connections: { type: 'string', default: '16' },
    workers: { type: 'string', default: '1,2' },
    only: { type: 'string', default: '' },
    share: { type: 'string', default: '' },
    ...JSON_OPTION,
  },
});
const DATABASE = 'satchel_bench_workers';
const PERSON = { name: 'Ada', email: 'ada@example.com', password: 'a long pass phrase' };
const ITEMS = 100;
const WARM_UP = 3;
const CORES = availableParallelism();
const figures = [];

/** 4,000 words in 80 paragraphs. */
const ARTICLE = `<!doctype html><html lang="en"><title>One article</title><article><h1>One article</h1>${Array.from(
  { length: 80 },
  (_, at) => `<p>${`Sentence ${at} of an article says what it has to say. `.repeat(5)}</p>`,
).join('')}</article></html>`;

async function administrate(...statements) {
  const client = new pg.Client({ connectionString: given.server });
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}

const post = (path, members) => ({
  ...{ method: 'POST', path, body: JSON.stringify(members) },
  headers: { 'content-type': 'application/json' },
});

async function asked(address, { path, ...request }) {
  const answer = await fetch(`${address}${path}`, request);
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return answer;
}

async function startService(url, directory, workers) {
  const port = await freePort();
  const child = spawn(process.execPath, ['dist/src/main.js'], {
    env: {
      ...{ ...process.env, DATABASE_URL: url, DATA_DIR: directory, PORT: String(port) },
      ...{ JWT_SECRET: SECRET, SESSION_SECRET: SECRET, ACCESS_TOKEN_TTL: String(TTL) },
      ...{ SATCHEL_WORKERS: String(workers), RESOLVER_CONCURRENCY: '0', ANSWER_CACHE_MB: '0' },
      ...{ CALL_LIMIT_PER_USER: '100000000', CALL_LIMIT_PER_KEY: '100000000' },
      LOG_LEVEL: 'info',
    },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  await new Promise((resolve) => child.stdout.once('data', resolve));
  return { child, workers, address: `http://127.0.0.1:${port}` };
}

const childrenOf = (parent) =>
  execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args='])
    .toString()
    .split('\n')
    .map((line) => line.trim().split(/ +/))
    .filter(([, ppid, , program]) => Number(ppid) === parent && /worker\.process/.test(program))
    .map(([pid]) => Number(pid));

/** Returns a clock for the started process and each of its workers. */
async function clocksOf(url, { child }) {
  const pids = [child.pid, ...childrenOf(child.pid)];
  const clocks = await Promise.all(
    pids.map((pid) => processorOf(url, { pid, sessions: 'no session' })),
  );
  const database = await processorOf(url, { pid: 0, sessions: 'satchel' });
  return {
    read: async () => ({
      service: await Promise.all(clocks.map((clock) => clock.read())),
      database: await database.read(),
      generator: process.cpuUsage(),
    }),
    end: () => Promise.all([...clocks, database].map((clock) => clock.end())),
  };
}

/** Returns the processes that answer requests. The last worker is the background worker. */
function webProcesses({ child }) {
  const workers = childrenOf(child.pid);
  return workers.length === 0 ? [child.pid] : workers.slice(0, -1);
}

/** Returns microseconds. `other` counts the primary and the background worker. */
function used(before, after) {
  const [first, ...workers] = after.service.map((one, at) => between(before.service[at], one));
  // Excludes the background worker, which is last.
  const sum = workers.slice(0, -1).reduce((all, one) => all + one, 0);
  const { user, system } = process.cpuUsage(before.generator);
  return {
    web: workers.length === 0 ? first : sum,
    other: workers.length === 0 ? 0 : first + workers.at(-1),
    database: between(before.database, after.database),
    generator: user + system,
  };
}

async function measured(service, requests, seconds) {
  const before = await service.clocks.read();
  const result = await autocannon({
    ...{ url: service.address, requests, duration: seconds },
    connections: Number(given.connections),
  });
  const after = await service.clocks.read();
  if (result.non2xx + result.errors > 0)
    throw new Error(`${result.non2xx} refusals, ${result.errors} errors at ${service.address}`);
  const shares = Object.entries(used(before, after)).map(([who, us]) => [
    who,
    us / result.requests.total,
  ]);
  return { rate: result.requests.average, p99: result.latency.p99, ...Object.fromEntries(shares) };
}

async function compare(name, services, requests) {
  const runs = services.map(() => []);
  const seconds = Number(given.seconds);
  // The first round compiles hot code in each process and is discarded.
  for (let round = 0; round <= Number(given.rounds); round += 1) {
    for (const [at, service] of services.entries()) {
      runs[at].push(await measured(service, requests, round === 0 ? WARM_UP * seconds : seconds));
    }
  }
  const rows = runs.map(([, ...counted]) =>
    Object.fromEntries(
      Object.keys(counted[0]).map((key) => [key, median(counted.map((run) => run[key]))]),
    ),
  );
  const [{ web: alone, rate: one }] = rows;
  figures.push(...rows.map((row, at) => ({ name, workers: services[at].workers, ...row })));
  rows.forEach(({ rate, p99, web, other, database, generator }, at) => {
    const { workers } = services[at];
    const most = (CORES * 1e6) / (web + other + database + generator);
    const cells = [
      ...[rate.toFixed(0), (rate / one).toFixed(2), p99.toFixed(0)],
      ...[web, other, database, generator].map((us) => us.toFixed(0)),
      ...[most.toFixed(0), ((workers * alone) / web).toFixed(2)],
    ];
    console.log([name.padEnd(22), String(workers).padStart(7), ...cells.map(padded)].join(' '));
  });
}

const padded = (cell) => cell.padStart(9);

async function callsOf(url, address) {
  await asked(address, post('/register', PERSON));
  const { of } = await admitted(url);
  const caller = of('1');
  const actions = Array.from({ length: ITEMS }, (_, at) => ({
    ...{ action: 'add', url: `https://example.com/${at}`, title: `Title ${at}`, tags: 'later' },
  }));
  await asked(address, post('/v3/send', { ...caller, actions }));
  const cookie = await loggedIn(address, PERSON.email, PERSON.password);
  const sent = { ...caller, url: 'https://bench.example/article', html: ARTICLE };
  const { item } = await (await asked(address, post('/v3/add', sent))).json();
  const article = { path: `/read/${item.item_id}`, headers: { cookie } };
  while (!(await (await asked(address, article)).text()).includes('id="article-text"')) {
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  const { since } = await (await asked(address, post('/v3/get', { ...caller, count: 1 }))).json();
  let saved = 0;
  const add = () => {
    saved += 1;
    return post('/v3/add', { ...caller, url: `https://example.com/saved/${saved}` });
  };
  return [
    ['idle poll', [post('/v3/get', { ...caller, since: since + 60 })]],
    ['get, 30 items', [post('/v3/get', { ...caller, detailType: 'complete', count: 30 })]],
    ['article in a browser', [article]],
    // Needs no database query, since the request has no session.
    ['login page', [{ path: '/auth/login' }]],
    ['add', [{ ...post('/v3/add', {}), setupRequest: (one) => ({ ...one, ...add() }) }]],
  ];
}

async function stopped({ child, clocks }) {
  await clocks?.end();
  const end = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await end;
}

const SPIN = `const end = Date.now() + 2000; let turns = 0;
  for (; Date.now() < end; turns += 1) for (let at = 0; at < 2000; at += 1) JSON.stringify({ at, list: [1, 2, 3] });
  console.log(turns)`;

/** Measures the machine's spare capacity by running this many busy loops. */
async function turnsOf(count) {
  const turns = Array.from({ length: count }, async () => {
    const child = spawn(process.execPath, ['-e', SPIN], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [text] = await once(child.stdout, 'data');
    return Number(text);
  });
  return (await Promise.all(turns)).reduce((sum, one) => sum + one, 0);
}

const memoryOf = (pid) =>
  Number(/VmRSS:\s*(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024;

await administrate(
  `DROP DATABASE IF EXISTS ${DATABASE} WITH (FORCE)`,
  `CREATE DATABASE ${DATABASE} TEMPLATE template0 ENCODING 'UTF8'`,
);
const url = Object.assign(new URL(given.server), { pathname: `/${DATABASE}` }).href;
const directory = mkdtempSync(join(tmpdir(), 'satchel-bench-'));
const services = [];
const limits = [];
try {
  for (const workers of given.workers.split(',').map(Number)) {
    services.push(await startService(url, directory, workers));
  }
  const calls = await callsOf(url, services[0].address);
  for (const service of services) service.clocks = await clocksOf(url, service);
  if (given.share !== '') {
    const pids = services.flatMap(webProcesses);
    limits.push(...pids.map((pid) => limitToShare(pid, Number(given.share))));
    console.log(`each web worker has ${given.share} of a core`);
  }
  console.log(
    `${CORES} cores, load ${loadavg()[0].toFixed(1)}, ${given.connections} connections, ${given.rounds} rounds of ${given.seconds} s`,
  );
  const alone = await turnsOf(1);
  for (const { workers } of services) {
    const share = ((await turnsOf(workers)) / alone).toFixed(2);
    console.log(`yardstick: ${workers} bare processes do ${share} times the work of one`);
  }
  const columns = ['per s', 'ratio', 'p99 ms', 'web µs', 'other', 'database', 'generator'];
  console.log(
    [' '.repeat(22), 'workers', ...[...columns, 'most per s', 'on cores'].map(padded)].join(' '),
  );
  for (const [name, requests] of calls.filter(([one]) => one.includes(given.only)))
    await compare(name, services, requests);
  for (const { workers, child } of services) {
    const pids = [child.pid, ...childrenOf(child.pid)];
    const sizes = pids.map((pid) => `${memoryOf(pid).toFixed(0)} MB`);
    console.log(`memory with ${workers}: ${sizes.join(', ')}`);
  }
  const first = figures.filter(({ workers }) => workers === services[0].workers);
  const ratios = first.map(({ name, web, other, database, generator }) => [
    `${name}: web worker's share of the processor time`,
    web / (web + other + database + generator),
  ]);
  keepFigures(given.json, { ratios: Object.fromEntries(ratios), rows: figures });
} finally {
  for (const service of services) await stopped(service);
  limits.forEach((end) => end());
  rmSync(directory, { recursive: true });
  await administrate(`DROP DATABASE IF EXISTS ${DATABASE} WITH (FORCE)`);
}
