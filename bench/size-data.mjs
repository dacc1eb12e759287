// Lists for benchmarks that compare sizes. They are smaller than those of list-data.mjs, and built in a minute. The
// users in bench/shapes.mjs have lists here too.
import { basename } from 'node:path';

import pg from 'pg';

import { listDatabase, LISTS } from './list-data.mjs';

/** One list per size, with its owner. */
export const SIZES = [
  { items: 200_000, user: '1' },
  { items: 50_000, user: '2' },
  { items: 20_000, user: '3' },
  { items: 5000, user: '4' },
  { items: 1000, user: '5' },
  { items: 100, user: '100' },
].reverse();
/** Users with 100 items, and users with one item. */
export const TYPICAL = { first: 6, users: 100 };
const LEAST = { users: 4900, items: 1 };

/** Runs statements on the server's default database. */
export async function administrate(server, ...statements) {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

/** Returns the URL of the database with these lists. Builds it if it is missing. */
export function sizesDatabase(server) {
  const single = SIZES.slice(1).map(({ items }) => ({ users: 1, items }));
  LISTS.splice(0, LISTS.length, ...single.reverse(), { users: TYPICAL.users, items: 100 }, LEAST);
  return listDatabase(server, 'satchel_bench_sizes');
}

/** Runs the work on a copy of the database, so that the next run finds unchanged lists. */
export async function onCopy(server, source, work) {
  const program = basename(process.argv[1], '.mjs').replaceAll('-', '_');
  const copy = `satchel_bench_copy_${program}`;
  const template = new URL(source).pathname.slice(1);
  // An aborted run leaves its copy.
  await administrate(
    server,
    `DROP DATABASE IF EXISTS ${copy} WITH (FORCE)`,
    `CREATE DATABASE ${copy} TEMPLATE ${template}`,
  );
  try {
    return await work(Object.assign(new URL(server), { pathname: `/${copy}` }).href);
  } finally {
    await administrate(server, `DROP DATABASE IF EXISTS ${copy} WITH (FORCE)`);
  }
}
