import { setTimeout as sleep } from 'node:timers/promises';

import pg from 'pg';

import { TombstoneRepository } from '../../src/reading-list/list/tombstone.repository.js';
import { ListsOnPostgres } from '../support/a-list.js';

let lists: ListsOnPostgres;

beforeAll(async () => {
  lists = await ListsOnPostgres.start();
});
afterAll(() => lists.stop());

/** Creates a list with a number of tombstones per version. */
async function aListWith(tombstones: Readonly<Record<number, number>>): Promise<string> {
  const user = await lists.aUser();
  await lists.tables.query(`INSERT INTO lists (user_id) VALUES ($1)`, [user]);
  for (const [stamp, count] of Object.entries(tombstones)) {
    await lists.tables.query(
      `INSERT INTO tombstones (user_id, item_id, stamp) SELECT $1, $2::bigint * 10000 + n, $2 FROM generate_series(1, $3) n`,
      [user, stamp, count],
    );
  }
  return user;
}

const stampsOf = async (user: string): Promise<number[]> =>
  (
    await lists.tables.query<{ stamp: string }>(
      `SELECT DISTINCT stamp FROM tombstones WHERE user_id = $1 ORDER BY 1`,
      [user],
    )
  ).map(({ stamp }) => Number(stamp));

const purge = (stamp: number): Promise<number> =>
  TombstoneRepository.in(lists.database.manager).purge(stamp);

const WAITING = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;

async function somebodyWaits(): Promise<void> {
  while ((await lists.tables.query(WAITING)).length === 0) {
    await sleep(5);
  }
}

describe('TombstoneRepository.purge', () => {
  it('deletes all tombstones that are older than the version, in every list', async () => {
    const many = await aListWith({ 10: 2500, 20: 1 });
    const none = await aListWith({});
    const others = await Promise.all(
      Array.from({ length: 60 }, () => aListWith({ 19: 1, 20: 1, 21: 1 })),
    );

    expect(await purge(20)).toBe(2560);

    expect(await stampsOf(many)).toEqual([20]);
    expect(await stampsOf(none)).toEqual([]);
    expect(await Promise.all(others.map(stampsOf))).toEqual(others.map(() => [20, 21]));
    expect(await purge(20)).toBe(0);
  });

  it('keeps a tombstone that gets a newer version at the same time', async () => {
    const user = await aListWith({ 5: 1 });
    const session = new pg.Client({ connectionString: lists.tables.url });
    await session.connect();
    await session.query(`BEGIN`);
    await session.query(`UPDATE tombstones SET stamp = 30 WHERE user_id = $1`, [user]);

    const purged = purge(20);
    await somebodyWaits();
    await session.query(`COMMIT`);
    await purged;
    await session.end();

    expect(await stampsOf(user)).toEqual([30]);
  });
});
