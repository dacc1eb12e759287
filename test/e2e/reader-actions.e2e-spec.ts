import {
  aReader,
  locationOf,
  type Reader,
  seen,
  undo,
  withMarked,
} from '../support/list-reader.js';
import { headingOf, PageVisitor, shownText } from '../support/page-visitor.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

let app: TestApp;

beforeAll(async () => {
  app = await aTestApp();
});
afterAll(() => app.close());

describe('an action on items', () => {
  it.each([
    ['archive', 'a 1 0 a,all', '2 items archived.'],
    ['favorite', 'a 0 1 a,all', '2 items added to favorites.'],
    ['delete', undefined, '2 items deleted.'],
  ])('%s changes the selected items and can be undone', async (action, first, notice) => {
    const reader = await aReader(app);
    const [a, b] = reader.ids;
    const before = await seen(reader);

    const page = await withMarked(reader, { action, 'item[]': [a, b] });

    expect(shownText(page, '.done')).toBe(`${notice} Undo`);
    const changed = await seen(reader);
    expect(changed.find((item) => item.startsWith('a'))).toBe(first);
    expect(changed.at(-1)).toBe(before[2]);
    await undo(reader, page);
    expect(await seen(reader)).toEqual(before);
  });

  it('of the button of one item changes only this item, even if others are selected', async () => {
    const reader = await aReader(app);
    const [a, b] = reader.ids;

    const page = await withMarked(reader, { one: `archive:${a}`, action: 'delete', 'item[]': [b] });

    expect(shownText(page, '.done')).toBe('Archived. Undo');
    expect(await seen(reader)).toEqual(['a 1 0 a,all', 'b 0 0 b,all', 'c 0 0 c,all']);
  });

  it('adds tags to several items and removes them', async () => {
    const reader = await aReader(app);
    const item = reader.ids.slice(0, 2);

    await withMarked(reader, { action: 'tags_add', tags: 'new, x y', 'item[]': item });
    expect((await seen(reader))[0]).toBe('a 0 0 a,all,new,x y');
    await withMarked(reader, { action: 'tags_remove', tags: 'ALL,new', 'item[]': item });

    expect(await seen(reader)).toEqual(['a 0 0 a,x y', 'b 0 0 b,x y', 'c 0 0 c,all']);
  });

  it('redirects to the page with the form', async () => {
    const reader = await aReader(app);
    const form = await reader.form('/list?state=all&sort=title', '/list/actions');

    const answer = await reader.submit(form, { one: `favorite:${reader.ids[0]}` }).expect(303);

    expect(locationOf(answer)).toBe(
      `/list?state=all&sort=title&done=favorite&items=${reader.ids[0]}`,
    );
  });

  it.each([
    ['of an unknown kind', { action: 'burn' }, 400],
    ['of a kind that objects have', { action: 'constructor' }, 400],
    ['with an id that is none', { action: 'archive', 'item[]': ['1', '<b>'] }, 400],
    [
      'with too many items',
      { action: 'delete', 'item[]': Array.from({ length: 301 }, (_, n) => n) },
      413,
    ],
    ['with no tags to add', { action: 'tags_add', tags: ' , ' }, 400],
    ['with a tag that is too long', { action: 'tags_replace', tags: 'x'.repeat(101) }, 400],
    ['on an item that is not there', { action: 'archive', 'item[]': ['1'] }, 404],
    ['on a deletion that never was', { action: 'undo_delete', 'item[]': ['1'] }, 404],
  ])('%s is rejected with an error page and changes nothing', async (_, fields, status) => {
    const reader = await aReader(app);
    const before = await seen(reader);
    const _csrf = await reader.csrfToken();

    const page = await reader.agent
      .post('/list/actions')
      .type('form')
      .send({ _csrf, 'item[]': reader.ids, ...fields })
      .expect(status);

    expect(headingOf(page)).not.toBe('');
    expect(await seen(reader)).toEqual(before);
  });

  it('without items changes nothing, and comes back to the list with a notice', async () => {
    const reader = await aReader(app);
    const before = await seen(reader);

    const page = await withMarked(reader, { action: 'archive' });

    expect(shownText(page, '.done')).toBe(
      'Nothing changed, because no item is selected. Select items first.',
    );
    expect(shownText(page, '.over')).toBe('Unread 3 items');
    expect(await seen(reader)).toEqual(before);
  });

  it('returns JSON to a script, also for errors', async () => {
    const reader = await aReader(app);
    const form = { _csrf: await reader.csrfToken(), 'item[]': [reader.ids[0], '1'] };
    const send = (fields: object, { agent } = reader as PageVisitor) =>
      agent
        .post('/list/actions')
        .set('Accept', 'application/json')
        .type('form')
        .send({ ...form, ...fields });

    const done = await send({ action: 'archive' }).expect(200);
    const last = await send({ action: 'archive', 'item[]': reader.ids }).expect(200);
    const wrong = await send({ action: 'burn' }).expect(400);
    const none = await send({ action: 'archive', 'item[]': [] }).expect(400);
    const forged = await send({ action: 'archive', _csrf: 'x' }).expect(403);
    const expired = await send({ action: 'archive' }, new PageVisitor(app)).expect(401);

    expect(done.body).toEqual({ results: [true, false], total: '2 items' });
    expect(last.body).toEqual({ results: [true, true, true], total: '' });
    expect(
      [wrong, none, forged, expired].map(({ body }) => (body as { code: string }).code),
    ).toEqual(['validation_failed', 'validation_failed', 'form_outdated', 'invalid_credentials']);
  });
});

describe('POST /list/actions', () => {
  it('changes nothing without a valid form token', async () => {
    const reader = await aReader(app);
    const other = await aReader(app);
    const before = await seen(reader);
    const item = reader.ids;

    for (const _csrf of ['', await other.csrfToken()]) {
      await reader.agent
        .post('/list/actions')
        .type('form')
        .send({ _csrf, action: 'delete', 'item[]': item })
        .expect(403);
    }

    expect(await seen(reader)).toEqual(before);
  });

  it('does not change items of another user or restore deleted ones', async () => {
    const ada = await aReader(app);
    const bob = await aReader(app);
    const address = 'https://example.com/only-adas';
    await ada.api.add({ url: address, title: 'z' }).expect(200);
    const [{ item_id: id } = { item_id: '' }] = await ada.api.items({ search: 'only-adas' });
    const send = (reader: Reader, action: string, _csrf: string) =>
      reader.agent
        .post('/list/actions')
        .type('form')
        .send({ _csrf, action, 'item[]': [id] });
    const token = await bob.csrfToken();

    for (const action of ['archive', 'favorite', 'delete', 'tags_replace', 'undo_archive']) {
      await send(bob, action, token).expect(404);
    }
    expect((await seen(ada)).at(-1)).toBe('z 0 0 ');
    const adas = await ada.csrfToken();
    await send(ada, 'delete', adas).expect(303);
    await send(bob, 'undo_delete', token).expect(404);

    expect(await seen(bob)).toHaveLength(3);
    expect(await seen(ada)).toHaveLength(3);
  });

  it.each([
    'https://evil.example/',
    '//evil.example/',
    '/\\evil.example/',
    '/\t/evil.example/',
    '/.//evil.example/',
    '/%2e/%2e//evil.example',
    '\\\\evil.example',
    'javascript:alert(1)',
    'list',
    '',
  ])('does not redirect to another site for the back address %j', async (back) => {
    const reader = await aReader(app);
    const _csrf = await reader.csrfToken();

    const answer = await reader.agent
      .post('/list/actions')
      .type('form')
      .send({ _csrf, action: 'archive', 'item[]': [reader.ids[0]], back });

    expect([303, 400]).toContain(answer.status);
    if (answer.status === 303) {
      expect(new URL(locationOf(answer), 'http://here.example/').host).toBe('here.example');
      expect(locationOf(answer)).not.toMatch(/^\/\//);
    }
  });
});
