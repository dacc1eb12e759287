import request from 'supertest';

import { Permission } from '../../src/auth/consumers/permission.js';
import { CatalogueReader } from '../support/catalogue-reader.js';
import { ReadingListApi } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

let app: TestApp;
let api: ReadingListApi;
let reader: CatalogueReader;

beforeAll(async () => {
  app = await aTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  api = await ReadingListApi.of(app);
  reader = await CatalogueReader.of(app, api.user);
});

describe('the OPDS login', () => {
  it.each(['', 'Basic', 'Basic !', 'Basic YQ==', 'Bearer abc', 'Basic Og==', 'Basic /////w=='])(
    'returns 401 with a Basic challenge for the header %j',
    async (header) => {
      const answer = await request(app.url).get('/opds').set('Authorization', header);

      expect([answer.status, answer.headers['www-authenticate'], answer.type]).toEqual([
        ...[401, 'Basic realm="Satchel", charset="UTF-8"', 'text/plain'],
      ]);
      expect(answer.text).toContain(
        `an application password, which you make at ${app.url}/account/keys.`,
      );
      expect(answer.headers['set-cookie']).toBeUndefined();
    },
  );

  it('accepts an application password regardless of case and separators, but no other credential', async () => {
    const typed = reader.password.toUpperCase().replaceAll('-', ' ');
    const other = await CatalogueReader.of(app, (await ReadingListApi.of(app)).user);

    await reader.with({ password: typed }).get('/opds').expect(200);
    const { consumerKey, user } = api;
    for (const password of [
      user.password,
      other.password,
      user.accessToken,
      consumerKey,
      'x',
      '\0',
    ]) {
      await reader.with({ password }).get('/opds').expect(401);
    }
    await request(app.url).get('/opds').set('Cookie', user.cookie).expect(401);
  });

  it('rejects a disabled application password', async () => {
    await app.database.query('UPDATE consumer_keys SET disabled_at = now() WHERE owner_id = $1', [
      api.user.id,
    ]);

    await reader.get('/opds').expect(401);
  });

  it('requires the permission retrieve', async () => {
    const writer = await CatalogueReader.of(app, api.user, [Permission.Modify]);

    for (const path of ['/opds', '/opds/unread', '/opds/search?q=x', '/opds/items/1/a.epub']) {
      const answer = await writer.get(path).expect(403);
      expect(answer.text).toBe(
        'The application password does not have the permission "retrieve".\n',
      );
    }
  });
});

describe('marking as read in the OPDS catalogue', () => {
  let able: CatalogueReader;
  let id: string;

  beforeEach(async () => {
    able = await CatalogueReader.of(app, api.user, [Permission.Retrieve, Permission.Modify]);
    id = await api.saved('https://example.com/a', { title: 'A page' });
  });

  const statusOf = async (): Promise<string> => (await api.item(id))!.status;

  it('happens by opening an entry, and is undone by opening the next one', async () => {
    const start = await able.feed('/opds');
    const mark = start.entries.find(({ title }) => title === 'Mark as read')!;
    const [entry] = (await able.feed(mark.href)).entries;
    await able.head(entry!.href).expect(200);
    const before = await statusOf();

    const done = await able.feed(entry!.href);
    const marked = await statusOf();
    const left = await able.titles(mark.href);
    const [undo] = done.entries;
    await able.head(undo!.href).expect(200);
    const still = await statusOf();
    const undone = await able.feed(undo!.href);

    expect([entry!.title, before, marked, left, still]).toEqual(['A page', '0', '1', [], '1']);
    expect([done.title, undo!.title]).toEqual(['Marked as read: A page', 'Undo']);
    expect([undone.title, await statusOf()]).toEqual(['Unread again: A page', '0']);
  });

  it('keeps the time of an item that is archived already', async () => {
    await api.sent({ action: 'archive', item_id: id, time: 1_700_000_000 });

    await able.feed(`/opds/mark/${id}`);

    expect((await api.item(id))!.time_read).toBe('1700000000');
  });

  it('is neither shown nor possible without the permission modify', async () => {
    expect(await reader.titles('/opds')).not.toContain('Mark as read');
    for (const path of ['/opds/mark', `/opds/mark/${id}`, `/opds/mark/${id}/undo`]) {
      await reader.get(path).expect(403);
      await reader.head(path).expect(403);
    }

    expect(await statusOf()).toBe('0');
  });

  it.each([
    { 'Sec-Fetch-Site': 'cross-site' },
    { 'Sec-Fetch-Site': 'same-origin', 'Sec-Purpose': 'prefetch' },
    { 'Sec-Fetch-Site': 'none' },
    { 'Sec-Fetch-Mode': 'no-cors' },
    { Origin: 'https://elsewhere.example' },
    { Referer: 'https://elsewhere.example/' },
    { 'Upgrade-Insecure-Requests': '1' },
    { 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' },
  ])('returns 403 to a browser: %j', async (headers) => {
    for (const path of ['/opds/mark', `/opds/mark/${id}`, `/opds/mark/${id}/undo`]) {
      await able.get(path, { ...headers }).expect(403);
    }

    expect(await statusOf()).toBe('0');
  });

  it('returns 404 for items that are not in the list', async () => {
    for (const item of ['0', '1', 'x', '9'.repeat(30), '%00']) {
      await able.get(`/opds/mark/${item}`).expect(404);
      await able.get(`/opds/mark/${item}/undo`).expect(404);
      await able.head(`/opds/mark/${item}`).expect(404);
    }
    await able.get('/opds/mark?after=x').expect(404);
  });

  it('succeeds for concurrent requests', async () => {
    const answers = await Promise.all([1, 2, 3].map(() => able.get(`/opds/mark/${id}`)));

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await statusOf()).toBe('1');
  });
});
