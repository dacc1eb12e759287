import { setTimeout as pause } from 'node:timers/promises';

import { parseAction } from '../../src/reading-list/actions/action.parser.js';
import { applyActions } from '../../src/reading-list/actions/apply-actions.js';
import { COMPLETE } from '../../src/reading-list/get/get.request.js';
import { PresentedItem } from '../../src/reading-list/get/item.presenter.js';
import { normalAddress } from '../../src/reading-list/list/address.js';
import { ItemQuery } from '../../src/reading-list/query/item.query.js';
import { ListsOnPostgres, NOW } from '../support/a-list.js';
import { aSharedAction, type Delta, dice, SyncingReader } from '../support/syncing-reader.js';

const WRITERS = 6;
const BATCHES = 40;

class GivenUp extends Error {}

let lists: ListsOnPostgres;
let user: string;

beforeAll(async () => {
  lists = await ListsOnPostgres.start();
});
beforeEach(async () => {
  user = await lists.aUser();
});
afterAll(() => lists.stop());

const ask = async (since?: number): Promise<Delta> => {
  const found = await new ItemQuery(lists.database.manager, user).find({
    filter: since === undefined ? {} : { since },
    order: 'newest',
    page: { count: 5000, offset: 0 },
  });
  const rows = found.rows.map(
    (row) => [row.item_id, new PresentedItem({ row, sortId: 0, shows: COMPLETE })] as const,
  );
  const deleted = found.tombstones.map(({ item_id }) => [item_id, null] as const);
  return { since: found.since, changes: new Map([...rows, ...deleted]) };
};

/**
 * Sends batches, some slowly, and aborts some before the commit. Returns the ids of the items that only this writer
 * adds.
 */
async function write(writer: number): Promise<{ committed: string[]; givenUp: string[] }> {
  const roll = dice(writer + 1);
  const committed: string[] = [];
  const givenUp: string[] = [];
  for (let batch = 0; batch < BATCHES; batch += 1) {
    const own = `https://own.example/${writer}/${batch}`;
    const shared = Array.from({ length: roll(4) }, () => aSharedAction(roll));
    const actions = [...shared, { action: 'add', url: own }].map(parseAction);
    const slow = roll(100);
    const kept = await lists.database
      .transaction(async (manager) => {
        await manager.query('SELECT 1');
        await (slow < 10 && pause(slow * 10));
        await applyActions(manager, user, { actions, now: NOW });
        await (slow > 90 && pause((slow - 90) * 15));
        if (slow % 10 === 5) {
          throw new GivenUp();
        }
        return true;
      })
      .catch((error: unknown) => {
        if (!(error instanceof GivenUp)) {
          throw error;
        }
        return false;
      });
    (kept ? committed : givenUp).push(normalAddress(own)!.itemId);
  }
  return { committed, givenUp };
}

describe('a client that synchronises while others write', () => {
  it('receives each change exactly once', async () => {
    const readers = Array.from({ length: 3 }, () => new SyncingReader(ask));
    let isOver = false;
    const following = readers.map((reader, n) =>
      reader.follow(
        () => isOver,
        () => pause(n * 20),
      ),
    );

    const written = await Promise.all(Array.from({ length: WRITERS }, (_, n) => write(n)));
    isOver = true;
    await Promise.all(following);

    const { changes: list } = await ask();
    const committed = written.flatMap((writer) => writer.committed);
    const givenUp = written.flatMap((writer) => writer.givenUp);
    expect(givenUp.length).toBeGreaterThan(5);
    for (const { copy, deliveries } of readers) {
      expect(Object.fromEntries(copy)).toEqual(Object.fromEntries(list));
      expect(committed.filter((id) => deliveries.get(id) !== 1)).toEqual([]);
      expect(givenUp.filter((id) => deliveries.has(id))).toEqual([]);
    }
    expect(await lists.faults(user)).toEqual([]);
  });

  it('receives the change of a slow transaction on an otherwise idle list', async () => {
    const reader = new SyncingReader(ask);
    const url = 'https://own.example/slow';

    await lists.database.transaction(async (manager) => {
      await applyActions(manager, user, {
        actions: [parseAction({ action: 'add', url })],
        now: NOW,
      });
      await pause(2100);
      await reader.poll();
    });
    await reader.poll();

    expect(reader.deliveries.get(normalAddress(url)!.itemId)).toBe(1);
  });

  it('receives nothing if nothing has changed', async () => {
    await lists.results(user, [{ action: 'add', url: 'https://own.example' }]);
    const { since, changes } = await ask();

    const idle = await ask(since);

    expect(changes.size).toBe(1);
    expect(idle.changes.size).toBe(0);
    expect(idle.since).toBeGreaterThanOrEqual(since);
  });

  it('receives a time near the present from a list that does not change', async () => {
    await lists.tables.query(`INSERT INTO lists (user_id, stamp) VALUES ($1, 1000)`, [user]);

    const before = Math.floor(Date.now() / 1000);
    const { since } = await ask();
    const after = Math.floor(Date.now() / 1000);

    expect(since).toBeGreaterThanOrEqual(before - 60);
    expect(since).toBeLessThanOrEqual(after - 60);
  });
});
