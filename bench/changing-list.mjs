// Polls a list of 5,000 items that changes all the time: one client archives and unarchives items, one call after the
// other, and four clients ask for the changes since their last answer. Prints how long the polls take.
//   npm run bench -- changing-list [--server URL --seconds 10 --json FILE]
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import pg from 'pg';

import { admitted } from './admission.mjs';
import { JSON_OPTION, keepFigures } from './figures.mjs';
import { between, processorOf } from './processor.mjs';
import { ended, startedService } from './service.mjs';
import { onCopy, SIZES, sizesDatabase } from './size-data.mjs';

const { values: given } = parseArgs({
  options: {
    server: { type: 'string', default: 'postgres://postgres@127.0.0.1:5432/postgres' },
    seconds: { type: 'string', default: '10' },
    ...JSON_OPTION,
  },
});
const POLLERS = 4;
const { user: OWNER } = SIZES.find(({ items }) => items === 5000);

async function call(url, body) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const answer = await response.json();
  if (response.status !== 200) throw new Error(`${url}: ${response.status}`);
  return answer;
}

async function itemsOf(url) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query('SELECT item_id FROM items WHERE user_id = $1', [OWNER]);
  await client.end();
  return rows.map(({ item_id: id }) => id);
}

async function changed(address, credentials, items, isOver) {
  let sent = 0;
  while (!isOver()) {
    const action = Math.floor(sent / items.length) % 2 === 0 ? 'archive' : 'readd';
    const actions = [{ action, item_id: items[sent % items.length] }];
    await call(`${address}/v3/send`, { ...credentials, actions });
    sent += 1;
  }
  return sent;
}

async function polled(address, credentials, isOver) {
  const times = [];
  let { since } = await call(`${address}/v3/get`, { ...credentials, count: 1 });
  while (!isOver()) {
    const begin = performance.now();
    const options = { since, state: 'all', detailType: 'complete' };
    ({ since } = await call(`${address}/v3/get`, { ...credentials, ...options }));
    times.push(performance.now() - begin);
  }
  return times;
}

async function run(url) {
  const directory = mkdtempSync(join(tmpdir(), 'satchel-bench-'));
  const { child, address } = await startedService(url, directory, {
    variables: { RESOLVER_CONCURRENCY: '0' },
  });
  const processor = await processorOf(url, { pid: child.pid, sessions: 'satchel' });
  try {
    const credentials = (await admitted(url)).of(OWNER);
    const items = await itemsOf(url);
    const ends = performance.now() + Number(given.seconds) * 1000;
    const isOver = () => performance.now() > ends;
    const before = await processor.read();
    const [changes, ...polls] = await Promise.all([
      changed(address, credentials, items, isOver),
      ...Array.from({ length: POLLERS }, () => polled(address, credentials, isOver)),
    ]);
    const times = polls.flat().sort((one, other) => one - other);
    const at = (part) => times[Math.floor(times.length * part)];
    const used = between(before, await processor.read()) / 1000 / (changes + times.length);
    return { changes, polls: times.length, p50: at(0.5), p95: at(0.95), most: times.at(-1), used };
  } finally {
    await processor.end();
    await ended(child);
    rmSync(directory, { recursive: true });
  }
}

const { changes, polls, p50, p95, most, used } = await onCopy(
  given.server,
  await sizesDatabase(given.server),
  run,
);
console.log(`${changes} changes and ${polls} polls in ${given.seconds} s`);
console.log(`poll: p50 ${p50.toFixed(1)} ms, p95 ${p95.toFixed(1)}, at most ${most.toFixed(1)}`);
console.log(`${used.toFixed(1)} ms of processor time a call`);
keepFigures(given.json, { changes, polls, p50, p95, most, used });
