import type { Response, Test } from 'supertest';

import { PASSWORD } from '../support/account-api.js';
import { aVisitor, OAuthApi } from '../support/oauth-api.js';
import { formIn, headingOf, PageVisitor, shownText } from '../support/page-visitor.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

type Visitor = Awaited<ReturnType<typeof aVisitor>>;

const FOREIGN = { 'Sec-Fetch-Site': 'cross-site' };
const DONE = /^\/save\/done\?item=\d+&new=1$/;

let app: TestApp;
let api: OAuthApi;

beforeAll(async () => {
  app = await aTestApp({ config: { resolveWaitMs: 60_000 } });
  api = await OAuthApi.of(app);
});
afterAll(() => app.close());

const locationOf = ({ headers }: Response): string => String(headers['location']);

const saveLink = (fields: Record<string, string>): string =>
  `/save?${new URLSearchParams(fields).toString()}`;

/** Opens the address as if it were typed into the address bar. */
const saveAt = (visitor: PageVisitor, fields: Record<string, string>): Test =>
  visitor.open(saveLink(fields)).set('Sec-Fetch-Site', 'none');

/** Returns the saved URLs from the API. */
async function urlsOf(visitor: Visitor): Promise<string[]> {
  const { body } = await api.get(await api.accessToken(visitor)).expect(200);
  return Object.values(body.list as Record<string, { given_url: string }>).map(
    ({ given_url: url }) => url,
  );
}

/** Returns the errors of a form: the linked field and the text of each. */
const errorLinksIn = ({ text }: Response): string[][] =>
  [...text.matchAll(/<li id="error-\d+"><a href="([^"]*)">([^<]*)<\/a><\/li>/g)].map(
    ([, ...link]) => link,
  );

/** Returns the key in the visitor's bookmarklet. */
async function keyOf(visitor: PageVisitor): Promise<string> {
  const { text } = await visitor.open('/save').expect(200);
  return /save\?key=([\w-]{32})/.exec(text)?.[1] ?? '';
}

describe('saving an address', () => {
  it.each([
    [{ url: 'https://a.example/x?y=1' }, 'https://a.example/x?y=1'],
    [{ title: 'A page', text: 'Read this: https://b.example/z!' }, 'https://b.example/z'],
    [{ url: 'c.example/path' }, 'c.example/path'],
  ])('adds the page to the list at once: %j', async (fields, url) => {
    const ada = await aVisitor(app);

    const answer = await saveAt(ada, fields).expect(303);

    expect(locationOf(answer)).toMatch(DONE);
    const page = await ada.open(locationOf(answer)).expect(200);
    expect(headingOf(page)).toBe('Saved');
    expect(await urlsOf(ada)).toEqual([url]);
  });

  it('does not happen for a HEAD request', async () => {
    const ada = await aVisitor(app);

    const typed = { 'Sec-Fetch-Site': 'none' };
    await ada.agent.head('/save?url=https://a.example/').set(typed).expect(200);

    expect(await urlsOf(ada)).toEqual([]);
  });

  it('stores the title and the tags, and escapes the title on the page', async () => {
    const ada = await aVisitor(app);
    const title = '<script>alert(1)</script>"\'';

    const answer = await saveAt(ada, { url: 'https://a.example/', title, tags: 'One, two' });
    const page = await ada.open(locationOf(answer)).expect(200);

    expect(shownText(page)).toContain(title);
    expect(page.text).not.toContain('<script>alert');
    expect(page.headers['content-security-policy']).toContain("script-src 'self'");
    expect(formIn(page, '/list/actions').fields['tags']).toBe('One, two');
  });

  it.each([
    'mailto:a@a.example',
    'javascript:alert(1)',
    'x',
    '',
    `https://a.example/${'x'.repeat(5000)}`,
  ])('rejects an invalid address and keeps the input: %.30s', async (url) => {
    const ada = await aVisitor(app);

    const page = await saveAt(ada, { url, title: 'Kept <b>', tags: 'a' }).expect(400);

    expect(shownText(page)).toContain('Page not saved');
    expect(formIn(page, '/save').fields).toMatchObject({ url, title: 'Kept <b>', tags: 'a' });
    expect(await urlsOf(ada)).toEqual([]);
  });

  it('links an error message to the invalid field', async () => {
    const ada = await aVisitor(app);
    const tags = Array.from({ length: 51 }, (_, at) => `tag ${at}`).join(',');
    const form = await ada.form('/save', '/save');

    const noAddress = await ada.submit(form, { url: 'ferns' }).expect(400);
    const manyTags = await ada.submit(form, { url: 'https://a.example/', tags }).expect(400);

    expect(errorLinksIn(noAddress)).toEqual([
      ['#url', 'Enter a web address, such as https://example.com.'],
    ]);
    expect(errorLinksIn(manyTags)).toEqual([['#tags', 'An item can have at most 50 tags.']]);
    expect(await urlsOf(ada)).toEqual([]);
  });

  it('returns 400 for a title with a null character', async () => {
    const ada = await aVisitor(app);

    await ada.open('/save?url=https://a.example/&title=%00').expect(400);
  });

  it('requires the CSRF token when the form is submitted', async () => {
    const ada = await aVisitor(app);
    const form = await ada.form('/save', '/save');

    await ada.submit(form, { url: 'https://a.example/', _csrf: 'x' }).expect(403);
    const answer = await ada.submit(form, { url: 'https://b.example/', tags: 'x' }).expect(303);

    expect(locationOf(answer)).toMatch(DONE);
    expect(await urlsOf(ada)).toEqual(['https://b.example/']);
  });
});

describe('the page about a saved address', () => {
  it('links to the saved URL, including the route in its fragment', async () => {
    const ada = await aVisitor(app);
    const url = 'https://app.example/#/notes/1';

    const answer = await ada.submit(await ada.form('/save', '/save'), { url }).expect(303);
    const shown = await ada.open(locationOf(answer)).expect(200);

    expect(shown.text).toContain(`href="${url}"`);
  });

  it('changes tags, archives, deletes, and restores the item', async () => {
    const ada = await aVisitor(app);
    const done = locationOf(await saveAt(ada, { url: 'https://a.example/' }));
    const form = await ada.form(done, '/list/actions');

    const tagged = await ada.submit(form, { tags: 'one, two' }).expect(303);
    const page = await ada.open(locationOf(tagged)).expect(200);
    expect(shownText(page, '.done')).toBe('Tags changed.');
    expect(formIn(page, '/list/actions').fields['tags']).toBe('one, two');
    const cleared = await ada.submit(formIn(page, '/list/actions'), { tags: '' }).expect(303);
    expect((await ada.form(locationOf(cleared), '/list/actions')).fields['tags']).toBe('');
    const { fields } = form;
    const leave = (action: string) =>
      ada.submit({ ...form, fields: { ...fields, back: '/list' } }, { action });
    const archived = await ada.open(locationOf(await leave('archive').expect(303))).expect(200);
    expect(shownText(archived, '.done')).toBe('Archived. Undo');
    const deleted = await ada.open(locationOf(await leave('delete').expect(303))).expect(200);
    expect(shownText(deleted, '.done')).toBe('Deleted. Undo');
    await ada.open(done).expect(404);
    await ada.submit(formIn(deleted, '/list/actions')).expect(303);

    await ada.open(done).expect(200);
  });
});

describe('a save link on another site or in a saved article', () => {
  it.each([
    FOREIGN,
    { 'Sec-Fetch-Site': 'same-origin' },
    { 'Sec-Fetch-Site': 'same-site' },
    { 'Sec-Fetch-Site': 'none', 'Sec-Purpose': 'prefetch;prerender' },
    { Referer: 'https://evil.example/' },
    { Origin: 'null' },
    // The headers of a browser on plain HTTP, and of a page that sends no referrer.
    {},
  ])('saves nothing before the user confirms: %j', async (headers) => {
    const ada = await aVisitor(app);

    const page = await ada
      .open(saveLink({ url: 'https://a.example/' }))
      .set({ ...headers })
      .expect(200);

    expect(headingOf(page)).toBe('Save this page?');
    expect(shownText(page)).toContain(ada.user.email);
    expect(await urlsOf(ada)).toEqual([]);
    await ada.submit(formIn(page, '/save')).expect(303);
    expect(await urlsOf(ada)).toEqual(['https://a.example/']);
  });

  it('saves at once with the bookmarklet key of the user, but with no other key', async () => {
    const [ada, bob] = [await aVisitor(app), await aVisitor(app)];
    const [key, other] = [await keyOf(ada), await keyOf(bob)];
    const save = (visitor: Visitor, fields: Record<string, string>) =>
      saveAt(visitor, { url: 'https://a.example/', ...fields }).set(FOREIGN);

    for (const wrong of [other, '', key.slice(1), `${key}x`]) {
      await save(ada, { key: wrong }).expect(200);
    }
    expect(await urlsOf(ada)).toEqual([]);
    expect(locationOf(await save(ada, { key }).expect(303))).toMatch(DONE);
    expect(await urlsOf(ada)).toEqual(['https://a.example/']);
    expect(await urlsOf(bob)).toEqual([]);
  });

  it('does not save at once with a bookmarklet key from before a logout everywhere', async () => {
    const ada = await aVisitor(app);
    const key = await keyOf(ada);
    await ada.submit(await ada.form('/account/security', '/account/sign-out')).expect(303);
    await ada.logIn(ada.user);

    await saveAt(ada, { url: 'https://a.example/', key }).set(FOREIGN).expect(200);
  });
});

describe('a save link that is opened before the login', () => {
  const fields = { url: 'https://a.example/x?y=1&z', title: 'A & B' };

  async function throughLogin(headers: object): Promise<[PageVisitor, Response, Visitor]> {
    const ada = await aVisitor(app);
    const visitor = new PageVisitor(app);
    const asked = await saveAt(visitor, fields)
      .set({ ...headers })
      .expect(303);
    const form = await visitor.form(locationOf(asked), '/auth/login');
    const { email } = ada.user;
    const answer = await visitor.submit(form, { email, password: PASSWORD }).expect(303);
    const page = await visitor.open(locationOf(answer)).set('Sec-Fetch-Site', 'same-origin');
    return [visitor, page, ada];
  }

  it.each([FOREIGN, { 'Sec-Fetch-Site': 'none' }])('needs a confirmation: %j', async (from) => {
    const [visitor, page, ada] = await throughLogin(from);

    expect(headingOf(page)).toBe('Save this page?');
    expect(await urlsOf(ada)).toEqual([]);
    await visitor.submit(formIn(page, '/save')).expect(303);
    expect(await urlsOf(ada)).toEqual([fields.url]);
  });

  it.each([
    '/save?url=https://a.example/',
    '/save?url=https://a.example/#x',
    '/save?url=https://a.example/&ask=0',
    '/save?url=https://a.example/&%61sk=1',
    '/save/?url=https://a.example/',
  ])('needs a confirmation after a login that another site has started: %s', async (next) => {
    const ada = await aVisitor(app);
    const visitor = new PageVisitor(app);
    const query = new URLSearchParams({ next }).toString();
    const form = await visitor.form(`/auth/login?${query}`, '/auth/login');

    const { email } = ada.user;
    const answer = await visitor.submit(form, { email, password: PASSWORD }).expect(303);
    // Browsers do not send the fragment.
    const [path = ''] = locationOf(answer).split('#');
    // A reload can look like a typed address.
    const page = await visitor.open(path).set('Sec-Fetch-Site', 'none').expect(200);

    expect(headingOf(page)).toBe('Save this page?');
    expect(await urlsOf(ada)).toEqual([]);
  });
});

describe('access to the page about a saved address', () => {
  it('is limited to its user', async () => {
    const [ada, bob] = [await aVisitor(app), await aVisitor(app)];
    const path = locationOf(await saveAt(ada, { url: 'https://a.example/' }));

    await bob.open(path).expect(404);
    for (const item of ['', '0', 'x', '1 OR 1=1', '9'.repeat(30)]) {
      await ada.open(`/save/done?item=${encodeURIComponent(item)}`).expect(404);
    }
  });
});
