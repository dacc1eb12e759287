// Compares lists in Satchel, Karakeep and linkding by elapsed time: the newest 30 items, 30 items of a tag, a search, an
// addition, an archive, changes since the last delta, and memory. Builds and starts Karakeep's API from a checkout of its
// sources. Use empty instances of running programs, because the benchmark fills them with items. Their memory needs the
// ids of their processes.
//   npm run bench -- peers [--karakeep-source CHECKOUT [--karakeep-packages DIRECTORY]]
//     [--karakeep URL --karakeep-key KEY --karakeep-pid PID]
//     [--linkding URL --linkding-token TOKEN --linkding-pid PID] [--server URL --items 1000 --requests 30 --json FILE]
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';

import { JSON_OPTION, keepFigures } from './figures.mjs';
import { karakeepAt } from './peers/karakeep.mjs';
import { withKarakeep } from './peers/karakeep-sources.mjs';
import { linkdingAt } from './peers/linkding.mjs';
import { memoryOf } from './peers/memory.mjs';
import { withSatchel } from './peers/satchel.mjs';
import { median } from './sends.mjs';

const text = (value = '') => ({ type: 'string', default: value });
const { values: given } = parseArgs({
  options: {
    server: text('postgres://postgres@127.0.0.1:5432/postgres'),
    items: text('1000'),
    requests: text('30'),
    karakeep: text(),
    'karakeep-key': text(),
    'karakeep-pid': text(),
    'karakeep-source': text(),
    'karakeep-packages': text(),
    linkding: text(),
    'linkding-token': text(),
    'linkding-pid': text(),
    ...JSON_OPTION,
  },
});
const [ITEMS, REQUESTS] = [Number(given.items), Number(given.requests)];
const WARM_UP = 5;
const CALLS = ['page', 'tag', 'search', 'add', 'archive', 'delta'];
const FIGURES = [...CALLS, 'memory'];

async function asked({ name, address }, [path, init]) {
  const answer = await fetch(`${address}${path}`, init);
  const body = await answer.text();
  if (!answer.ok) throw new Error(`${name}, ${path}: ${answer.status} ${body.slice(0, 200)}`);
  return body === '' ? undefined : JSON.parse(body);
}

async function timed(peer, call, at) {
  const request = peer.calls[call](at);
  const begin = performance.now();
  const answer = await asked(peer, request);
  const ms = performance.now() - begin;
  peer.heard?.(call, answer);
  return ms;
}

/** Removes the calls that fail, such as a search without a search server, and reports them. */
async function tried(peer) {
  for (const call of Object.keys(peer.calls)) {
    const error = await timed(peer, call, 0).then(() => undefined, String);
    if (error === undefined) continue;
    console.log(`${call} is left out: ${error}`);
    delete peer.calls[call];
  }
}

/** Asks all programs in turn, so that other load on the machine affects all of them. */
async function measured(peers) {
  const times = new Map(peers.map((peer) => [peer, {}]));
  for (let at = 1; at <= WARM_UP + REQUESTS; at += 1) {
    for (const call of CALLS) {
      for (const peer of peers.filter(({ calls }) => call in calls)) {
        (times.get(peer)[call] ??= []).push(await timed(peer, call, at));
      }
    }
  }
  return times;
}

async function rowOf(peer, times) {
  const middles = Object.entries(times).map(([call, all]) => [call, median(all.slice(WARM_UP))]);
  const pids = await peer.pids();
  const memory = pids === undefined ? {} : { memory: memoryOf(pids) };
  return { peer: peer.name, items: ITEMS, ...Object.fromEntries(middles), ...memory };
}

/** Returns the programs that run already. */
function running() {
  const peers = [];
  if (given.karakeep !== '')
    peers.push(karakeepAt(given.karakeep, given['karakeep-key'], given['karakeep-pid']));
  if (given.linkding !== '')
    peers.push(linkdingAt(given.linkding, given['linkding-token'], given['linkding-pid']));
  return peers;
}

async function compared(peers) {
  for (const peer of peers) {
    await peer.fill(ITEMS, (request) => asked(peer, request));
    await tried(peer);
  }
  const times = await measured(peers);
  return Promise.all(peers.map((peer) => rowOf(peer, times.get(peer))));
}

const digits = (number) => (number === undefined ? '' : number.toFixed(1)).padStart(9);

function print(rows) {
  console.log(`${ITEMS} items, ${REQUESTS} requests each, medians in ms, memory in MB`);
  console.log('peer'.padEnd(12), ...FIGURES.map((one) => one.padStart(9)));
  for (const row of rows) {
    console.log(row.peer.padEnd(12), ...FIGURES.map((figure) => digits(row[figure])));
  }
  console.log(`load ${loadavg()[0].toFixed(1)}`);
}

/** Returns the figures of the other programs as multiples of Satchel's. */
const ratiosOf = ([own, ...others]) =>
  Object.fromEntries(
    others.flatMap((row) =>
      FIGURES.filter((figure) => row[figure] !== undefined).map((figure) => [
        `${row.peer}, ${row.items} items, ${figure} beside Satchel`,
        row[figure] / own[figure],
      ]),
    ),
  );

const compareWith = (others) =>
  withSatchel(given.server, (satchel) => compared([satchel, ...others]));
const { karakeep, 'karakeep-source': source, 'karakeep-packages': packages } = given;
if (karakeep !== '' && source !== '') throw new Error('Use --karakeep or --karakeep-source.');
const rows = await (source === ''
  ? compareWith(running())
  : withKarakeep(source, packages, (started) => compareWith([started, ...running()])));
print(rows);
keepFigures(given.json, { ratios: ratiosOf(rows), rows });
