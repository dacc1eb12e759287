import { PageRepository } from '../../src/articles/resolver/page.repository.js';
import { StoredPageTexts } from '../../src/articles/resolver/stored-page-texts.js';
import { DueTextRepository } from '../../src/reading-list/texts/item-text.repository.js';
import { TextIndexer } from '../../src/reading-list/texts/text-indexer.js';
import { ListsOnPostgres } from '../support/a-list.js';

let lists: ListsOnPostgres;
let indexer: TextIndexer;
let user: string;

beforeAll(async () => {
  lists = await ListsOnPostgres.start();
  const { manager } = lists.database;
  indexer = new TextIndexer(
    lists.database,
    DueTextRepository.in(manager),
    new StoredPageTexts(PageRepository.in(manager)),
  );
});
afterAll(() => lists.stop());
beforeEach(async () => {
  user = await lists.aUser();
});

const save = (slug: string) =>
  lists.send(user, [{ action: 'add', url: `https://site.example/${slug}` }]);
const countIn = async (table: 'due_texts' | 'item_texts'): Promise<number> =>
  (await lists.tables.query(`SELECT FROM ${table} WHERE user_id = $1`, [user])).length;

describe('TextIndexer.writeNext', () => {
  it('does not wait for a deletion of the item, and writes no text for it', async () => {
    await save('going');

    await lists.database.transaction(async (manager) => {
      await manager.query('DELETE FROM items WHERE user_id = $1', [user]);
      expect(await indexer.writeNext()).toBe(false);
      await manager.query('DELETE FROM users WHERE id = $1', [user]);
    });

    expect([await countIn('due_texts'), await countIn('item_texts')]).toEqual([0, 0]);
  });

  it('indexes an item whose deletion was rolled back', async () => {
    await save('staying');
    const undone = new Error('undone');
    const deletion = lists.database.transaction(async (manager) => {
      await manager.query('DELETE FROM items WHERE user_id = $1', [user]);
      await indexer.writeNext();
      throw undone;
    });
    await expect(deletion).rejects.toBe(undone);

    expect(await indexer.writeNext()).toBe(true);

    expect([await countIn('due_texts'), await countIn('item_texts')]).toEqual([0, 1]);
  });

  it('skips an item that was deleted', async () => {
    await save('gone');
    await lists.send(user, [{ action: 'delete', url: 'https://site.example/gone' }]);

    await indexer.writeNext();

    expect([await countIn('due_texts'), await countIn('item_texts')]).toEqual([0, 0]);
  });

  it('stores the words of several items with one statement', async () => {
    await save('one');
    await save('two');

    await indexer.writeNext();

    // `cmin` is the number of the statement in the transaction that has written the row.
    const rows = await lists.tables.query<{ cmin: string }>(
      'SELECT cmin::text FROM item_texts WHERE user_id = $1',
      [user],
    );
    expect(rows).toHaveLength(2);
    expect(new Set(rows.map(({ cmin }) => cmin)).size).toBe(1);
  });

  it('indexes each item once if it is called twice at the same time', async () => {
    await save('one');
    await save('two');

    const both = await Promise.all([indexer.writeNext(), indexer.writeNext()]);

    expect(both).toContain(true);
    expect(await indexer.writeNext()).toBe(false);
    expect([await countIn('due_texts'), await countIn('item_texts')]).toEqual([0, 2]);
  });
});
