// Mixed load on one process with increasing concurrency. Of 20 requests, 12 are idle polls, 5 read a page, 1 searches
// and 2 add, each for another user with 100 items. Prints requests per second, p50 and p99. The load generator shares
// the machine.
//   npm run bench -- load [--server URL --seconds 5 --connections 1,4,16,64,256 --json FILE]
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import autocannon from 'autocannon';

import { admitted } from './admission.mjs';
import { JSON_OPTION, keepFigures } from './figures.mjs';
import { between, processorOf } from './processor.mjs';
import { ended, startedService } from './service.mjs';
import { onCopy, sizesDatabase, TYPICAL } from './size-data.mjs';

const { values: given } = parseArgs({
  options: {
    server: { type: 'string', default: 'postgres://postgres@127.0.0.1:5432/postgres' },
    seconds: { type: 'string', default: '5' },
    connections: { type: 'string', default: '1,4,16,64,256' },
    ...JSON_OPTION,
  },
});
const PAGE = { count: 30, state: 'all', sort: 'newest', detailType: 'complete' };
const IDLE = Math.floor(Date.now() / 1000) + 3600;
const WARM_UP = 3;

let asked = 0;
/** Builds calls of alternating users. `parametersOf` gets a unique number per request. */
const call = (callers, path, parametersOf) => ({
  method: 'POST',
  path,
  headers: { 'content-type': 'application/json' },
  setupRequest: (request) => {
    asked += 1;
    const body = { ...callers[asked % callers.length], ...parametersOf(asked) };
    return { ...request, body: JSON.stringify(body) };
  },
});

function mixOf(callers) {
  const poll = call(callers, '/v3/get', () => ({ since: IDLE }));
  const page = call(callers, '/v3/get', () => PAGE);
  const search = call(callers, '/v3/get', () => ({ ...PAGE, search: 'perl' }));
  const add = call(callers, '/v3/add', (at) => ({ url: `https://example.com/load/${at}` }));
  const five = [poll, page, poll, add, poll, poll, page, poll];
  return [...five, page, poll, search, poll, ...five].map((one) => ({ ...one }));
}

async function measured({ address, processor }, callers, connections, seconds) {
  const before = await processor.read();
  const result = await autocannon({
    ...{ url: address, connections, duration: seconds, timeout: 60 },
    requests: mixOf(callers),
  });
  if (result.non2xx + result.errors > 0)
    throw new Error(`${result.non2xx} refusals, ${result.errors} errors`);
  const { p50, p99 } = result.latency;
  const used = between(before, await processor.read()) / result.requests.total;
  return { connections, rate: result.requests.average, p50, p99, processor: used };
}

async function run(url) {
  const directory = mkdtempSync(join(tmpdir(), 'satchel-bench-'));
  const service = await startedService(url, directory, {
    variables: { RESOLVER_CONCURRENCY: '0' },
  });
  const processor = await processorOf(url, { pid: service.child.pid, sessions: 'satchel' });
  const { of } = await admitted(url);
  const callers = Array.from({ length: TYPICAL.users }, (_, at) => of(String(TYPICAL.first + at)));
  const rows = [];
  try {
    const server = { ...service, processor };
    await measured(server, callers, 16, WARM_UP);
    console.log(
      `${availableParallelism()} cores, load ${loadavg()[0].toFixed(1)}, ${given.seconds} s each`,
    );
    console.log('connections  per s  p50 ms  p99 ms  processor µs a request');
    for (const connections of given.connections.split(',').map(Number)) {
      const row = await measured(server, callers, connections, Number(given.seconds));
      const cells = [row.rate, row.p50, row.p99, row.processor];
      console.log(
        String(connections).padStart(11),
        ...cells.map((cell) => cell.toFixed(0).padStart(7)),
      );
      rows.push(row);
    }
  } finally {
    await processor.end();
    await ended(service.child);
    rmSync(directory, { recursive: true });
  }
  return rows;
}

const rows = await onCopy(given.server, await sizesDatabase(given.server), run);
const ratios = {};
for (const row of rows.slice(1)) {
  const name = `mixed load, ${row.connections} connections beside ${rows[0].connections}`;
  ratios[`${name}: requests a second`] = row.rate / rows[0].rate;
  ratios[`${name}: processor time`] = row.processor / rows[0].processor;
}
keepFigures(given.json, { ratios, seconds: Number(given.seconds), rows });
