import { Clock } from '../../src/platform/common/clock.js';
import {
  migrationStatus,
  revertMigration,
  runMigrations,
} from '../../src/platform/database/migrator.js';
import { DeletionsService } from '../../src/reading-list/deletions/deletions.service.js';
import { ListRepository } from '../../src/reading-list/list/list.repository.js';
import { ListTransactions } from '../../src/reading-list/list-transactions.js';
import { ListsOnPostgres } from '../support/a-list.js';

let lists: ListsOnPostgres;
let user: string;

beforeAll(async () => {
  lists = await ListsOnPostgres.start();
});
afterAll(() => lists.stop());
beforeEach(async () => {
  user = await lists.aUser();
});

const add = (name: string, tags: readonly string[] = []) => ({
  ...{ action: 'add', url: `https://example.com/${name}` },
  ...(tags.length > 0 && { tags }),
});
const mark = (name: string, annotationId: string, note?: string) => ({
  ...{ action: 'add_annotation', url: `https://example.com/${name}` },
  annotation: { annotation_id: annotationId, quote: 'q', patch: 'p', ...(note && { note }) },
});

/** Returns numbers keyed by the URL's last part, the tag name, or the annotation id. */
async function numbers(): Promise<Record<string, number>> {
  const rows = await lists.tables.query<{ name: string; number: number }>(
    `SELECT reverse(split_part(reverse(given_url), '/', 1)) AS name, number FROM items WHERE user_id = $1
     UNION ALL SELECT name, number FROM tags WHERE user_id = $1
     UNION ALL SELECT annotation_id, number FROM annotations WHERE user_id = $1`,
    [user],
  );
  return Object.fromEntries(rows.map(({ name, number }) => [name, number]));
}

const idOf = async (name: string): Promise<string> => {
  const [row] = await lists.tables.query<{ item_id: string }>(
    `SELECT item_id FROM items WHERE user_id = $1 AND given_url LIKE '%/' || $2`,
    [user, name],
  );
  return row!.item_id;
};

describe('numbers of items, tags and annotations', () => {
  it('increase in the order of addition, in one sequence per list', async () => {
    await lists.send(user, [add('a', ['x']), add('b', ['y', 'x'])]);
    await lists.send(user, [add('c'), mark('a', 'one')]);

    const { a, b, x, y, c, one } = await numbers();

    expect([a, b]).toEqual([1, 2]);
    expect([x, y].sort()).toEqual([3, 4]);
    expect([c, one]).toEqual([5, 6]);
    expect(await lists.faults(user)).toEqual([]);
  });

  it('stay the same while the item, tag or annotation exists', async () => {
    await lists.send(user, [add('a', ['x']), mark('a', 'one')]);
    const before = await numbers();

    await lists.send(user, [{ ...add('a', ['X']), title: 'Other' }, mark('a', 'one', 'a note')]);
    await lists.send(user, [{ action: 'archive', item_id: await idOf('a') }, add('a')]);

    expect(await numbers()).toEqual(before);
  });

  it('are not used again after a deletion', async () => {
    await lists.send(user, [add('a', ['x'])]);
    const before = await numbers();
    await lists.send(user, [{ action: 'delete', url: 'https://example.com/a' }]);
    await lists.send(user, [add('a', ['x'])]);
    const between = await numbers();

    await lists.send(user, [{ action: 'delete', url: 'https://example.com/a' }, add('a', ['x'])]);

    const after = await numbers();
    expect(between['a']).toBeGreaterThan(before['x']!);
    expect(between['x']).toBeGreaterThan(before['x']!);
    expect(after['a']).toBeGreaterThan(between['x']!);
    expect(await lists.faults(user)).toEqual([]);
  });

  it('are restored when a deletion is undone', async () => {
    const { manager } = lists.dataSource;
    const deletions = new DeletionsService(
      new ListTransactions(lists.database, new Clock(), ListRepository.in(manager)),
    );
    await lists.send(user, [add('a'), mark('a', 'one'), add('b')]);
    const before = await numbers();
    const id = await idOf('a');
    await deletions.delete(user, [id]);
    await lists.send(user, [add('c')]);

    await deletions.undo(user, [id]);

    const { c, ...after } = await numbers();
    expect(after).toEqual(before);
    expect(c).toBeGreaterThan(before['one']!);
    expect(await lists.faults(user)).toEqual([]);
  });

  it('are unique when many items are added at the same time', async () => {
    await Promise.all(
      Array.from({ length: 20 }, (_, n) => lists.send(user, [add(`n${n}`, [`t${n % 3}`])])),
    );

    expect(Object.keys(await numbers())).toHaveLength(23);
    expect(await lists.faults(user)).toEqual([]);
  });
});

it('the migration numbers existing and deleted items in the order of addition', async () => {
  const { tables } = lists;
  await lists.clear();
  user = await lists.aUser();
  while ((await migrationStatus(tables.connection)).executed.join().includes('NumberItems')) {
    await revertMigration(tables.connection);
  }
  await tables.query(`INSERT INTO lists (user_id) VALUES ($1)`, [user]);
  await tables.query(
    `INSERT INTO items (user_id, item_id, stamp, time_added, time_updated, given_url, title_key, url_key, search_text)
     SELECT $1, n, 1, 100 - n, 1, 'https://example.com/' || n, '', '', '' FROM generate_series(1, 3) n`,
    [user],
  );
  await tables.query(
    `INSERT INTO annotations (user_id, annotation_id, item_id, quote, patch, version, created_at)
     SELECT $1, 'mark' || n, n, 'q', 'p', '2', 50 + n FROM generate_series(1, 2) n`,
    [user],
  );
  await tables.query(
    `INSERT INTO tags (user_id, tag_id, name, item_count) VALUES ($1, 5, 'x', 1)`,
    [user],
  );
  await tables.query(
    `INSERT INTO deleted_items (user_id, item_id, deleted_at, item, annotations)
     VALUES ($1, 9, now(), '{"item_id": 9}', '[{"annotation_id": "old", "created_at": 7}]')`,
    [user],
  );

  await runMigrations(tables.connection);

  expect(await numbers()).toEqual({ 3: 1, 2: 2, 1: 3, x: 4, mark1: 5, mark2: 6 });
  expect(
    await tables.query(
      `SELECT item->>'number' AS number, annotations#>>'{0,number}' AS mark, annotations#>>'{0,updated_at}' AS updated,
         numbers FROM deleted_items JOIN lists USING (user_id) WHERE user_id = $1`,
      [user],
    ),
  ).toEqual([{ number: '7', mark: '8', updated: '7', numbers: 8 }]);
});
