// Starts the service on a small file system and fills it. Writes the service's answers to outcome.json in the folder.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import pg from 'pg';

/** Larger than the reserve for the WAL requires, and small enough for the memory of a test machine. */
const SIZE = '700m';
/** Together larger than a WAL segment (16 MB), and smaller than the reserve. */
const MESSAGES = 3000;
const MESSAGE_LENGTH = 10_000;

const [directory] = process.argv.slice(2);
const disk = join(directory, 'disk');
mkdirSync(disk);
execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${SIZE},mode=711`, 'none', disk]);

const service = spawn(process.execPath, ['dist/src/main.js'], {
  env: {
    PATH: process.env.PATH,
    DATA_DIR: join(disk, 'data'),
    PORT: '0',
    BCRYPT_COST: '10',
    RESOLVER_CONCURRENCY: '0',
    LOG_LEVEL: 'fatal',
    SHUTDOWN_TIMEOUT: '60',
  },
});
let [stdout, stderr] = ['', ''];
service.stdout.on('data', (text) => (stdout += text));
service.stderr.on('data', (text) => (stderr += text));
const ended = once(service, 'close');

try {
  const outcome = await outcomeOf(await addressOf());
  service.kill('SIGTERM');
  const [code] = await ended;
  writeFileSync(join(directory, 'outcome.json'), JSON.stringify({ ...outcome, code }));
} catch (error) {
  service.kill('SIGTERM');
  await ended;
  const log = readFileSync(join(disk, 'data', 'postgres', 'postgres.log'), 'utf8');
  const lines = log.split('\n').filter((line) => /PANIC|FATAL|LOG/.test(line));
  const reason = error instanceof Error ? error.stack : String(error);
  const end = `the service ended with ${service.exitCode ?? service.signalCode}`;
  process.stderr.write([reason, end, stderr, ...lines.slice(-20)].join('\n'));
  process.exit(1);
}

async function addressOf() {
  for (;;) {
    const [, url] = /Satchel listens on (\S+)\n/.exec(stdout) ?? [];
    const [, key] = /^ {4}(\d+-\w+)$/m.exec(stdout) ?? [];
    if (url !== undefined && key !== undefined) return { url, key };
    if (service.exitCode !== null) throw new Error('the service has ended');
    await pause(100);
  }
}

async function outcomeOf({ url, key }) {
  const login = { email: 'ada@example.com', password: 'a long pass phrase' };
  await post(`${url}/register`, { name: 'Ada', ...login });
  const { access_token } = JSON.parse((await post(`${url}/login`, login)).body);
  const caller = { consumer_key: key, access_token };
  const add = (page) => post(`${url}/v3/add`, { ...caller, url: `https://example.com/${page}` });
  const get = async () => {
    const { status, body } = await post(`${url}/v3/get`, caller);
    const list = Object.values(JSON.parse(body).list ?? {});
    return { status, urls: list.map(({ given_url: givenUrl }) => givenUrl) };
  };
  await add('before');
  const client = new pg.Client(connection());
  client.on('error', () => undefined);
  await client.connect();
  const { rows } = await client.query('SELECT count(*)::int AS segments FROM pg_ls_waldir()');
  fillDisk();
  const firstFailure = await untilRefused(add);
  const answers = { ...rows[0], add: firstFailure, get: await get(), ready: await ready(url) };
  // Messages only need space in the WAL. A row might need a new page, which does not fit on the full disk.
  const message = `SELECT pg_logical_emit_message(true, 'a test', repeat('x', ${MESSAGE_LENGTH}))`;
  for (let sent = 0; sent < MESSAGES; sent += 1) {
    await client.query(message);
  }
  // A checkpoint may fail on a full disk, but must not stop the server.
  await client.query('CHECKPOINT').catch(() => undefined);
  await client.end();
  return { ...answers, getAfterMessages: await get() };
}

/** Repeats because existing table pages may have space for a few more rows. */
async function untilRefused(add) {
  for (let page = 1; page <= 500; page += 1) {
    const answer = await add(`${page}/${'x'.repeat(2000)}`);
    if (answer.status !== 200) return answer;
  }
  throw new Error('no write was refused');
}

async function ready(url) {
  const response = await fetch(`${url}/ready`);
  return { status: response.status, body: await response.json() };
}

const ATTEMPTS = 5;

/** Retries, because the service closes slow connections on a busy machine. All calls are safe to repeat. */
async function post(url, body) {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await postOnce(url, body);
    } catch (error) {
      if (attempt === ATTEMPTS) throw error;
    }
  }
}

async function postOnce(url, body) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: await response.text() };
}

function connection() {
  const lines = pidFile()
    .split('\n')
    .map((line) => line.trim());
  return { host: lines[4], port: Number(lines[3]), user: 'satchel', database: 'satchel' };
}

function pidFile() {
  return readFileSync(join(disk, 'data', 'postgres', 'pg18', 'postmaster.pid'), 'utf8');
}

function fillDisk() {
  try {
    execFileSync('dd', ['if=/dev/zero', `of=${join(disk, 'fill')}`, 'bs=4k'], { stdio: 'ignore' });
  } catch {
    // Filling ends with an error when the disk is full.
  }
}
