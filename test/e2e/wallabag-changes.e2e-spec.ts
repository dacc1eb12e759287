import { Permission } from '../../src/auth/consumers/permission.js';
import { tagsOf } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';
import { type Entry, labelsOf, WallabagCalls, WAYS } from '../support/wallabag-calls.js';

const PAGE = 'https://example.com/garden';

let app: TestApp;
let calls: WallabagCalls;
let id: number;

beforeAll(async () => {
  app = await aTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  calls = await WallabagCalls.of(app);
  ({ id } = await calls.saved({ url: PAGE, title: 'Mine', tags: 'a,b' }));
});

const patched = async (members: object, way: (typeof WAYS)[number] = 'json'): Promise<Entry> =>
  (await calls.call('patch', `entries/${id}`, { ...members }, way).expect(200)).body as Entry;

describe('PATCH entries/{id} in the wallabag API', () => {
  it.each(WAYS)('changes the fields that are sent and keeps the others (%s)', async (way) => {
    const changed = await patched(
      { title: 'Other', tags: 'B,c', starred: true, archive: '1' },
      way,
    );

    expect(changed).toMatchObject({ id, title: 'Other', is_archived: 1, is_starred: 1 });
    expect(labelsOf(changed)).toEqual(['b', 'c']);
    const same = await patched({ title: ' ', tags: '', archive: null, starred: '' }, way);
    expect(same).toEqual(changed);
    expect(await patched({ archive: 0, starred: 'false' }, way)).toMatchObject({
      ...{ is_archived: 0, is_starred: 0, archived_at: null, starred_at: null, title: 'Other' },
    });
    const [item] = await calls.v3.items({ detailType: 'complete' });
    expect([item?.given_title, tagsOf(item)]).toEqual(['Other', ['b', 'c']]);
  });

  it('replaces the title of the page', async () => {
    await app.database.query(
      `UPDATE items SET resolved_id = 1, resolved_url = given_url, resolved_title = 'Of the page' WHERE given_url = $1`,
      [PAGE],
    );

    expect(await patched({ title: 'Again mine' })).toMatchObject({ title: 'Again mine' });
    const [item] = await calls.v3.items({ search: 'again' });
    expect(item).toMatchObject({ resolved_title: 'Again mine' });
  });

  it('does not change the place of the entry in the list', async () => {
    await calls.saved({ url: 'https://example.com/later' });

    await patched({ title: 'Other', archive: 1 });
    await patched({ archive: 0 });

    expect(await calls.v3.names({ sort: 'newest' })).toEqual(['later', 'garden']);
  });

  it.each([
    [{ tags: Array.from({ length: 51 }, (_, n) => `t${n}`), title: 'Other' }, /50 tags/],
    [{ starred: 2, title: 'Other' }, /starred must be/],
    [{ title: { a: 1 }, starred: 1 }, /title must be/],
  ])('rejects invalid values and changes nothing (%#)', async (members, reason) => {
    const before = await calls.everything();

    const { body } = await calls.call('patch', `entries/${id}`, members).expect(400);

    expect(body.message).toMatch(reason);
    expect(await calls.everything()).toEqual(before);
  });

  it('keeps concurrent changes of v3 clients and of other calls', async () => {
    const item_id = (await calls.v3.items())[0]?.item_id;
    await Promise.all([
      patched({ starred: 1 }),
      calls.v3.sent({ action: 'tags_add', item_id, tags: 'late' }, { action: 'archive', item_id }),
      calls.call('post', `entries/${id}/tags`, { tags: 'later' }).expect(200),
    ]);

    const entry = await patched({});
    expect(entry).toMatchObject({ is_archived: 1, is_starred: 1 });
    expect(labelsOf(entry)).toEqual(['a', 'b', 'late', 'later']);
  });
});

describe('DELETE entries/{id} in the wallabag API', () => {
  it.each(WAYS)('returns the entry and deletes it (%s)', async (way) => {
    const before = await patched({});

    const { body } = await calls.call('delete', `entries/${id}`, {}, way).expect(200);

    expect(body).toEqual(before);
    for (const [method, path] of [
      ['delete', `entries/${id}`],
      ['patch', `entries/${id}`],
      ['patch', `entries/${id}/reload`],
      ['post', `entries/${id}/tags`],
      ['post', `annotations/${id}`],
    ] as const) {
      const gone = await calls.call(method, path, { tags: 'x', title: 'x' }).expect(404);
      expect(gone.body).toMatchObject({ code: 404, error: 'not_found' });
    }
    expect(await calls.v3.items({ state: 'all' })).toEqual([]);
  });

  it('returns only the id if expect is id, and 400 for an unknown value', async () => {
    const wrong = await calls.call('delete', `entries/${id}`, { expect: 'x' }).expect(400);
    expect(wrong.body.message).toMatch(/id or entry/);

    const { body } = await calls.call('delete', `entries/${id}.json`, { expect: 'id' }, 'query');

    expect(body).toEqual({ id });
  });

  it('succeeds for one of several concurrent calls', async () => {
    const all = await Promise.all(
      [1, 2, 3].map(() => calls.call('delete', `entries/${id}`, { expect: 'id' })),
    );

    expect(all.map(({ status }) => status).sort()).toEqual([200, 404, 404]);
  });

  it('deletes the entry permanently, so that the trash of the reader does not contain it', async () => {
    await calls.call('delete', `entries/${id}`).expect(200);
    await calls.saved({ url: 'https://batch.example/' });
    const urls = JSON.stringify(['https://batch.example/']);
    await calls.call('delete', 'entries/list', { urls }, 'query').expect(200);

    const trash = 'SELECT FROM deleted_items WHERE user_id = $1';
    expect(await app.database.query(trash, [calls.v3.user.id])).toEqual([]);
    expect(await calls.v3.items({ state: 'all' })).toEqual([]);
  });
});

it('calls for entries of another user return 404 and change nothing', async () => {
  const other = await WallabagCalls.of(app);
  const { id: marked } = (await calls.call('post', `annotations/${id}`, { quote: 'x' })).body;
  const [tag] = (await patched({})).tags;
  const before = await calls.everything();

  for (const [method, path] of [
    ['patch', `entries/${id}`],
    ['patch', `entries/${id}/reload`],
    ['delete', `entries/${id}`],
    ['post', `entries/${id}/tags`],
    ['delete', `entries/${id}/tags/${tag?.id}`],
    ['delete', `tags/${tag?.id}`],
    ['post', `annotations/${id}`],
    ['put', `annotations/${marked}`],
    ['delete', `annotations/${marked}`],
  ] as const) {
    await other.call(method, path, { tags: 'x', title: 'x', text: 'x' }).expect(404);
  }

  expect(await calls.everything()).toEqual(before);
});

it('a client without the permission to modify gets 403 and changes nothing', async () => {
  const reading = await WallabagCalls.of(app, {
    ...{ permissions: [Permission.Retrieve, Permission.Add], v3: calls.v3 },
  });
  const before = await calls.everything();

  for (const [method, path] of [
    ['patch', `entries/${id}`],
    ['patch', `entries/${id}/reload`],
    ['delete', `entries/${id}`],
    ['delete', 'entries/list'],
    ['post', 'entries/tags/lists'],
    ['delete', 'entries/tags/list'],
    ['post', `entries/${id}/tags`],
    ['delete', `entries/${id}/tags/1`],
    ['delete', 'tag/label'],
    ['delete', 'tags/label'],
    ['delete', 'tags/1'],
    ['post', `annotations/${id}`],
    ['put', 'annotations/1'],
    ['delete', 'annotations/1'],
  ] as const) {
    const { body } = await reading.call(method, path, { tags: 'x' }).expect(403);
    expect(body).toMatchObject({ code: 403, error: 'forbidden' });
  }

  expect(await calls.everything()).toEqual(before);
});
