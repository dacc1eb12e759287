import { Logger } from '@nestjs/common';

import { PageRepository } from '../../src/articles/resolver/page.repository.js';
import { StoredPageTexts } from '../../src/articles/resolver/stored-page-texts.js';
import { isDistributed } from '../../src/platform/database/database.js';
import { DueTextRepository } from '../../src/reading-list/texts/due-text.repository.js';
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

const save = (slug: string, owner = user) =>
  lists.send(owner, [{ action: 'add', url: `https://site.example/${slug}` }]);
const countIn = async (table: 'due_texts' | 'item_texts', owner = user): Promise<number> =>
  (await lists.tables.query(`SELECT FROM ${table} WHERE user_id = $1`, [owner])).length;

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

  it('stores the words of several users, with one statement if their lists are on one server', async () => {
    const other = await lists.aUser();
    await save('one');
    await save('two', other);

    await indexer.writeNext();

    const rows = await lists.tables.query<{ words: string; xmin: string }>(
      `SELECT words::text, xmin::text FROM item_texts WHERE user_id IN ($1, $2) ORDER BY user_id`,
      [user, other],
    );
    expect(rows.map(({ words }) => words)).toEqual([
      expect.stringContaining(`'#${user}'`),
      expect.stringContaining(`'#${other}'`),
    ]);
    const transactions = new Set(rows.map(({ xmin }) => xmin)).size;
    expect(transactions).toBe(isDistributed(lists.database.manager) ? 2 : 1);
  });

  it('indexes each item in its own transaction if their articles are too long together', async () => {
    const longTexts = { of: () => Promise.resolve(new Map([['0', 'Heron. '.repeat(70_000)]])) };
    const { manager } = lists.database;
    const due = DueTextRepository.in(manager);
    await save('one');
    await save('two');

    await new TextIndexer(lists.database, due, longTexts).writeNext();

    const rows = await lists.tables.query<{ xmin: string }>(
      `SELECT xmin::text FROM item_texts WHERE user_id = $1 AND words @@ 'heron'`,
      [user],
    );
    expect(new Set(rows.map(({ xmin }) => xmin)).size).toBe(2);
  });

  it('postpones only the user whose words cannot be stored at the moment', async () => {
    const warned = jest.spyOn(Logger.prototype, 'warn').mockImplementation();
    const other = await lists.aUser();
    await save('one');
    await save('two', other);
    await lists.tables.query(`
      CREATE FUNCTION refuse_words() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN RAISE EXCEPTION 'no connection' USING ERRCODE = '08006'; END $$`);
    await lists.tables.query(`
      CREATE TRIGGER refuse_words BEFORE INSERT ON item_texts FOR EACH ROW
        WHEN (NEW.user_id = ${other}) EXECUTE FUNCTION refuse_words()`);

    expect(await indexer.writeNext()).toBe(true);
    expect([await countIn('due_texts'), await countIn('item_texts')]).toEqual([0, 1]);
    expect([await countIn('due_texts', other), await countIn('item_texts', other)]).toEqual([1, 0]);
    expect(warned).toHaveBeenCalledTimes(1);
    expect(await indexer.writeNext()).toBe(false);

    await lists.tables.query('DROP TRIGGER refuse_words ON item_texts');
    await lists.tables.query('DROP FUNCTION refuse_words');
    await indexer.writeNow(
      other,
      (
        await lists.tables.query<{ id: string }>(
          'SELECT item_id AS id FROM due_texts WHERE user_id = $1',
          [other],
        )
      ).map(({ id }) => id),
    );
    expect([await countIn('due_texts', other), await countIn('item_texts', other)]).toEqual([0, 1]);
    warned.mockRestore();
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
