// Satchel with the same items and calls, on a new database. Like the other programs, it fetches no pages.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import pg from 'pg';

import { admitted } from '../admission.mjs';
import { ended, startedService } from '../service.mjs';
import { administrate } from '../size-data.mjs';
import { itemOf, newItem, TAG, WORD } from './items.mjs';

const DATABASE = 'satchel_bench_peers';
const BATCH = 100;
const USER = `INSERT INTO users (id, name, email, password_hash) OVERRIDING SYSTEM VALUE
  VALUES (1, 'Reader', 'reader@example.com', '')`;

async function queried(url, text) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

/** The database sessions of the service, whose memory counts too. */
const SESSIONS = `SELECT pid FROM pg_stat_activity WHERE application_name = 'satchel' AND datname = current_database()`;

/** Starts the service with one user, and runs the work. Removes the database afterwards. */
export async function withSatchel(server, work) {
  const drop = `DROP DATABASE IF EXISTS ${DATABASE} WITH (FORCE)`;
  await administrate(server, drop, `CREATE DATABASE ${DATABASE}`);
  const url = Object.assign(new URL(server), { pathname: `/${DATABASE}` }).href;
  const directory = mkdtempSync(join(tmpdir(), 'satchel-peers-'));
  const variables = { RESOLVER_CONCURRENCY: '0' };
  const { child, address } = await startedService(url, directory, { variables });
  try {
    await queried(url, USER);
    const pids = async () => [child.pid, ...(await queried(url, SESSIONS)).map(({ pid }) => pid)];
    return await work({ ...satchelAs((await admitted(url)).of('1')), address, pids });
  } finally {
    await ended(child);
    rmSync(directory, { recursive: true });
    await administrate(server, drop);
  }
}

function satchelAs(caller) {
  const known = { since: 0, ids: [] };
  const post = (path, members) => [
    path,
    {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...caller, ...members }),
    },
  ];
  const list = (members) => post('/v3/get', { state: 'all', detailType: 'complete', ...members });
  const page = (members) => list({ count: 30, sort: 'newest', ...members });
  return {
    name: 'Satchel',
    async fill(items, ask) {
      for (let first = 0; first < items; first += BATCH) {
        const count = Math.min(BATCH, items - first);
        const actions = Array.from({ length: count }, (_, at) => {
          const { tags, ...item } = itemOf(first + at);
          return { action: 'add', ...item, tags: tags.join(',') };
        });
        await ask(post('/v3/send', { actions }));
      }
      const { list: all, since } = await ask(list({ count: 5000 }));
      Object.assign(known, { since, ids: Object.keys(all) });
    },
    calls: {
      page: () => page({}),
      tag: () => page({ tag: TAG }),
      search: () => page({ search: WORD }),
      add: (at) => post('/v3/add', newItem(at)),
      archive: (at) => {
        const item_id = known.ids[at % known.ids.length];
        return post('/v3/send', { actions: [{ action: 'archive', item_id }] });
      },
      delta: () => list({ since: known.since }),
    },
    heard(call, answer) {
      if (call === 'delta') known.since = answer.since;
    },
  };
}
