import { aReader, type Reader, seen, undo, withMarked } from '../support/list-reader.js';
import { until } from '../support/processes.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

let app: TestApp;

beforeAll(async () => {
  app = await aTestApp();
});
afterAll(() => app.close());

const userIdOf = async ({ user }: Reader): Promise<string> => {
  const [row] = await app.database.query<{ id: string }>('SELECT id FROM users WHERE email = $1', [
    user.email,
  ]);
  return row?.id ?? '';
};

const ofReader = 'WHERE item_id = $1 AND user_id = $2';

describe('a deleted item', () => {
  it('is restored with all its data when the deletion is undone', async () => {
    const reader = await aReader(app);
    const [id] = reader.ids;
    const { database } = app;
    await database.query(
      `UPDATE items SET resolved_id = 77, resolved_url = given_url, resolved_title = 'Resolved', word_count = 900, is_article = 1,
       excerpt = 'Said', top_image_url = 'https://example.com/i.png', media = '{"authors":[],"images":[{"src":"https://example.com/i.png","width":1,"height":2,"credit":"","caption":"é"}],"videos":[]}'
       WHERE item_id = $1`,
      [id],
    );
    await reader.api
      .send([
        { action: 'archive', item_id: id, time: 1_700_000_100 },
        { action: 'favorite', item_id: id, time: 1_700_000_200 },
        {
          ...{ action: 'add_annotation', item_id: id },
          annotation: { annotation_id: `note-${id}`, quote: 'Said', patch: 'p', version: '2' },
        },
      ])
      .expect(200);
    const own = [id, await userIdOf(reader)];
    const belongings = async () => [
      await database.query(`SELECT * FROM annotations ${ofReader}`, own),
      await database.query(`SELECT * FROM reading_positions ${ofReader}`, own),
    ];
    await database.query(`UPDATE annotations SET note = 'Mine' ${ofReader}`, own);
    await database.query(
      `INSERT INTO reading_positions SELECT user_id, item_id, 0.42, 7, now() FROM items ${ofReader}`,
      own,
    );
    const had = await belongings();
    await database.query(
      `INSERT INTO pages (page_key, url, host, owner_id, item_id, content, article)
       SELECT 'own', 'https://example.com/a', 'example.com', user_id, item_id, '{"a":1}', 'html' FROM items WHERE item_id = $1 AND user_id = $2`,
      [id, await userIdOf(reader)],
    );
    const before = { ...(await reader.api.item(id ?? '')), time_updated: '' };
    const notice = await withMarked(reader, { action: 'delete', 'item[]': [id] });
    expect(await reader.api.item(id ?? '')).toBeUndefined();

    await undo(reader, notice);

    const after = { ...(await reader.api.item(id ?? '')), time_updated: '' };
    expect(after).toEqual(before);
    expect(await belongings()).toEqual(had);
    expect(had.map(({ length }) => length)).toEqual([1, 1]);
    await until(
      async () => (await database.query(`SELECT FROM item_texts ${ofReader}`, own)).length > 0,
    );
    expect(
      await database.query(`SELECT url, article::text FROM pages WHERE item_id = $1`, [id]),
    ).toEqual([{ url: 'https://example.com/a', article: '\\x68746d6c' }]);
    const waiting = `SELECT FROM page_requests WHERE item_id = $1 AND user_id = $2`;
    expect(await database.query(waiting, [id, await userIdOf(reader)])).toEqual([]);
  });

  it('is restored if it was deleted before highlights had notes', async () => {
    const reader = await aReader(app);
    const [id] = reader.ids;
    const own = [id, await userIdOf(reader)];
    const annotation = { annotation_id: `old-${id}`, quote: 'Said', patch: 'p', version: '2' };
    await reader.api.send([{ action: 'add_annotation', item_id: id, annotation }]).expect(200);
    const notice = await withMarked(reader, { action: 'delete', 'item[]': [id] });
    await app.database.query(
      `UPDATE deleted_items SET position = NULL, annotations = (annotations::jsonb #- '{0,note}')::json ${ofReader}`,
      own,
    );

    await undo(reader, notice);

    const kept = `SELECT quote, note FROM annotations ${ofReader}`;
    expect(await app.database.query(kept, own)).toEqual([{ quote: 'Said', note: '' }]);
  });

  it.each(['excerpt', 'top_image_url', 'word_count', 'has_image'])(
    'is restored if it was deleted before items had the column %s',
    async (column) => {
      const reader = await aReader(app);
      const [id] = reader.ids;
      const own = [id, await userIdOf(reader)];
      await app.database.query(`UPDATE items SET resolved_id = 78 ${ofReader}`, own);
      const notice = await withMarked(reader, { action: 'delete', 'item[]': [id] });
      await app.database.query(
        `UPDATE deleted_items SET item = (item::jsonb - '${column}')::json ${ofReader}`,
        own,
      );

      await undo(reader, notice);

      expect(await reader.api.item(id ?? '')).toMatchObject({ resolved_id: '78' });
    },
  );

  it('is not restored if its URL was saved again in the meantime', async () => {
    const reader = await aReader(app);
    const notice = await withMarked(reader, { action: 'delete', 'item[]': [reader.ids[0]] });
    await reader.api.add({ url: 'https://example.com/a', title: 'saved anew' }).expect(200);

    await undo(reader, notice);

    expect(await seen(reader)).toContain('saved anew 0 0 ');
  });
});
