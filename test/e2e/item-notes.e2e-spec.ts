import type { ItemResponse } from '../../src/reading-list/get/item.presenter.js';
import { aReader, undo, withMarked } from '../support/list-reader.js';
import { ReadingListApi } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

const PAGE = 'https://example.com/noted';

let app: TestApp;
let api: ReadingListApi;
let itemId: string;

beforeAll(async () => {
  app = await aTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  api = await ReadingListApi.of(app);
  itemId = await api.saved(PAGE, { time: 1_600_000_000 });
});

const setNote = (note: unknown, more: object = { item_id: itemId }): object => ({
  ...{ action: 'set_note', note },
  ...more,
});

const shown = async (members: object): Promise<ItemResponse | undefined> =>
  (await api.items(members))[0];

const noteAsAnnotation = (): object => ({
  ...{ annotation_id: `satchel-note-${itemId}`, item_id: itemId, quote: '', patch: '' },
  ...{ version: '2', note: 'mine' },
  created_at: expect.stringMatching(/^\d{4}-\d\d-\d\d /),
});

describe('the note of an item', () => {
  it('is returned only with detailType complete', async () => {
    expect(await shown({ detailType: 'complete' })).not.toHaveProperty('note');

    expect(await api.results(setNote(' mine\n\nand <more> '))).toEqual([true]);

    expect(await shown({ detailType: 'complete' })).toMatchObject({ note: 'mine\n\nand <more>' });
    expect(await shown({})).not.toHaveProperty('note');
    expect(await shown({ detailType: 'complete' })).not.toHaveProperty('annotations');
  });

  it('is returned as the first annotation if annotations are requested', async () => {
    await api.sent(setNote('mine'), {
      ...{ action: 'add_annotation', item_id: itemId },
      annotation: { annotation_id: 'a1', quote: 'Said' },
    });

    const item = await shown({ annotations: 1 });

    expect(item).not.toHaveProperty('note');
    expect(item?.annotations).toEqual([
      noteAsAnnotation(),
      expect.objectContaining({ annotation_id: 'a1', quote: 'Said' }),
    ]);
  });

  it('puts the item into a delta only if the note changes', async () => {
    const { since } = await api.found();

    await api.sent(setNote('mine', { url: `${PAGE}/#top` }));
    const changed = await api.found({ since, detailType: 'complete' });
    await api.sent(setNote('mine'));
    const same = await api.found({ since: changed.since });

    expect(changed.list[itemId]).toMatchObject({ note: 'mine' });
    expect(same.list).toEqual({});
  });

  it.each([[''], ['  \n']])('is removed by setting it to %j', async (note) => {
    await api.sent(setNote('mine'));

    expect(await api.results(setNote(note))).toEqual([true]);

    expect(await api.item(itemId)).not.toHaveProperty('note');
  });

  it('is removed if a client deletes it as an annotation', async () => {
    await api.sent(setNote('mine'));
    const gone = { action: 'delete_annotation', annotation_id: `satchel-note-${itemId}` };
    const { since } = await api.found();

    expect(await api.results(gone, gone)).toEqual([true, true]);

    expect((await api.found({ since })).list).toHaveProperty(itemId);
    expect(await api.item(itemId)).not.toHaveProperty('note');
    expect(await api.results({ ...gone, annotation_id: 'satchel-note-7' })).toEqual([true]);
  });

  it('has an annotation id that highlights cannot use', async () => {
    const annotation = { annotation_id: `satchel-note-${itemId}`, quote: 'Said' };

    expect(await api.results({ action: 'add_annotation', item_id: itemId, annotation })).toEqual([
      false,
    ]);
  });

  it('can have at most 10 KB of UTF-8', async () => {
    const longest = 'é'.repeat(5120);

    const { action_results: results, action_errors: errors } = await api.sent(
      setNote(longest),
      setNote(`${longest}a`),
    );

    expect(results).toEqual([true, false]);
    expect(errors[1]).toMatchObject({
      message: 'Invalid note: it must be text of at most 10240 bytes',
      code: 130,
    });
    expect(await api.item(itemId)).toMatchObject({ note: longest });
  });

  it.each([[undefined], [null], [[]], [{}], [true]])('cannot be set to %j', async (note) => {
    await api.sent(setNote('mine'));

    expect(await api.results(setNote(note))).toEqual([false]);

    expect(await api.item(itemId)).toMatchObject({ note: 'mine' });
  });

  it('can be changed only by its user, and only on an item of the list', async () => {
    const other = await ReadingListApi.of(app);

    expect(await other.results(setNote('theirs'))).toEqual([false]);
    expect(
      await other.results({
        ...{ action: 'delete_annotation', annotation_id: `satchel-note-${itemId}` },
      }),
    ).toEqual([true]);
    expect(await api.results(setNote('mine', { item_id: '7' }))).toEqual([false]);
  });

  it('is kept when the item is archived, tagged or added again', async () => {
    await api.sent(setNote('mine'));

    await api.sent(
      { action: 'archive', item_id: itemId },
      { action: 'tags_add', item_id: itemId, tags: 'x' },
    );
    await api.saved(PAGE);

    expect(await api.item(itemId)).toMatchObject({ note: 'mine', status: '0' });
  });

  it('is deleted with its item', async () => {
    await api.sent(setNote('mine'), { action: 'delete', item_id: itemId });
    await api.saved(PAGE);

    expect(await api.item(itemId)).not.toHaveProperty('note');
  });

  it('is restored when a deletion is undone, and old deletions without a note can be undone too', async () => {
    const reader = await aReader(app);
    const [first = '', second = ''] = reader.ids;
    await reader.api.sent(setNote('mine', { item_id: first }));
    const notice = await withMarked(reader, { action: 'delete', 'item[]': [first, second] });
    await app.database.query(
      `UPDATE deleted_items SET item = (item::jsonb - 'note')::json WHERE item_id = $1`,
      [second],
    );

    await undo(reader, notice);

    expect(await reader.api.item(first)).toMatchObject({ note: 'mine' });
    expect(await reader.api.item(second)).not.toHaveProperty('note');
    expect(await reader.api.item(second)).toBeDefined();
  });
});
