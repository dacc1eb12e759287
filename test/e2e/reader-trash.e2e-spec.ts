import { Trash } from '../../src/reading-list/deletions/trash.service.js';
import { WholeTrash } from '../../src/web/reader/trash/whole-trash.js';
import { aReader, locationOf, type Reader, seen, withMarked } from '../support/list-reader.js';
import { formIn, headingOf, type PageVisitor, shownText } from '../support/page-visitor.js';
import { bodyOf, pagesBefore, pagesFrom, titlesAt, titlesOf } from '../support/shown-list.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

let app: TestApp;

beforeAll(async () => {
  app = await aTestApp();
});
afterAll(() => app.close());

const TRASH = '/list/trash';
const GONE = 'These items are in your list again, or no longer in the trash.';

const deleted = (reader: Reader, ids: readonly string[]) =>
  withMarked(reader, { action: 'delete', 'item[]': ids });

/** Submits the form of the trash. Returns the next page. */
async function inTrash(visitor: PageVisitor, fields: Record<string, string | string[]>) {
  const form = formIn(await visitor.open(TRASH).expect(200), TRASH);
  return visitor.open(locationOf(await visitor.submit(form, fields).expect(303))).expect(200);
}

/** Pretends that an item was deleted some days ago. Citus rejects the subtraction outside of the subquery. */
const days = (count: number, { api }: Reader, id = '') =>
  app.database.query(
    `UPDATE deleted_items SET deleted_at = earlier.at
     FROM (SELECT deleted_at - make_interval(days => $3) AS at FROM deleted_items
       WHERE user_id = $1 AND item_id = $2 OFFSET 0) earlier
     WHERE user_id = $1 AND item_id = $2`,
    [api.user.id, id, count],
  );

describe('the trash', () => {
  it('shows deleted items, the latest first, with the date until which they are kept', async () => {
    const reader = await aReader(app);
    const [a = '', b = ''] = reader.ids;
    await deleted(reader, [a]);
    await deleted(reader, [b]);
    await days(1, reader, a);

    const page = await reader.open(TRASH).expect(200);

    expect(titlesOf(page)).toEqual(['b', 'a']);
    const [, dates] = [...bodyOf(page).querySelectorAll('.facts')].map((facts) =>
      [...facts.querySelectorAll('time')].map((time) =>
        Date.parse(time.getAttribute('datetime') ?? ''),
      ),
    );
    expect(((dates?.[1] ?? 0) - (dates?.[0] ?? 0)) / 86_400_000).toBe(30);
    expect(shownText(page, '.over')).toMatch(/^Trash 2 items, 2\.\d KB$/);
    expect(shownText(page, '.tabs [aria-current]')).toBe('Trash');
  });

  it('says that it is empty', async () => {
    const reader = await aReader(app);

    const page = await reader.open(TRASH).expect(200);

    expect(shownText(page, '.nothing')).toContain('The trash is empty');
    expect(locationOf(await reader.open(`${TRASH}/empty`).expect(303))).toBe(TRASH);
  });

  it('restores one item or the selected items', async () => {
    const reader = await aReader(app);
    const before = await seen(reader);
    const [a = '', b = '', c = ''] = reader.ids;
    await deleted(reader, [a, b, c]);

    const one = await inTrash(reader, { one: `restore:${b}` });
    expect(shownText(one, '.done p')).toBe('Restored.');
    expect(titlesOf(one).toSorted()).toEqual(['a', 'c']);
    const others = await inTrash(reader, { action: 'restore', 'item[]': [a, c] });

    expect(shownText(others, '.done p')).toBe('2 items restored.');
    expect(await seen(reader)).toEqual(before);
    expect(await titlesAt(reader, TRASH)).toEqual([]);
  });

  it('restores all items of all pages, except those that were saved again', async () => {
    const reader = await aReader(app);
    const urls = Array.from({ length: 100 }, (_, at) => `https://many.example/${at}`);
    await reader.api
      .send([...urls, 'https://example.com/a'].map((url) => ({ action: 'add', url })))
      .expect(200);
    const form = await reader.form('/list', '/list/actions');
    await reader.submit(form, { all: '1', action: 'delete' }).expect(303);
    await reader.api.add({ url: 'https://example.com/a' }).expect(200);

    const page = await inTrash(reader, { action: 'restore-all' });

    expect(shownText(page, '.done')).toBe('102 items restored.');
    expect(titlesOf(page)).toEqual(['a']);
    expect((await reader.api.found({ total: 1 }))['total']).toBe('103');
    const again = await inTrash(reader, { action: 'restore-all' });
    expect(shownText(again, '.done')).toBe(GONE);
  });

  it('says so if some items were left in the trash', async () => {
    const reader = await aReader(app);
    await deleted(reader, reader.ids);
    jest.replaceProperty(app.app.get(WholeTrash), 'mostItems', 1);
    jest.replaceProperty(app.app.get(WholeTrash), 'batch', 1);

    const page = await inTrash(reader, { action: 'restore-all' });

    expect(shownText(page, '.done')).toContain('Restored. More items match.');
    expect(titlesOf(page)).toHaveLength(2);
  });

  it('deletes one item or the selected items permanently', async () => {
    const reader = await aReader(app);
    const [a = '', b = '', c = ''] = reader.ids;
    await deleted(reader, [a, b, c]);

    await inTrash(reader, { one: `remove:${b}` });
    const page = await inTrash(reader, { action: 'remove', 'item[]': [a] });

    expect(titlesOf(page)).toEqual(['c']);
    expect(shownText(page, '.done')).toBe('Deleted permanently.');
    expect(await seen(reader)).toEqual([]);
  });

  it('is emptied only after a confirmation, and keeps items that are deleted in the meantime', async () => {
    const reader = await aReader(app);
    const [a = '', b = '', c = ''] = reader.ids;
    await deleted(reader, [a, b]);
    const confirm = await reader.open(`${TRASH}/empty`).expect(200);
    expect(shownText(confirm)).toContain('these 2 items');
    await deleted(reader, [c]);

    const answer = await reader.submit(formIn(confirm, `${TRASH}/empty`)).expect(303);

    const page = await reader.open(locationOf(answer)).expect(200);
    expect(shownText(page, '.done')).toBe('Trash emptied.');
    expect(titlesOf(page)).toEqual(['c']);
  });

  it('shows an item whose page was saved again, but does not restore it', async () => {
    const reader = await aReader(app);
    const [a = ''] = reader.ids;
    await deleted(reader, [a]);
    await reader.api.add({ url: 'https://example.com/a', title: 'saved anew' }).expect(200);

    const page = await reader.open(TRASH).expect(200);

    expect(shownText(page, '.acts')).toBe('In your list again Delete now');
    const same = await inTrash(reader, { action: 'restore', 'item[]': [a] });
    expect(shownText(same, '.done')).toBe(GONE);
    expect((await seen(reader)).filter((item) => item.startsWith('saved anew'))).toHaveLength(1);
  });

  it('keeps the highlights, tags and note of an item that is saved and deleted again', async () => {
    const reader = await aReader(app);
    const [a = ''] = reader.ids;
    const mark = (id: string) => {
      const annotation = { annotation_id: id, quote: id, patch: 'p', version: '2' };
      return reader.api.send([{ action: 'add_annotation', item_id: a, annotation }]).expect(200);
    };
    const own = [reader.api.user.id, a];
    await mark('first');
    await reader.api.send([{ action: 'set_note', item_id: a, note: 'Mine' }]).expect(200);
    await deleted(reader, [a]);
    await reader.api.add({ url: 'https://example.com/a', title: 'again' }).expect(200);
    await mark('second');
    await deleted(reader, [a]);

    const page = await inTrash(reader, { action: 'restore', 'item[]': [a] });

    expect(shownText(page, '.done p')).toBe('Restored.');
    const [item] = await app.database.query(
      `SELECT given_title, note, tags, (SELECT array_agg(quote ORDER BY quote) FROM annotations n
         WHERE n.user_id = i.user_id AND n.item_id = i.item_id) AS quotes
       FROM items i WHERE user_id = $1 AND item_id = $2`,
      own,
    );
    expect(item).toEqual({
      ...{ given_title: 'again', note: 'Mine', tags: ['a', 'all'], quotes: ['first', 'second'] },
    });
  });

  it('shows the tags of the newer item if both copies had tags', async () => {
    const reader = await aReader(app);
    const [a = ''] = reader.ids;
    await deleted(reader, [a]);
    await reader.api.add({ url: 'https://example.com/a', tags: 'newer' }).expect(200);
    await deleted(reader, [a]);

    await inTrash(reader, { action: 'restore', 'item[]': [a] });

    const [item] = await reader.api.items({ tag: 'newer' });
    expect(item?.item_id).toBe(a);
  });

  it('does not contain items that a client deletes', async () => {
    const reader = await aReader(app);
    const [a = ''] = reader.ids;

    await reader.api.send([{ action: 'delete', item_id: a }]).expect(200);

    expect(await titlesAt(reader, TRASH)).toEqual([]);
  });

  it('forgets items after 30 days, and not before', async () => {
    const reader = await aReader(app);
    const other = await aReader(app);
    const [a = '', b = ''] = reader.ids;
    await deleted(reader, [a, b]);
    await deleted(other, other.ids);
    await days(31, reader, a);
    await days(29, reader, b);
    await days(31, other, other.ids[2]);

    await app.app.get(Trash, { strict: false }).sweep();

    expect(await titlesAt(reader, TRASH)).toEqual(['b']);
    expect((await titlesAt(other, TRASH)).toSorted()).toEqual(['a', 'b']);
  });

  it('shows each item once, forwards and backwards, if all were deleted at the same time', async () => {
    const reader = await aReader(app);
    const added = Array.from({ length: 92 }, (_, at) => ({
      ...{ action: 'add', url: `https://many.example/${at}`, title: `t${at}` },
    }));
    await reader.api.send(added).expect(200);
    const items = (await reader.api.items({ state: 'all', sort: 'oldest', count: 30 })).length;
    expect(items).toBe(30);
    const all = await app.database.query<{ item_id: string }>(
      'SELECT item_id FROM items WHERE user_id = $1',
      [reader.api.user.id],
    );
    await deleted(
      reader,
      all.map(({ item_id: id }) => id),
    );

    const forwards = await pagesFrom(reader, TRASH);

    expect(forwards.titles.map(({ length }) => length)).toEqual([40, 40, 15]);
    expect(new Set(forwards.titles.flat()).size).toBe(95);
    expect(await pagesBefore(reader, forwards.last)).toEqual(forwards.titles);
  });

  it('shows the first page if the items of the current page are gone', async () => {
    const reader = await aReader(app);
    await deleted(reader, reader.ids);

    const answer = await reader.open(`${TRASH}?after=1-1&done=trash-emptied`).expect(303);

    expect(locationOf(answer)).toBe(`${TRASH}?done=trash-emptied`);
  });

  it('belongs to one user', async () => {
    const [ada, bob] = [await aReader(app), await aReader(app)];
    const [a = ''] = ada.ids;
    await deleted(ada, [a]);

    const page = await inTrash(ada, { action: 'restore' });
    expect(shownText(page, '.done')).toBe('Select the items first.');
    await deleted(bob, [bob.ids[1] ?? '']);
    const gone = await inTrash(bob, { action: 'remove', 'item[]': [a] });

    expect(shownText(gone, '.done')).toBe(GONE);
    expect(await titlesAt(ada, TRASH)).toEqual(['a']);
  });

  it.each([
    'after=x',
    'after=1',
    'after=1-x',
    `after=${'9'.repeat(16)}-1`,
    'before=1-99999999999999999999',
  ])('returns 400 with an error page for %s', async (query) => {
    const reader = await aReader(app);

    const page = await reader.open(`${TRASH}?${query}`).expect(400);

    expect(headingOf(page)).toBe('Bad Request');
  });

  it.each([{ action: 'archive' }, { one: 'restore:x' }, { one: 'restore:-1' }, { one: ':' }])(
    'rejects the form %j and changes nothing',
    async (fields) => {
      const reader = await aReader(app);
      await deleted(reader, [reader.ids[0] ?? '']);
      const form = formIn(await reader.open(TRASH).expect(200), TRASH);

      await reader.submit(form, fields).expect(400);
      await reader.post(`${TRASH}/empty`, { ...form.fields, until: 'now' }).expect(400);
      await reader.post(`${TRASH}/empty`, { until: '9' }).expect(403);

      expect(await titlesAt(reader, TRASH)).toEqual(['a']);
    },
  );
});
