import { aVisitor } from '../support/oauth-api.js';
import { locationOf, PageVisitor, shownText } from '../support/page-visitor.js';
import { readEpub } from '../support/read-epub.js';
import { ReadingListApi } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

const TOKEN = /<input type="hidden" name="_csrf_token" value="([^" ]+)" \/>/;
const PAGE = 'https://example.com/nets';

let app: TestApp;
let ada: ReadingListApi;
let itemId: string;
let number: number;

beforeAll(async () => {
  app = await aTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  ada = await ReadingListApi.of(app);
  await ada.saved('https://example.com/first');
  itemId = await ada.saved(PAGE, { title: 'Nets' });
  [{ number } = { number: 0 }] = await app.database.query<{ number: number }>(
    'SELECT number FROM items WHERE user_id = $1 AND item_id = $2',
    [ada.user.id, itemId],
  );
});

/** Logs in as wallabako does: page, CSRF token, form. */
async function loggedIn(): Promise<PageVisitor> {
  const visitor = new PageVisitor(app);
  const page = await visitor.open('/wallabag/login').expect(200);
  const answer = await visitor.post('/wallabag/login_check', {
    ...{ _username: ada.user.email, _password: ada.user.password, _remember_me: 'on', send: '' },
    _csrf_token: TOKEN.exec(page.text)?.[1] ?? '',
  });
  expect(answer.status).toBe(302);
  expect(locationOf(answer)).not.toMatch(/login$/);
  return visitor;
}

describe('a program that logs in on the wallabag pages', () => {
  it('downloads a book with its cookie', async () => {
    const visitor = await loggedIn();

    const answer = await visitor
      .open(`/wallabag/export/${number}.epub`)
      .responseType('blob')
      .expect(200);

    expect(answer.headers['content-type']).toBe('application/epub+zip');
    expect(answer.headers['content-length']).toBe(String((answer.body as Buffer).length));
    const book = await readEpub(answer.body as Buffer);
    expect(book.title).toBe('Nets');
    const head = await visitor.agent.head(`/wallabag/export/${number}.epub`);
    expect([head.status, head.headers['content-type']]).toEqual([200, 'application/epub+zip']);
  });

  it('is redirected to the login without a valid session', async () => {
    const path = `/wallabag/export/${number}.epub`;
    const visitor = await loggedIn();
    const form = await visitor.form('/account/security', '/account/sign-out');
    await visitor.submit(form).expect(303);

    for (const stranger of [new PageVisitor(app), visitor]) {
      const answer = await stranger.open(path).expect(302);
      expect(locationOf(answer)).toBe('/wallabag/login');
    }
  });

  it('gets 404 for an entry of another user, an unknown entry or another format', async () => {
    const other = await aVisitor(app);
    const mine = await loggedIn();

    for (const path of [number, 9, 0, 'x', '99999999999', '1.5'].map((name) => `${name}.epub`)) {
      const visitor = path === `${number}.epub` ? other : mine;
      const answer = await visitor.open(`/wallabag/export/${path}`);
      expect([path, answer.status]).toEqual([path, 404]);
    }
    const pdf = await mine.open(`/wallabag/export/${number}.pdf`).expect(404);
    expect(shownText(pdf)).toContain('Items are available only as EPUB files.');
    await mine.open(`/wallabag/export/${number}`).expect(404);
  });
});

describe('a wallabag address', () => {
  it.each([
    ['/unread/list', '/list'],
    ['/unread/list/', '/list'],
    ['/starred/list', '/list?state=favorites'],
    ['/archive/list', '/list?state=archive'],
    ['/all/list?page=2', '/list?state=all'],
    ['/tag/list', '/list/tags/all'],
  ])('of %s redirects to the matching page of Satchel', async (path, there) => {
    const visitor = await aVisitor(app, ada.user);

    const answer = await visitor.open(`/wallabag${path}`).expect(302);

    expect(locationOf(answer)).toBe(there);
    await visitor.open(there).expect(200);
  });

  it('of an entry redirects to the article, also after a login', async () => {
    const visitor = new PageVisitor(app);
    const path = `/wallabag/view/${number}`;

    const login = await visitor.open(path).expect(303);
    const form = await visitor.form(locationOf(login), '/auth/login');
    const { email, password } = ada.user;
    const onward = await visitor.submit(form, { email, password }).expect(303);

    expect(locationOf(onward)).toBe(path);
    const answer = await visitor.open(path).expect(302);
    expect(locationOf(answer)).toBe(`/read/${itemId}`);
    await visitor.open(locationOf(answer)).expect(200);
  });

  it.each(['9', '0', '-1', 'x', '2147483648', '99999999999999999999', '1%2f..', '1.5'])(
    'of the unknown entry %s returns a 404 page',
    async (name) => {
      const visitor = await aVisitor(app, ada.user);

      const answer = await visitor.open(`/wallabag/view/${name}`).set('Accept', 'text/html');

      expect(answer.status).toBe(404);
      expect(answer.headers['content-type']).toContain('text/html');
      expect(shownText(answer)).toContain('Not Found');
    },
  );

  it('of an entry of another user returns 404', async () => {
    const other = await aVisitor(app);

    await other.open(`/wallabag/view/${number}`).expect(404);
  });

  it.each(['bagit?', 'bookmarklet?', '?action=add&'])(
    'that saves a page asks for confirmation (%s)',
    async (name) => {
      const visitor = await aVisitor(app, ada.user);
      const page = 'https://example.org/a?b=1&c=%26#d';

      const answer = await visitor
        .open(`/wallabag/${name}${new URLSearchParams({ url: page }).toString()}`)
        .expect(302);

      const there = new URL(locationOf(answer), app.url);
      expect([there.origin, there.pathname]).toEqual([app.url, '/save']);
      expect(there.searchParams.get('url')).toBe(page);
      const typed = { 'Sec-Fetch-Site': 'none' };
      const shown = await visitor.open(locationOf(answer)).set(typed).expect(200);
      expect(shownText(shown)).toContain('Save this page?');
      expect(await ada.items({ state: 'all' })).toHaveLength(2);
      const form = await visitor.form(locationOf(answer), '/save');
      await visitor.submit(form).expect(303);
      expect(await ada.names({ sort: 'newest' })).toEqual(['a', 'nets', 'first']);
    },
  );

  it.each(['?url=//evil.example', '?url=javascript:alert(1)'])(
    'that saves a page does not redirect to another site (%s)',
    async (query) => {
      const answer = await new PageVisitor(app).open(`/wallabag/bagit${query}`).expect(302);

      expect(locationOf(answer)).toMatch(/^\/save\?url=[^/]*&ask=1$/);
    },
  );

  it.each(['', '?url=', '?url[]=x'])(
    'that saves a page without a URL redirects to the empty form (%s)',
    async (query) => {
      const answer = await new PageVisitor(app).open(`/wallabag/bagit${query}`).expect(302);

      expect(locationOf(answer)).toBe('/save');
    },
  );

  it('of a public link redirects to the public page', async () => {
    const visitor = new PageVisitor(app);

    const answer = await visitor.open('/wallabag/share/5f2b').expect(302);

    expect(locationOf(answer)).toBe('/shared/5f2b');
    expect(shownText(await visitor.open('/shared/5f2b').expect(404))).toContain('Not Found');
  });
});
