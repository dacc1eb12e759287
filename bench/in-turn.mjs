// Drives the service and both floors in turn with the same calls, and prints a row of figures.
import { setTimeout as pause } from 'node:timers/promises';

import autocannon from 'autocannon';
import pg from 'pg';

import { between } from './processor.mjs';
import { median } from './sends.mjs';

const SIDES = ['bare', 'fair', 'service'];

/** Sends one request first, so that an error is shown before thousands of requests fail. */
async function proved(url, [{ path, method, headers, body, setupRequest }]) {
  const request = { path, method, headers, body };
  const ready = setupRequest === undefined ? request : setupRequest(request);
  const response = await fetch(`${url}${ready.path}`, ready);
  const text = await response.text();
  const results = JSON.parse(text).action_results ?? [];
  if (response.status !== 200 || results.includes(false)) throw new Error(`${ready.path}: ${text}`);
}

/** Returns figures per request. Any status except 2xx means that the benchmark is wrong. */
async function measured(
  { url, processor, drained },
  requests,
  { connections, seconds, isIndexed },
) {
  const before = await processor.read();
  const begin = performance.now();
  const result = await autocannon({ url, connections, duration: seconds, requests });
  if (result.non2xx + result.errors > 0)
    throw new Error(`${result.non2xx} refusals, ${result.errors} errors at ${url}`);
  const after = await processor.read();
  const { total } = result.requests;
  const { p50, p97_5: p975 } = result.latency;
  const figures = {
    rate: result.requests.average,
    used: between(before, after) / total,
    p50,
    p975,
  };
  if (!isIndexed) return [figures];
  await drained?.();
  const rate = total / ((performance.now() - begin) / 1000);
  const used = figures.used + between(after, await processor.read()) / total;
  return [figures, { ...figures, rate, used }];
}

const round = (number) => number.toFixed(0).padStart(8);
const share = (number) => `${round(100 * number)} %`;

function rowOf({ name, goal, bareGoal = '' }, runs) {
  const medianOf = (of) => median(runs.map(of));
  const each = (figure) => SIDES.map((side) => medianOf((run) => run[side][figure]));
  const [floorRate, fairRate, rate] = each('rate');
  const [floorUsed, fairUsed, used] = each('used');
  const [floorP50, fairP50, p50] = each('p50');
  const [floorP975, fairP975, p975] = each('p975');
  return {
    ...{ name, goal, bareGoal, rate, fairRate, floorRate, used, fairUsed, floorUsed },
    rateRatio: medianOf(({ service, bare }) => service.rate / bare.rate),
    fairRateRatio: medianOf(({ service, fair }) => service.rate / fair.rate),
    usedRatio: medianOf(({ service, bare }) => bare.used / service.used),
    fairRatio: medianOf(({ service, fair }) => fair.used / service.used),
    ...{ p50, fairP50, floorP50, p975, fairP975, floorP975 },
  };
}

const NAME_WIDTH = 44;

export function printHead() {
  const sides = ' service     fair     bare';
  const groups = ['requests a second', 'processor, µs a request', 'median, ms', 'p97.5, ms'];
  const titles = groups.map((group) => group.padStart(sides.length));
  const shares = 'share of fair   goal   of bare   goal'.padStart(39);
  console.log(''.padEnd(NAME_WIDTH), titles[0], titles[1], shares, titles[2], titles[3]);
  console.log(''.padEnd(NAME_WIDTH), sides, sides, ''.padEnd(39), sides, sides);
}

function print(row) {
  console.log(
    row.name.padEnd(NAME_WIDTH),
    ...[row.rate, row.fairRate, row.floorRate, row.used, row.fairUsed, row.floorUsed].map(round),
    share(row.fairRatio).padStart(14),
    row.goal.padStart(6),
    share(row.usedRatio),
    row.bareGoal.padStart(6),
    ...[row.p50, row.fairP50, row.floorP50, row.p975, row.fairP975, row.floorP975].map(round),
  );
}

/**
 * Returns a row for the calls, or two for calls whose words are stored in the background: without and with the time until
 * they are stored. The first round warms up all servers and is discarded.
 */
export async function compared(shape, servers, { rounds, ...options }) {
  const { isIndexed = false, connections = options.connections } = shape;
  for (const side of SIDES) await proved(servers[side].url, shape[side]);
  const runs = [];
  for (let at = 0; at <= rounds; at += 1) {
    const run = {};
    for (const side of SIDES) {
      const terms = { ...options, connections, isIndexed };
      run[side] = await measured(servers[side], shape[side], terms);
    }
    if (at > 0) runs.push(run);
  }
  const names = [shape.name, ...(isIndexed ? [`${shape.name}, until its words are stored`] : [])];
  const rows = names.map((name, nth) =>
    rowOf(
      { ...shape, name },
      runs.map((run) => Object.fromEntries(SIDES.map((side) => [side, run[side][nth]]))),
    ),
  );
  rows.forEach(print);
  return rows;
}

/** Returns a function that waits until a queue in the database is empty. */
export const emptied = (url, queue) => async () => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (let wait = 0; wait < 6000; wait += 1) {
      const { rows } = await client.query(`SELECT FROM ${queue} LIMIT 1`);
      if (rows.length === 0) return;
      await pause(20);
    }
    throw new Error(`${queue} is not empty after two minutes`);
  } finally {
    await client.end();
  }
};
