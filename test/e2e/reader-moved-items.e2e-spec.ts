import type { Response } from 'supertest';

import { aVisitor } from '../support/oauth-api.js';
import { locationOf, type PageVisitor } from '../support/page-visitor.js';
import { ReadingListApi, tagsOf } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

const [OLD, NEW] = ['https://old.example/a', 'https://new.example/page'];

let app: TestApp;
let api: ReadingListApi;
let visitor: PageVisitor;
let csrfToken: string;

beforeAll(async () => {
  app = await aTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  api = await ReadingListApi.of(app);
  visitor = await aVisitor(app, api.user);
  csrfToken = await visitor.csrfToken();
});

/** Changes the address of an item. Returns the new id. */
async function moved(id: string, url = NEW): Promise<string> {
  const form = { _csrf: csrfToken, title: '', tags: '', was: '', url };
  const location = locationOf(await visitor.post(`/read/${id}/edit`, form).expect(303));
  return /^\/read\/(\d+)/.exec(location)?.[1] ?? '';
}

/** Sends a form as a script does. */
const sent = async (path: string, fields: Record<string, string>): Promise<Response> =>
  visitor.post(path, { _csrf: csrfToken, ...fields }).set('Accept', 'application/json');

const onList = async (fields: Record<string, string>): Promise<unknown> =>
  (await sent('/list/actions', fields)).body.results;

describe('a request with the id of a moved item', () => {
  it.each(['', '/edit', '?list=state%3Darchive'])(
    'is redirected to its new id: /read/ID%s',
    async (rest) => {
      const id = await api.saved(OLD);
      const next = await moved(id);

      const answer = await visitor.open(`/read/${id}${rest}`).expect(307);

      expect(locationOf(answer)).toBe(`/read/${next}${rest}`);
      await visitor.open(locationOf(answer)).expect(200);
    },
  );

  it.each([
    ['highlights', { quote: 'some words' }],
    ['highlights/note', { highlight: 'one', note: 'so' }],
    ['highlights/delete', { highlight: 'one' }],
    ['note', { note: 'so' }],
    ['fetch', {}],
  ])('is redirected with its form: %s', async (name, form) => {
    const id = await api.saved(OLD);
    const annotation = { annotation_id: 'one', quote: 'nets' };
    await api.results({ action: 'add_annotation', item_id: id, annotation });
    const next = await moved(id);

    const answer = await sent(`/read/${id}/${name}`, form);

    expect([answer.status, answer.headers['location']]).toEqual([307, `/read/${next}/${name}`]);
  });

  it('is not redirected if it has a reading position, because the text is another', async () => {
    const id = await api.saved(OLD);
    await moved(id);

    expect((await sent(`/read/${id}/position`, { percent: '50' })).status).toBe(404);
  });

  it.each([['/list/tags?item=ID'], ['/read/ID/export.epub']])(
    'shows the item: %s',
    async (path) => {
      const html = `<article><p>${'Lamps burn late. '.repeat(40)}</p></article>`;
      const id = await api.saved(OLD);
      const next = await moved(id);
      await api.saved(NEW, { html });

      const { text } = await visitor.open(path.replace('ID', id)).expect(200);

      expect(path.endsWith('epub') || text.includes(`value="${next}"`)).toBe(true);
    },
  );

  it('is redirected to the last address of an item that was moved twice', async () => {
    const id = await api.saved(OLD);
    const last = await moved(await moved(id), 'https://last.example/');

    expect(locationOf(await visitor.open(`/read/${id}`).expect(307))).toBe(`/read/${last}`);
    await api.results({ action: 'delete', item_id: last });
    await visitor.open(locationOf(await visitor.open(`/read/${id}`).expect(307))).expect(404);
  });

  it('is not redirected if the address was saved again, or for another user', async () => {
    const id = await api.saved(OLD);
    await moved(id);
    expect(await api.saved(OLD)).toBe(id);
    await visitor.open(`/read/${id}`).expect(200);

    await api.results({ action: 'delete', item_id: id });
    await visitor.open(`/read/${id}`).expect(404);
    const other = await aVisitor(app, (await ReadingListApi.of(app)).user);
    await other.open(`/read/${id}`).expect(404);
  });

  it('and a change of its address moves the item to that address', async () => {
    const id = await api.saved(OLD);
    const next = await moved(id);

    expect(await moved(next, OLD)).toBe(id);

    expect((await api.items()).map(({ given_url: url }) => url)).toEqual([OLD]);
    expect(locationOf(await visitor.open(`/read/${next}`).expect(307))).toBe(`/read/${id}`);
  });
});

describe('an action of the list with the id of a moved item', () => {
  it('changes the item', async () => {
    const id = await api.saved(OLD);
    const next = await moved(id);

    expect(await onList({ one: `archive:${id}` })).toEqual([true]);
    expect(await onList({ action: 'tags_add', 'item[]': id, tags: 'late' })).toEqual([true]);

    const item = (await api.item(next))!;
    expect([item.status, tagsOf(item)]).toEqual(['1', ['late']]);
  });

  it('deletes the item, and restores it', async () => {
    const id = await api.saved(OLD);
    const next = await moved(id);

    expect(await onList({ one: `delete:${id}` })).toEqual([true]);
    expect(await api.items()).toEqual([]);
    expect(await onList({ one: `undo_delete:${id}` })).toEqual([true]);

    expect((await api.items()).map(({ item_id }) => item_id)).toEqual([next]);
  });
});

describe('the undo button of a deletion', () => {
  it('restores the earlier copy with this id, although the address was saved again and moved', async () => {
    const id = await api.saved(OLD);
    await onList({ one: `delete:${id}` });
    await api.saved(OLD);
    const next = await moved(id);

    expect(await onList({ one: `undo_delete:${id}` })).toEqual([true]);

    const ids = (await api.items()).map(({ item_id }) => item_id);
    expect(ids.toSorted()).toEqual([id, next].toSorted());
  });
});

describe('a highlight', () => {
  it('can be added before the page of the new address is fetched', async () => {
    const next = await moved(await api.saved(OLD));

    const form = { quote: 'Lamps burn late.', before: '', note: '', color: 'pink' };
    expect((await sent(`/read/${next}/highlights`, form)).status).toBe(200);

    const [item] = await api.items({ annotations: 1 });
    expect(item?.annotations?.map(({ quote }) => quote)).toEqual(['Lamps burn late.']);
  });

  it('moves also if the item has more than the maximum, because a restored copy had others', async () => {
    const id = await api.saved(OLD);
    const marked = async (from: string): Promise<void> => {
      await api.results(
        ...Array.from({ length: 60 }, (_, at) => ({
          ...{ action: 'add_annotation', item_id: id },
          annotation: { annotation_id: `${from}${at}`, quote: 'nets' },
        })),
      );
    };
    await marked('a');
    await onList({ one: `delete:${id}` });
    await api.saved(OLD);
    await marked('b');
    await onList({ one: `delete:${id}` });
    await onList({ one: `undo_delete:${id}` });

    await moved(id);

    const [item] = await api.items({ annotations: 1 });
    expect(item?.annotations).toHaveLength(120);
  });
});
