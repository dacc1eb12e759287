import type { Response } from 'supertest';

import { aVisitor } from '../support/oauth-api.js';
import { formIn, locationOf, type PageVisitor, shownText } from '../support/page-visitor.js';
import { AN_HOUR_AGO, ReadingListApi, tagsOf } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

const NEW = 'https://new.example/page';

let app: TestApp;
let api: ReadingListApi;
let visitor: PageVisitor;

beforeAll(async () => {
  app = await aTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  api = await ReadingListApi.of(app);
  visitor = await aVisitor(app, api.user);
});

const edited = async (id: string, fields: Record<string, string>): Promise<Response> =>
  visitor.submit(await visitor.form(`/read/${id}/edit`, `/read/${id}/edit`), fields);

const MOVED = /^\/read\/(\d+)\?done=address-changed$/;

/** Changes the address of an item. Returns the new id. */
async function moved(id: string, url: string): Promise<string> {
  const location = locationOf(await edited(id, { url }));
  expect(location).toMatch(MOVED);
  return MOVED.exec(location)?.[1] ?? '';
}

describe('the address on the edit page', () => {
  it.each([
    'https://same.example/a',
    'http://www.same.example/a/#part',
    ' same.example/a?utm_source=x ',
  ])('does not move the item if it is the current one: %s', async (url) => {
    const id = await api.saved('https://same.example/a', { tags: 'kept' });
    const { since } = await api.found();

    const answer = await edited(id, { url });

    expect(locationOf(answer)).toBe(`/read/${id}?done=edited`);
    expect(await api.found({ since })).toMatchObject({ list: {} });
    expect(await api.item(id)).toMatchObject({ given_url: 'https://same.example/a' });
  });

  it.each([
    '',
    'javascript:alert(1)',
    'ftp://old.example/',
    `https://old.example/${'x'.repeat(4096)}`,
  ])('must be the address of a page: %#', async (url) => {
    const id = await api.saved('https://old.example/a');

    const refused = await edited(id, { url, title: 'Not stored' });

    expect(refused.status).toBe(400);
    expect(shownText(refused, '#url-problem')).toBe(
      'Enter a web address, such as https://example.com.',
    );
    expect(refused.text).toContain('value="Not stored"');
    expect((await api.items()).map(({ item_id }) => item_id)).toEqual([id]);
  });

  it('may not be in the list already, and the form links to the other item', async () => {
    const other = await api.saved(NEW, { tags: 'theirs' });
    const id = await api.saved('https://old.example/a', { tags: 'mine' });

    const refused = await edited(id, { url: 'http://www.new.example/page/' });

    expect(refused.status).toBe(400);
    expect(shownText(refused, '#url-problem')).toBe(
      'This address is already in your list. Open the item',
    );
    expect(refused.text).toContain(`<a href="/read/${other}">`);
    expect(formIn(refused, `/read/${id}/edit`).fields).toMatchObject({
      url: 'http://www.new.example/page/',
      was: 'https://old.example/a',
    });
    expect(tagsOf(await api.item(id))).toEqual(['mine']);
    expect(tagsOf(await api.item(other))).toEqual(['theirs']);
  });

  it('may not be in the trash, and the form links to the trash', async () => {
    const other = await api.saved(NEW);
    const id = await api.saved('https://old.example/a');
    const { fields } = await visitor.form('/list', '/list/actions');
    await visitor
      .post('/list/actions', { ...fields, action: 'delete', 'item[]': other })
      .expect(303);

    const refused = await edited(id, { url: NEW });

    expect(refused.status).toBe(400);
    expect(shownText(refused, '#url-problem')).toContain('This address is in your trash.');
    expect(refused.text).toContain('<a href="/list/trash">');
    expect((await api.items()).map(({ item_id }) => item_id)).toEqual([id]);
  });

  it('may be an address that a client has deleted, which revives its id', async () => {
    const other = await api.saved(NEW);
    const id = await api.saved('https://old.example/a');
    await api.results({ action: 'delete', item_id: other });

    expect(await moved(id, NEW)).toBe(other);

    const { list } = await api.found({ since: AN_HOUR_AGO });
    expect(list).toMatchObject({ [id]: { status: '2' }, [other]: { status: '0' } });
  });

  it('does not change together with too many tags', async () => {
    const id = await api.saved('https://old.example/a');
    const tags = Array.from({ length: 51 }, (_, at) => `tag${at}`).join(',');

    expect((await edited(id, { url: NEW, tags })).status).toBe(400);

    expect((await api.items()).map(({ item_id }) => item_id)).toEqual([id]);
  });
});

describe('a form whose item was changed after its page was opened', () => {
  it('changes only what the user has changed in the form', async () => {
    const id = await api.saved('https://old.example/a', { title: 'Old', tags: 'early' });
    const form = await visitor.form(`/read/${id}/edit`, `/read/${id}/edit`);
    await api.results({ action: 'tags_add', item_id: id, tags: 'phone' });

    await visitor.submit(form, { title: 'Mine' });

    const item = await api.item(id);
    expect([item?.given_title, tagsOf(item)]).toEqual(['Mine', ['early', 'phone']]);

    const stale = await visitor.form(`/read/${id}/edit`, `/read/${id}/edit`);
    await api.results({ action: 'tags_add', item_id: id, tags: 'later' });
    await visitor.submit(stale, { url: NEW });

    const [moved] = await api.items({ detailType: 'complete' });
    expect([moved?.given_title, tagsOf(moved)]).toEqual(['Mine', ['early', 'later', 'phone']]);
  });

  it('is shown again with an error, and still knows what the user has not changed', async () => {
    const id = await api.saved('https://old.example/a', { title: 'Old' });
    const { fields } = await visitor.form(`/read/${id}/edit`, `/read/${id}/edit`);
    const next = await moved(id, NEW);
    await edited(next, { title: 'New' });

    const refused = await visitor.post(`/read/${next}/edit`, { ...fields, tags: 'x'.repeat(300) });

    expect(refused.status).toBe(400);
    await visitor.submit(formIn(refused, `/read/${next}/edit`), { tags: 'good' });
    expect(await api.item(next)).toMatchObject({ given_url: NEW, given_title: 'New' });
  });
});

describe('a form with another address that is sent again', () => {
  const sent = async (id: string, fields: Record<string, string>): Promise<Response> => {
    const { body } = await visitor.open('/list/offline.json').expect(200);
    const form = { _csrf: String(body.csrfToken), ...fields };
    return visitor.post(`/read/${id}/edit`, form).set('Accept', 'application/json');
  };

  it('is redirected to the moved item, and has no other effect', async () => {
    const id = await api.saved('https://old.example/a');
    const form = { title: 'Mine', tags: 'x', url: NEW, was: 'https://old.example/a' };

    const first = await sent(id, form);
    const { since } = await api.found();
    const second = await sent(id, form);
    const [{ item_id: next } = { item_id: '' }] = await api.items();
    const third = await sent(next, form);

    expect([first, third].map(({ status, body }) => [status, body])).toEqual(
      Array.from({ length: 2 }, () => [200, { done: true }]),
    );
    expect([second.status, second.headers['location']]).toEqual([307, `/read/${next}/edit`]);
    expect(await api.found({ since })).toMatchObject({ list: {} });
  });

  it('is rejected if the item was deleted instead', async () => {
    const id = await api.saved('https://old.example/a');
    await api.saved(NEW, { tags: 'theirs' });
    const { fields } = await visitor.form('/list', '/list/actions');
    await visitor.post('/list/actions', { ...fields, action: 'delete', 'item[]': id }).expect(303);

    const { status } = await sent(id, { title: 'Mine', tags: 'x', url: NEW, was: '' });

    expect(status).toBe(404);
    const another = await api.saved('https://old.example/b');
    await api.results({ action: 'delete', item_id: another });
    expect((await sent(another, { title: '', tags: '', url: NEW })).status).toBe(404);
    expect((await sent('4503599627370497', { title: '', tags: '', url: NEW })).status).toBe(404);
  });

  it('keeps the title of the new page if the form has not changed the title', async () => {
    const id = await api.saved('https://old.example/a', { title: 'Old' });
    const { fields } = await visitor.form(`/read/${id}/edit`, `/read/${id}/edit`);
    const next = await moved(id, NEW);
    await edited(next, { title: 'New' });

    await sent(next, { ...fields, url: NEW, tags: 'late' });

    expect(await api.item(next)).toMatchObject({ given_title: 'New', tags: { late: {} } });
  });

  it('does not change the address if the page of the form had the same one', async () => {
    const id = await api.saved('https://old.example/a');
    const next = await moved(id, NEW);
    const form = { title: 'Mine', tags: '', url: 'https://old.example/a' };

    expect((await sent(next, { ...form, was: form.url })).body).toEqual({ done: true });

    expect(await api.item(next)).toMatchObject({ given_url: NEW, given_title: 'Mine' });
  });
});
