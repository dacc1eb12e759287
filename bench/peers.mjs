// Compares lists in Satchel and in alternatives, by elapsed time: the newest 30 items, an addition, a change, changes
// since the last poll, memory, and the time to the first answer. Requires Debian with apt-get (as root) and npm.
// Everything is installed in a folder that is removed at the end.
//   npm run bench -- peers [--server URL --sizes 100,5000,50000 --requests 30 --only shaarli --keep DIR --json FILE]
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { admitted } from './admission.mjs';
import { JSON_OPTION, keepFigures } from './figures.mjs';
import { freePort } from './free-port.mjs';
import { memoryOf } from './peers/installed.mjs';
import { pouchdb } from './peers/pouchdb.mjs';
import { satchelOn } from './peers/satchel.mjs';
import { shaarli } from './peers/shaarli.mjs';
import { ttRssOn } from './peers/tt-rss.mjs';
import { median } from './sends.mjs';
import { onCopy, sizesDatabase } from './size-data.mjs';

const { values: given } = parseArgs({
  options: {
    server: { type: 'string', default: 'postgres://postgres@127.0.0.1:5432/postgres' },
    sizes: { type: 'string', default: '100,5000,50000' },
    requests: { type: 'string', default: '30' },
    only: { type: 'string', default: '' },
    keep: { type: 'string', default: '' },
    ...JSON_OPTION,
  },
});
const REQUESTS = Number(given.requests);
const WARM_UP = 5;
const CALLS = ['list', 'add', 'update', 'delta'];
const FIGURES = [...CALLS, 'memory', 'start'];

async function asked(peer, address, call, [path, init]) {
  const begin = performance.now();
  const answer = await fetch(`${address}${path}`, init);
  const text = await answer.text();
  const ms = performance.now() - begin;
  if (!answer.ok) throw new Error(`${peer.name}, ${call}: ${answer.status} ${text.slice(0, 200)}`);
  peer.heard?.(call, JSON.parse(text));
  return ms;
}

async function firstAnswer({ child, started, address: known }, port) {
  const address = known ?? `http://127.0.0.1:${port}`;
  while (child.exitCode === null) {
    const answer = await fetch(address).catch(() => undefined);
    if (answer) return { address, start: performance.now() - started };
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`ended with ${child.exitCode}`);
}

async function measured(peer, installed, items) {
  const port = await freePort();
  const server = await peer.start(installed, { items, port });
  try {
    const { address, start } = await firstAnswer(server, port);
    await peer.fill?.(address, items);
    const times = Object.fromEntries(CALLS.map((call) => [call, []]));
    for (let at = 0; at < WARM_UP + REQUESTS; at += 1) {
      for (const call of CALLS) {
        times[call].push(await asked(peer, address, call, peer.calls[call](at, items)));
      }
    }
    const middles = CALLS.map((call) => [call, median(times[call].slice(WARM_UP))]);
    const memory = memoryOf(await server.pids());
    return { peer: peer.name, items, ...Object.fromEntries(middles), memory, start };
  } finally {
    const end = new Promise((resolve) => server.child.once('exit', resolve));
    server.stop();
    await end;
    await peer.end?.();
  }
}

const digits = (number) => number.toFixed(number < 100 ? 1 : 0).padStart(9);

async function run(url) {
  const folder = given.keep || mkdtempSync(join(tmpdir(), 'satchel-peers-'));
  mkdirSync(folder, { recursive: true });
  const peers = [
    satchelOn(url, await admitted(url)),
    shaarli,
    ttRssOn(given.server),
    pouchdb,
  ].filter(({ name }) => name.toLowerCase().includes(given.only));
  const rows = [];
  try {
    console.log(`${REQUESTS} requests each, medians in ms, memory in MB`);
    console.log('items'.padEnd(8), 'peer'.padEnd(22), ...FIGURES.map((one) => one.padStart(9)));
    const ready = peers.map((peer) => [peer, peer.install(folder)]);
    for (const items of given.sizes.split(',').map(Number)) {
      for (const [peer, installed] of ready) {
        const row = await measured(peer, installed, items);
        rows.push(row);
        const cells = FIGURES.map((figure) => digits(row[figure]));
        console.log(String(items).padEnd(8), peer.name.padEnd(22), ...cells);
      }
    }
    console.log(`load ${loadavg()[0].toFixed(1)}`);
  } finally {
    if (given.keep === '') rmSync(folder, { recursive: true });
  }
  return rows;
}

/** Returns each alternative's figures as multiples of Satchel's. */
function ratiosOf(rows) {
  const own = (items) => rows.find((row) => row.peer === 'Satchel' && row.items === items);
  const others = rows.filter(({ peer, items }) => peer !== 'Satchel' && own(items));
  return Object.fromEntries(
    others.flatMap((row) =>
      FIGURES.map((figure) => [
        `${row.peer}, ${row.items} items, ${figure} beside Satchel`,
        row[figure] / own(row.items)[figure],
      ]),
    ),
  );
}

const rows = await onCopy(given.server, await sizesDatabase(given.server), run);
keepFigures(given.json, { ratios: ratiosOf(rows), rows });
