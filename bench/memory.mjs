// Measures the memory of the service with default settings and its embedded database: after two minutes idle, and while
// clients poll, read, search, save, and send actions and pages. Linux only.
//   npm run bench -- memory [--minutes 10 --clients 8 --pause 20 --json FILE]
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import { JSON_OPTION, keepFigures } from './figures.mjs';
import { freePort } from './free-port.mjs';

const { values: given } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    clients: { type: 'string', default: '8' },
    /** Milliseconds between two calls of a client. The benchmark measures memory, not speed. */
    pause: { type: 'string', default: '20' },
    rest: { type: 'string', default: '120' },
    ...JSON_OPTION,
  },
});
const MINUTE = 60_000;
const PERSON = { name: 'Ada', email: 'ada@example.com', password: 'a long pass phrase' };
const ITEMS = 1000;

const PAGE = `<!doctype html><html lang="en"><title>One article</title><article><h1>One article</h1>${Array.from(
  { length: 20 },
  (_, at) => `<p>${`Sentence ${at} of an article says what it has to say. `.repeat(5)}</p>`,
).join('')}</article></html>`;

const read = (path) => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
};
const kilobytesIn = (text, name) =>
  Number(new RegExp(`^${name}:\\s*(\\d+)`, 'm').exec(text)?.[1] ?? 0);
const megabytes = (kilobytes) => Math.round(kilobytes / 1024);

/** Returns the processes of the database server in this folder, the postmaster first. */
function databaseProcesses(directory) {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const [first] = pids.filter((pid) => {
    const [program = '', ...words] = read(`/proc/${pid}/cmdline`).split('\0');
    return program.endsWith('postgres') && words.some((word) => word.startsWith(directory));
  });
  const parentOf = (pid) =>
    read(`/proc/${pid}/stat`)
      .replace(/^.*\) \S /s, '')
      .split(' ', 1)[0];
  return first === undefined ? [] : [first, ...pids.filter((pid) => parentOf(pid) === first)];
}

async function started(directory) {
  const port = String(await freePort());
  const child = spawn(
    process.execPath,
    ['--v8-pool-size=1', '--import', './bench/profile/memory-of-process.mjs', 'dist/src/main.js'],
    {
      env: {
        ...{ ...process.env, DATABASE_URL: '', DATA_DIR: directory, PORT: port },
        ...{ RESOLVER_CONCURRENCY: '0', CALL_LIMIT_PER_USER: '0', CALL_LIMIT_PER_KEY: '0' },
        ACCESS_TOKEN_TTL: String((Number(given.minutes) + 60) * 60),
      },
      stdio: ['ignore', 'pipe', 'ignore', 'ipc'],
    },
  );
  let told = '';
  for await (const part of child.stdout) {
    told += part;
    if (told.includes('Try it:')) break;
  }
  const [, key] = /^ {4}(\d+-[\da-f]+)$/m.exec(told);
  return { child, directory, address: `http://127.0.0.1:${port}`, key };
}

async function memoryOf({ child, directory }) {
  child.send('memory');
  const [{ heapUsed, heapTotal, external }] = await once(child, 'message');
  const pss = databaseProcesses(directory).map((pid) =>
    kilobytesIn(read(`/proc/${pid}/smaps_rollup`), 'Pss'),
  );
  return {
    rss: megabytes(kilobytesIn(read(`/proc/${child.pid}/status`), 'VmRSS')),
    heap: `${Math.round(heapUsed / 1e6)} of ${Math.round(heapTotal / 1e6)}`,
    external: Math.round(external / 1e6),
    database: megabytes(pss.reduce((sum, one) => sum + one, 0)),
    sessions: pss.length,
  };
}

const rows = [];

async function tell(service, when, calls) {
  const { rss, heap, external, database, sessions } = await memoryOf(service);
  rows.push({ when, calls, rss, heap, external, database });
  console.log(`| ${[when, calls, rss, heap, external, `${database} (${sessions})`].join(' | ')} |`);
}

/** Repeats a call that a busy service rejects, as clients do. */
async function asked({ address }, path, members) {
  for (;;) {
    const answer = await fetch(`${address}${path}`, {
      ...{ method: 'POST', body: JSON.stringify(members) },
      headers: { 'content-type': 'application/json' },
    });
    if (answer.ok) return answer.json();
    if (answer.status !== 503) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    await pause(1000);
  }
}

let saved = 0;
const nextUrl = () => `https://example.com/${(saved += 1)}`;

/** Each call with its share in percent. */
const CALLS = [
  [
    55,
    (service, caller) =>
      asked(service, '/v3/get', { ...caller, since: Math.floor(Date.now() / 1000) - 60 }),
  ],
  [
    20,
    (service, caller) =>
      asked(service, '/v3/get', {
        ...caller,
        count: 30,
        offset: saved % 500,
        detailType: 'complete',
      }),
  ],
  [
    8,
    (service, caller) =>
      asked(service, '/v3/get', { ...caller, count: 30, search: String(saved % 90) }),
  ],
  [
    10,
    (service, caller) =>
      asked(service, '/v3/send', {
        ...caller,
        actions: [
          { action: 'add', url: nextUrl(), tags: 'one,two' },
          { action: 'archive', url: `https://example.com/${saved - 50}` },
        ],
      }),
  ],
  [
    6,
    (service, caller) => asked(service, '/v3/add', { ...caller, url: nextUrl(), title: 'Saved' }),
  ],
  [1, (service, caller) => asked(service, '/v3/add', { ...caller, url: nextUrl(), html: PAGE })],
];
const MIX = CALLS.flatMap(([share, call]) => Array.from({ length: share }, () => call));

async function callers(service) {
  const { access_token } = await asked(service, '/register', PERSON).then(() =>
    asked(service, '/login', PERSON),
  );
  const caller = { consumer_key: service.key, access_token };
  const actions = Array.from({ length: ITEMS }, () => ({ action: 'add', url: nextUrl() }));
  await asked(service, '/v3/send', { ...caller, actions });
  return caller;
}

/** Runs the load and prints the memory each minute. */
async function driven(service, caller) {
  const end = Date.now() + Number(given.minutes) * MINUTE;
  let calls = 0;
  const clients = Array.from({ length: Number(given.clients) }, async (_, at) => {
    // A stride that is coprime to the length visits all entries.
    for (let turn = at * 13; Date.now() < end; turn += 37) {
      await MIX[turn % MIX.length](service, caller);
      calls += 1;
      await pause(Number(given.pause));
    }
  });
  const told = (async () => {
    for (let minute = 1; minute <= Number(given.minutes); minute += 1) {
      await pause(MINUTE);
      await tell(service, `minute ${minute}`, calls);
    }
  })();
  await Promise.all([...clients, told]);
}

const directory = mkdtempSync(join(tmpdir(), 'satchel-memory-'));
// PostgreSQL does not run as root, so another user needs access.
chmodSync(directory, 0o755);
const service = await started(directory);
try {
  console.log(
    '| when | calls | RSS, MB | heap, MB | beside the heap, MB | database, MB of PSS (processes) |',
  );
  console.log('| --- | ---: | ---: | ---: | ---: | ---: |');
  await tell(service, 'start', 0);
  await pause(Number(given.rest) * 1000);
  await tell(service, `after ${given.rest} s of rest`, 0);
  await driven(service, await callers(service));
  await pause(Number(given.rest) * 1000);
  await tell(service, `after ${given.rest} s of rest`, 0);
  keepFigures(given.json, { rows });
} finally {
  const end = once(service.child, 'exit');
  service.child.kill('SIGTERM');
  await end;
  rmSync(directory, { recursive: true });
}
