// Satchel with the same calls, on a copy of the lists in bench/size-data.mjs. Like the other programs, it fetches no
// pages.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import pg from 'pg';

import { startedService } from '../service.mjs';
import { SIZES } from '../size-data.mjs';

const post = (path, members) => [
  path,
  {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(members),
  },
];

let caller;
let known = { since: 0, ids: [] };

/** Returns Satchel's database sessions, whose memory counts too. */
async function sessionsOf(url) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query(
    `SELECT pid FROM pg_stat_activity WHERE application_name = 'satchel' AND datname = current_database()`,
  );
  await client.end();
  return rows.map(({ pid }) => pid);
}

export const satchelOn = (url, admission) => ({
  name: 'Satchel',
  install: () => ({}),
  async start() {
    const directory = mkdtempSync(join(tmpdir(), 'satchel-peers-'));
    const started = performance.now();
    const { child, address } = await startedService(url, directory, {
      variables: { RESOLVER_CONCURRENCY: '0' },
    });
    const pids = async () => [child.pid, ...(await sessionsOf(url))];
    return { child, started, address, pids, stop: () => child.kill() };
  },
  async fill(address, items) {
    caller = admission.of(SIZES.find((size) => size.items === items).user);
    const [path, init] = post('/v3/get', { ...caller, count: 30, state: 'all' });
    const { list, since } = await (await fetch(`${address}${path}`, init)).json();
    known = { since, ids: Object.keys(list) };
  },
  calls: {
    list: () =>
      post('/v3/get', {
        ...caller,
        count: 30,
        state: 'all',
        sort: 'newest',
        detailType: 'complete',
      }),
    add: (at) =>
      post('/v3/add', { ...caller, url: `https://example.com/peers/${at}`, title: 'Saved' }),
    update: (at) => {
      const action = ['archive', 'readd'][at % 2];
      const actions = [{ action, item_id: known.ids[at % known.ids.length] }];
      return post('/v3/send', { ...caller, actions });
    },
    delta: () =>
      post('/v3/get', { ...caller, since: known.since, state: 'all', detailType: 'complete' }),
  },
  heard(call, answer) {
    if (call === 'delta') known.since = answer.since;
  },
});
