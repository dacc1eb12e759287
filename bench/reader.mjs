// What the pages of the reader take of the processors (service and database) for a list of 200,000 items, and how many
// bytes they have, beside /v3/get of as many items, on a database of its own.
//   npm run bench:reader [-- --server URL --requests 60]
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import bcrypt from 'bcrypt';
import pg from 'pg';

import { admitted, SECRET, TTL } from './admission.mjs';
import { LISTS, listDatabase } from './list-data.mjs';
import { between, processorOf } from './processor.mjs';

const { values: given } = parseArgs({
  options: {
    server: { type: 'string', default: 'postgres://postgres@127.0.0.1:5432/postgres' },
    requests: { type: 'string', default: '60' },
  },
});
const DATABASE = 'satchel_bench_reader';
const PASSWORD = 'a long pass phrase';
const COUNT = 40;
const PATHS = [
  '/list',
  '/list?state=archive',
  '/list?state=all&sort=title',
  '/list?tag=later',
  '/list?search=perl',
];

const freePort = () =>
  new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });

async function started(url, directory) {
  const port = String(await freePort());
  const settings = { DATABASE_URL: url, DATA_DIR: directory, JWT_SECRET: SECRET };
  const child = spawn(process.execPath, ['dist/src/main.js'], {
    env: {
      ...process.env,
      ...settings,
      ...{ SESSION_SECRET: SECRET, PORT: port, ACCESS_TOKEN_TTL: String(TTL) },
      ...{ RESOLVER_CONCURRENCY: '0', ANSWER_CACHE_MB: '0' },
      ...{ CALL_LIMIT_PER_USER: '100000000', CALL_LIMIT_PER_KEY: '100000000' },
    },
    stdio: 'ignore',
  });
  const address = `http://127.0.0.1:${port}`;
  for (let wait = 0; wait < 300; wait += 1) {
    const health = await fetch(`${address}/health`).catch(() => undefined);
    if (health?.ok) break;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return { child, address };
}

/** Logs the owner of the list in, as a browser does, and gives the cookie. */
async function loggedIn(address, email) {
  const page = await fetch(`${address}/auth/login`);
  const [, token] = /name="_csrf" value="([^"]+)"/.exec(await page.text());
  const cookie = page.headers.getSetCookie()[0].split(';')[0];
  const answer = await fetch(`${address}/auth/login`, {
    ...{ method: 'POST', redirect: 'manual', headers: { cookie } },
    body: new URLSearchParams({ _csrf: token, email, password: PASSWORD }),
  });
  return answer.headers.getSetCookie()[0].split(';')[0];
}

async function measured(processor, ask) {
  for (let warm = 0; warm < 10; warm += 1) await ask();
  const before = await processor.read();
  let text = '';
  for (let at = 0; at < Number(given.requests); at += 1) text = await ask();
  const used = between(before, await processor.read()) / Number(given.requests) / 1000;
  return { ms: used, text };
}

const bytes = (text) => `${(Buffer.byteLength(text) / 1000).toFixed(1)} KB`.padStart(9);

async function textOf(address, init) {
  const answer = await fetch(address, init);
  if (answer.status !== 200) throw new Error(`${address}: ${answer.status}`);
  return answer.text();
}

async function run({ address, child }, url) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query(
    'UPDATE users SET password_hash = $1 WHERE id = 1 RETURNING email',
    [await bcrypt.hash(PASSWORD, 4)],
  );
  await client.query('DELETE FROM consumer_keys WHERE id = 1');
  await client.end();
  const admission = await admitted(url);
  const cookie = await loggedIn(address, rows[0].email);
  const processor = await processorOf(url, { pid: child.pid, sessions: 'satchel' });
  const assets = ['style.css', 'reader.css', 'list.js', 'keys.js', 'list-actions.js', 'icon.svg'];
  for (const asset of assets) {
    console.log(bytes(await textOf(`${address}/pages/${asset}`)), asset);
  }
  const body = JSON.stringify({
    ...admission.of('1'),
    count: 30,
    detailType: 'complete',
    total: 1,
  });
  const call = { method: 'POST', body, headers: { 'content-type': 'application/json' } };
  const floor = await measured(processor, () => textOf(`${address}/v3/get`, call));
  console.log(`${floor.ms.toFixed(1).padStart(7)} ms ${bytes(floor.text)} /v3/get of 30 items`);
  for (const path of PATHS) {
    const { ms, text } = await measured(processor, () =>
      textOf(`${address}${path}`, { headers: { cookie } }),
    );
    const items = text.split('<li>').length - 1;
    console.log(`${ms.toFixed(1).padStart(7)} ms ${bytes(text)} ${path} of ${items} items`);
    if (items !== COUNT) throw new Error(`${path} shows ${items} items, not ${COUNT}`);
  }
  await processor.end();
}

LISTS.splice(1);
const url = await listDatabase(given.server, DATABASE);
const directory = mkdtempSync(join(tmpdir(), 'satchel-bench-'));
const service = await started(url, directory);
try {
  await run(service, url);
} finally {
  const end = new Promise((resolve) => service.child.once('exit', resolve));
  service.child.kill('SIGTERM');
  await end;
  rmSync(directory, { recursive: true });
}
