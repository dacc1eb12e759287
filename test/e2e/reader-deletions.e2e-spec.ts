import type { Response } from 'supertest';

import { parseDocument } from '../../src/extraction/dom.js';
import { aVisitor } from '../support/oauth-api.js';
import { formIn } from '../support/page-visitor.js';
import { until } from '../support/processes.js';
import { ReadingListApi } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

let app: TestApp;

beforeAll(async () => {
  app = await aTestApp();
});
afterAll(() => app.close());

type Reader = Awaited<ReturnType<typeof aVisitor>> & {
  readonly api: ReadingListApi;
  readonly ids: readonly string[];
};

/** A reader with three items, `a`, `b` and `c`. */
async function aReader(): Promise<Reader> {
  const api = await ReadingListApi.of(app);
  const visitor = await aVisitor(app, api.user);
  const added = ['a', 'b', 'c'].map((name, at) => ({
    ...{ action: 'add', url: `https://example.com/${name}`, title: name },
    ...{ tags: `${name},all`, time: 1_700_000_000 + at },
  }));
  await api.send(added).expect(200);
  const items = await api.items({ sort: 'oldest' });
  return Object.assign(visitor, { api, ids: items.map(({ item_id: id }) => id) });
}

const locationOf = ({ headers }: Response): string => String(headers['location']);

/** Sends the form of the list with some of its items marked, and gives the page that follows. */
async function withMarked(reader: Reader, fields: object): Promise<Response> {
  const { fields: secrets } = await reader.form('/list', '/list/actions');
  const answer = await reader.agent
    .post('/list/actions')
    .type('form')
    .send({ _csrf: secrets['_csrf'], back: secrets['back'], ...fields })
    .expect(303);
  return reader.open(locationOf(answer)).expect(200);
}

const undo = async (reader: Reader, page: Response): Promise<Response> => {
  const form = formIn(page, '/list/actions');
  const ids = [...parseDocument(page.text).body.querySelectorAll('#undo [name="item[]"]')];
  const { _csrf, action, back } = form.fields;
  const answer = await reader.agent
    .post('/list/actions')
    .type('form')
    .send({ _csrf, action, back, 'item[]': ids.map((input) => input.getAttribute('value')) })
    .expect(303);
  return reader.open(locationOf(answer)).expect(200);
};

const seen = async ({ api }: Reader): Promise<string[]> =>
  (await api.items({ state: 'all', sort: 'oldest', detailType: 'complete' })).map((item) =>
    [item.given_title, item.status, item.favorite, Object.keys(item.tags ?? {}).join()].join(' '),
  );

const userIdOf = async ({ user }: Reader): Promise<string> => {
  const [row] = await app.database.query<{ id: string }>('SELECT id FROM users WHERE email = $1', [
    user.email,
  ]);
  return row?.id ?? '';
};

const ofReader = 'WHERE item_id = $1 AND user_id = $2';

describe('an item that was deleted', () => {
  it('comes back with all that it was', async () => {
    const reader = await aReader();
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

  it('comes back also if it was deleted before highlights had notes', async () => {
    const reader = await aReader();
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

  it('is not brought back over one that was saved meanwhile', async () => {
    const reader = await aReader();
    const notice = await withMarked(reader, { action: 'delete', 'item[]': [reader.ids[0]] });
    await reader.api.add({ url: 'https://example.com/a', title: 'saved anew' }).expect(200);

    await undo(reader, notice);

    expect(await seen(reader)).toContain('saved anew 0 0 ');
  });
});
