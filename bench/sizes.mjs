// Measures the duration of a request by list size, from 100 to 200,000 items: elapsed time of sequential requests, and
// processor time of service and database. The response cache is off.
//   npm run bench -- sizes [--server URL --requests 40 --json FILE]
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { admitted } from './admission.mjs';
import { JSON_OPTION, keepFigures } from './figures.mjs';
import { between, processorOf } from './processor.mjs';
import { median } from './sends.mjs';
import { ended, startedService } from './service.mjs';
import { onCopy, SIZES, sizesDatabase } from './size-data.mjs';

const { values: given } = parseArgs({
  options: {
    server: { type: 'string', default: 'postgres://postgres@127.0.0.1:5432/postgres' },
    requests: { type: 'string', default: '40' },
    ...JSON_OPTION,
  },
});
const REQUESTS = Number(given.requests);
const WARM_UP = 10;
const PAGE = { count: 30, state: 'all', sort: 'newest', detailType: 'complete' };
const IDLE = Math.floor(Date.now() / 1000) + 3600;

/** Functions that return a request's parameters. `at` is the number of the request. */
const CALLS = {
  'first page': ['/v3/get', () => PAGE],
  'idle poll': ['/v3/get', () => ({ since: IDLE })],
  'tag, by title': ['/v3/get', () => ({ ...PAGE, tag: 'later', sort: 'title' })],
  search: ['/v3/get', () => ({ ...PAGE, search: 'perl' })],
  'page in the middle': ['/v3/get', (_, items) => ({ ...PAGE, offset: Math.floor(items / 2) })],
  add: [
    '/v3/add',
    (at, items) => ({ url: `https://example.com/sizes/${items}/${at}`, title: 'Saved' }),
  ],
};

const percentile = (sorted, share) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];

async function asked(address, [path, parameters], caller) {
  const begin = performance.now();
  const answer = await fetch(`${address}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...caller, ...parameters }),
  });
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`${path}: ${text}`);
  return performance.now() - begin;
}

/** Alternates between the lists, so that other load affects all equally. */
async function measured({ address, processor }, [path, parametersOf], lists) {
  const runs = lists.map(() => []);
  for (let at = -WARM_UP; at < REQUESTS; at += 1) {
    for (const [nth, { caller, items }] of lists.entries()) {
      const before = await processor.read();
      const ms = await asked(address, [path, parametersOf(at, items)], caller);
      const used = between(before, await processor.read()) / 1000;
      if (at >= 0) runs[nth].push({ ms, used });
    }
  }
  return runs.map((run, nth) => {
    const times = run.map(({ ms }) => ms).sort((a, b) => a - b);
    const [p50, p95] = [0.5, 0.95].map((share) => percentile(times, share));
    return { items: lists[nth].items, p50, p95, processor: median(run.map(({ used }) => used)) };
  });
}

async function run(url) {
  const directory = mkdtempSync(join(tmpdir(), 'satchel-bench-'));
  const service = await startedService(url, directory, {
    variables: { RESOLVER_CONCURRENCY: '0' },
  });
  const processor = await processorOf(url, { pid: service.child.pid, sessions: 'satchel' });
  const { of } = await admitted(url);
  const rows = [];
  try {
    console.log(`${REQUESTS} requests each, load ${loadavg()[0].toFixed(1)}`);
    console.log('call'.padEnd(20), ' items   p50 ms   p95 ms  processor ms');
    const lists = SIZES.map(({ items, user }) => ({ items, caller: of(user) }));
    for (const [name, call] of Object.entries(CALLS)) {
      for (const found of await measured({ ...service, processor }, call, lists)) {
        const cells = [found.p50, found.p95, found.processor].map((ms) =>
          ms.toFixed(1).padStart(8),
        );
        console.log(name.padEnd(20), String(found.items).padStart(6), ...cells);
        rows.push({ call: name, ...found });
      }
    }
  } finally {
    await processor.end();
    await ended(service.child);
    rmSync(directory, { recursive: true });
  }
  return rows;
}

const rows = await onCopy(given.server, await sizesDatabase(given.server), run);
const at = (call, items) => rows.find((row) => row.call === call && row.items === items).processor;
const ratios = Object.fromEntries(
  Object.keys(CALLS).flatMap((call) =>
    [20_000, 200_000].map((items) => [
      `${call}: processor time at ${items} items beside 100`,
      at(call, items) / at(call, 100),
    ]),
  ),
);
keepFigures(given.json, { ratios, requests: REQUESTS, rows });
