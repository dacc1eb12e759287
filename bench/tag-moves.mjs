// Renames and deletes a tag of 54,000 items in the list of 200,000. Meanwhile, three clients of the same user call the
// service: one reads a page, one polls, and one adds an item, again and again. Prints how long these calls take, and how
// long they take at rest.
//   npm run bench -- tag-moves [--server URL --rest 5 --json FILE]
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import { admitted } from './admission.mjs';
import { JSON_OPTION, keepFigures } from './figures.mjs';
import { listDatabase } from './list-data.mjs';
import { between, processorOf } from './processor.mjs';
import { ended, startedService } from './service.mjs';
import { onCopy } from './size-data.mjs';

const { values: given } = parseArgs({
  options: {
    server: { type: 'string', default: 'postgres://postgres@127.0.0.1:5432/postgres' },
    rest: { type: 'string', default: '5' },
    ...JSON_OPTION,
  },
});
/** The user with the list of 200,000 items. */
const OWNER = '1';
const ACTIONS = [
  { name: 'tag_rename', action: { action: 'tag_rename', old_tag: 'later', new_tag: 'sooner' } },
  { name: 'tag_delete', action: { action: 'tag_delete', tag: 'sooner' } },
];

/** The pause of a client between two calls. Without it, the calls would use the processor that the rename needs. */
const PAUSE_MS = 50;

let added = 0;
const CALLS = {
  page: () => ['/v3/get', { count: 30, state: 'all', sort: 'newest', detailType: 'complete' }],
  poll: () => ['/v3/get', { since: Math.floor(Date.now() / 1000) + 3600 }],
  add: () => ['/v3/add', { url: `https://example.com/tag-moves/${(added += 1)}` }],
};

/** Returns the milliseconds of one call. */
async function timeOf(url, credentials, [path, parameters]) {
  const begin = performance.now();
  const response = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...credentials, ...parameters }),
  });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${path}: ${response.status} ${text}`);
  return performance.now() - begin;
}

const share = (numbers, part) =>
  numbers.toSorted((a, b) => a - b)[
    Math.min(numbers.length - 1, Math.floor(numbers.length * part))
  ];

/** Repeats the calls of one kind, with pauses, until `isOver`. Each kind has its own client. */
async function repeated(url, credentials, call, isOver) {
  const times = [];
  while (!isOver()) {
    times.push(await timeOf(url, credentials, call()));
    await pause(PAUSE_MS);
  }
  return times;
}

/** Returns a row with the times of the calls that are sent while the work runs. */
async function beside(name, { url, processor }, credentials, work) {
  const before = await processor.read();
  const begin = performance.now();
  let isOver = false;
  const done = work().then(() => {
    isOver = true;
    return performance.now() - begin;
  });
  const kinds = Object.entries(CALLS);
  const times = await Promise.all(
    kinds.map(([, call]) => repeated(url, credentials, call, () => isOver)),
  );
  const seconds = (await done) / 1000;
  const used = between(before, await processor.read()) / 1e6;
  const figures = kinds.flatMap(([kind], at) => [
    [`${kind}Calls`, times[at].length],
    [`${kind}P50`, share(times[at], 0.5)],
    [`${kind}P95`, share(times[at], 0.95)],
    [`${kind}Most`, share(times[at], 1)],
  ]);
  return { name, seconds, processor: used, ...Object.fromEntries(figures) };
}

function print({ name, seconds, processor, ...row }) {
  console.log(`${name}: ${seconds.toFixed(2)} s, ${processor.toFixed(1)} s of processor time`);
  for (const kind of Object.keys(CALLS)) {
    const [p50, p95, most] = ['P50', 'P95', 'Most'].map((part) => row[kind + part].toFixed(1));
    console.log(
      `  ${kind}: ${row[`${kind}Calls`]} calls, p50 ${p50} ms, p95 ${p95}, at most ${most}`,
    );
  }
}

async function run(url) {
  const directory = mkdtempSync(join(tmpdir(), 'satchel-bench-'));
  const { child, address } = await startedService(url, directory, {
    variables: { RESOLVER_CONCURRENCY: '0' },
  });
  const processor = await processorOf(url, { pid: child.pid, sessions: 'satchel' });
  const service = { url: address, processor };
  try {
    const credentials = (await admitted(url)).of(OWNER);
    const rest = () => pause(Number(given.rest) * 1000);
    await beside('warm-up', service, credentials, rest);
    const rows = [await beside('at rest', service, credentials, rest)];
    for (const { name, action } of ACTIONS) {
      const send = () => timeOf(address, credentials, ['/v3/send', { actions: [action] }]);
      rows.push(await beside(name, service, credentials, send));
    }
    rows.forEach(print);
    return rows;
  } finally {
    await processor.end();
    await ended(child);
    rmSync(directory, { recursive: true });
  }
}

const rows = await onCopy(given.server, await listDatabase(given.server), run);
keepFigures(given.json, { rows });
