import { Role } from '../../src/auth/entities/user.entity.js';
import { aVisitor } from '../support/oauth-api.js';
import { PageVisitor } from '../support/page-visitor.js';
import { untranslatedIn } from '../support/pseudo-page.js';
import { ReadingListApi } from '../support/reading-list-api.js';
import { storeArticle } from '../support/stored-articles.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

const NO_SERVER = {
  ...{ serverUrl: 'smtp://127.0.0.1:9', from: 'satchel@example.com', hasLoginNotices: false },
};
/** Names of products and formats, which are the same in all languages. */
const NAMES = ['Satchel', 'Atom', 'JSON Feed', 'EPUB', 'UTC', 'wallabag'];
const TITLE = 'Nine lamps';
const HOST = 'example.com';

let app: TestApp;
let api: ReadingListApi;
let visitor: PageVisitor;
let id: string;
let failed: string;

beforeAll(async () => {
  app = await aTestApp({ config: { mail: { ...NO_SERVER, hasEReaderMail: true } } });
  api = await ReadingListApi.of(app);
  visitor = await aVisitor(app, api.user);
  id = await api.saved(`https://${HOST}/lamps`, { title: TITLE, tags: 'rivers' });
  failed = await api.saved(`https://${HOST}/failed`, { title: TITLE });
  await storeArticle(
    app.database,
    api.user.id,
    id,
    '<h2>One</h2><p>It has nine lamps.</p><h2>Two</h2>',
  );
  await app.database.query(
    `UPDATE items SET lang = 'de', word_count = 2000, is_article = 1, excerpt = $2 WHERE item_id = $1`,
    [id, TITLE],
  );
  await app.database.query('UPDATE users SET role = $2 WHERE id = $1', [
    api.user.id,
    Role.Administrator,
  ]);
  const _csrf = await visitor.csrfToken();
  const highlight = { _csrf, quote: 'nine lamps', note: TITLE, color: 'blue' };
  await visitor.post(`/read/${id}/highlights`, highlight).expect(303);
  const deleted = await api.saved(`https://${HOST}/deleted`, { title: TITLE });
  await api.sent({ action: 'delete', item_id: deleted });
});
afterAll(() => app.close());

const dataOf = (): string[] => [
  ...[
    TITLE,
    HOST,
    `www.${HOST}`,
    'rivers',
    api.user.email,
    api.user.name,
    'nine lamps',
    'nine',
    'It has',
  ],
  ...['German', 'lamps', 'failed', 'deleted', 'https', 'http', 'satchel', app.url, 'One', 'Two'],
  ...['wallabag logo', 'Reader', 'retrieve, add, modify'],
  ...NAMES,
];

const untranslated = async (browser: PageVisitor, path: string): Promise<string[]> => {
  const page = await browser
    .open(path.replace('ID', id).replace('FAILED', failed))
    .set({ 'Accept-Language': 'en-XA', Accept: 'text/html' });
  expect(page.text).toContain('<html lang="en-XA"');
  return untranslatedIn(page, dataOf());
};

describe('pages in the pseudo-language', () => {
  it.each([
    ...['/', '/auth/login', '/auth/register', '/auth/forgot', '/auth/reset?token=x'],
    ...['/nothing', '/welcome', '/wallabag/login', '/auth/authorize'],
  ])('contain only messages and data for a visitor: %s', async (path) => {
    expect(await untranslated(new PageVisitor(app), path)).toEqual([]);
  });

  it.each([
    ...['/list', '/list?state=all', '/list?state=archive', '/list?search=lamps', '/list?state=x'],
    ...['/list?tag=rivers&language=de&time=medium&kind=article', '/list?failed=yes'],
    ...['/list?filter=1&site=%25&tag=a,b', '/list?done=archived', '/list?sort=longest'],
    ...['/read/ID', '/read/FAILED', '/read/ID/edit', '/read/1', '/welcome', '/highlights'],
    ...['/save', '/save?url=https://example.com/x&ask=1', '/save/done?item=ID', '/tags', '/trash'],
    ...['/tags?find=x', '/offline', '/offline/save', '/offline/tags', '/trash/empty'],
  ])('of the reader contain only messages and data: %s', async (path) => {
    expect(await untranslated(visitor, path)).toEqual([]);
  });

  it.each([
    ...['/account', '/account/profile', '/account/security', '/account/devices', '/account/data'],
    ...['/account/reading', '/account/feeds', '/account/e-reader', '/account/extension'],
    ...['/account/phone', '/account/keys', '/account/second-factor', '/account/delete'],
    ...['/account/keys/new', '/account/keys/passwords', '/account/keys/clients', '/wallabag/'],
    ...['/admin', '/admin/users', '/admin/keys', '/admin/invitations'],
  ])('of the account contain only messages and data: %s', async (path) => {
    expect(await untranslated(visitor, path)).toEqual([]);
  });
});
