// Measures the reader's pages for a list of 200,000 items: processor time (service and database) and bytes, compared
// with /v3/get of as many items. Also prints the memory of the service at the end. Uses its own database.
//   npm run bench -- reader [--server URL --requests 60 --json FILE]
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import bcrypt from 'bcrypt';
import pg from 'pg';

import { admitted } from './admission.mjs';
import { JSON_OPTION, keepFigures } from './figures.mjs';
import { listDatabase, LISTS } from './list-data.mjs';
import { loggedIn } from './logged-in.mjs';
import { between, processorOf } from './processor.mjs';
import { ended, startedService } from './service.mjs';

const { values: given } = parseArgs({
  options: {
    server: { type: 'string', default: 'postgres://postgres@127.0.0.1:5432/postgres' },
    requests: { type: 'string', default: '60' },
    ...JSON_OPTION,
  },
});
const DATABASE = 'satchel_bench_reader';
const PASSWORD = 'a long pass phrase';
const COUNT = 40;
const rows = [];
const PATHS = [
  '/list',
  '/list?state=archive',
  '/list?state=all&sort=title',
  '/list?tag=later',
  '/list?search=perl',
];

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

/** 1,000 words in 20 paragraphs. */
const ARTICLE = `<!doctype html><html lang="en"><title>One article</title><article><h1>One article</h1>${Array.from(
  { length: 20 },
  (_, at) => `<p>${`Sentence ${at} of an article says what it has to say. `.repeat(5)}</p>`,
).join('')}</article></html>`;

const posted = (members) => ({
  ...{ method: 'POST', body: JSON.stringify(members) },
  headers: { 'content-type': 'application/json' },
});

/** Saves an article. Returns its path when it has been extracted. */
async function articleSaved(address, caller, cookie) {
  const page = { url: 'https://bench.example/article', html: ARTICLE };
  const saved = JSON.parse(await textOf(`${address}/v3/add`, posted({ ...caller, ...page })));
  const path = `/read/${saved.item.item_id}`;
  for (let tries = 0; tries < 300; tries += 1) {
    const text = await textOf(`${address}${path}`, { headers: { cookie } });
    if (text.includes('id="article-text"')) return path;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error('the article was not read');
}

function tellMemory(pid) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const [now, most] = ['VmRSS', 'VmHWM'].map((name) => {
    const [, kilobytes] = new RegExp(`${name}:\\s*(\\d+)`).exec(status);
    return `${Math.round(Number(kilobytes) / 1024)} MB`;
  });
  console.log(`memory of the service: ${now}, at most ${most}`);
}

async function tellPages(address, cookie, processor) {
  for (const path of PATHS) {
    const { ms, text } = await measured(processor, () =>
      textOf(`${address}${path}`, { headers: { cookie } }),
    );
    const items = text.split('<li>').length - 1;
    rows.push({ path, ms, bytes: Buffer.byteLength(text) });
    console.log(`${ms.toFixed(1).padStart(7)} ms ${bytes(text)} ${path} of ${items} items`);
    if (items !== COUNT) throw new Error(`${path} shows ${items} items, not ${COUNT}`);
  }
}

async function run({ address, child }, url) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const {
    rows: [user],
  } = await client.query('UPDATE users SET password_hash = $1 WHERE id = 1 RETURNING email', [
    await bcrypt.hash(PASSWORD, 4),
  ]);
  await client.query('DELETE FROM consumer_keys WHERE id = 1');
  await client.end();
  const admission = await admitted(url);
  const cookie = await loggedIn(address, user.email, PASSWORD);
  const processor = await processorOf(url, { pid: child.pid, sessions: 'satchel' });
  const assets = ['style.css', 'list.css', 'list.js', 'keys.js', 'list-actions.js', 'icon.svg'];
  for (const asset of assets) {
    console.log(bytes(await textOf(`${address}/pages/${asset}`)), asset);
  }
  const call = posted({ ...admission.of('1'), count: 30, detailType: 'complete', total: 1 });
  const floor = await measured(processor, () => textOf(`${address}/v3/get`, call));
  console.log(`${floor.ms.toFixed(1).padStart(7)} ms ${bytes(floor.text)} /v3/get of 30 items`);
  await tellPages(address, cookie, processor);
  const article = await articleSaved(address, admission.of('1'), cookie);
  const read = await measured(processor, () =>
    textOf(`${address}${article}`, { headers: { cookie } }),
  );
  console.log(`${read.ms.toFixed(1).padStart(7)} ms ${bytes(read.text)} an article of 1,000 words`);
  rows.push({ path: '/read/ID', ms: read.ms, bytes: Buffer.byteLength(read.text) });
  const ratios = rows.map(({ path, ms }) => [`${path} beside a page of get`, ms / floor.ms]);
  tellMemory(child.pid);
  keepFigures(given.json, { ratios: Object.fromEntries(ratios), get: floor.ms, rows });
  await processor.end();
}

LISTS.splice(1);
const url = await listDatabase(given.server, DATABASE);
const directory = mkdtempSync(join(tmpdir(), 'satchel-bench-'));
const service = await startedService(url, directory);
try {
  await run(service, url);
} finally {
  await ended(service.child);
  rmSync(directory, { recursive: true });
}
