import request, { type Response, type Test } from 'supertest';

import { parseDocument } from '../../src/lib/extraction/dom.js';
import { Pages } from '../../src/web/pages.js';
import { sendRaw } from '../support/account-api.js';
import { aVisitor } from '../support/oauth-api.js';
import { headingOf, PageVisitor, shownText } from '../support/page-visitor.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

/** The header that browsers send when a person opens an address. */
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
const UNKNOWN = [
  ...['/nothing', '/lists', '/list/nothing', '/account/nothing', '/favicon.png', '/feeds/x'],
  ...['/pages/nothing.js', '//list', '/list;x=1', '/read/1/nothing'],
];

let app: TestApp;
let ada: PageVisitor;

beforeAll(async () => {
  app = await aTestApp();
  ada = await aVisitor(app);
});
afterAll(() => app.close());

const open = (visitor: PageVisitor, path: string): Test =>
  visitor.open(path).set('Accept', BROWSER);

const linksIn = ({ text }: Response): (string | null)[] =>
  [...parseDocument(text).body.querySelectorAll('header nav a')].map((link) =>
    link.getAttribute('href'),
  );

describe('an address without a page', () => {
  it.each(UNKNOWN)('shows a page with links to a visitor: %s', async (path) => {
    const page = await open(new PageVisitor(app), path);

    expect([page.status, page.type]).toEqual([404, 'text/html']);
    expect(headingOf(page)).toBe('Not Found');
    expect(shownText(page)).toContain('This address has no page.');
    expect(linksIn(page)).toEqual(['/', '/auth/login']);
    expect(page.headers['set-cookie']).toBeUndefined();
  });

  it.each(UNKNOWN)('shows a page with the links of the reader to a user: %s', async (path) => {
    const page = await open(ada, path);

    expect([page.status, page.type]).toEqual([404, 'text/html']);
    expect(linksIn(page)).toEqual(['/list', '/save', '/account']);
    expect(page.headers['content-security-policy']).toContain("script-src 'self'");
  });

  it('has the appearance that the user has chosen', async () => {
    const look = { size: 'large', width: 'wide', face: 'sans', spacing: 'loose', theme: 'sepia' };
    const _csrf = await ada.csrfToken();
    await ada.post('/read/appearance', { _csrf, ...look }).expect(303);

    const page = await open(ada, '/nothing');

    expect(page.text).toContain('data-theme="sepia"');
  });

  it.each([undefined, '*/*', 'application/json', 'application/json, text/html'])(
    'returns JSON to a client that accepts %s',
    async (accepted) => {
      const call = request(app.url).get('/nothing');
      const answer = await (accepted === undefined ? call : call.set('Accept', accepted));

      expect([answer.status, answer.type]).toEqual([404, 'application/json']);
      expect(answer.body).toEqual({
        ...{ statusCode: 404, error: 'Not Found', code: 'not_found' },
        message: 'There is nothing at this address.',
      });
    },
  );

  it.each([
    '/v3/nothing',
    '/v3/get/x',
    '/wallabag/api/nothing',
    '/wallabag/nothing',
    '/opds/nothing',
  ])('keeps the error format of an API, whatever the client accepts: %s', async (path) => {
    const one = await request(app.url).get(path);
    const other = await request(app.url).get(path).set('Accept', BROWSER);

    expect([other.status, other.type, other.text]).toEqual([one.status, one.type, one.text]);
    expect(other.type).not.toBe('text/html');
  });

  it('keeps the error format of the account calls', async () => {
    for (const path of ['/login', '/register', '/refresh', '/nothing']) {
      const answer = await request(app.url).post(path).set('Accept', BROWSER).send({});
      expect([path, answer.type]).toEqual([path, 'application/json']);
    }
  });
});

describe('a malformed address', () => {
  it.each(['/read/%zz', '/pages/%E0%A4%A'])('shows a page with links: %s', async (path) => {
    const page = await sendRaw(app, { method: 'GET', path, headers: { Accept: BROWSER } });

    expect([page.status, page.headers['content-type']]).toEqual([400, 'text/html; charset=utf-8']);
    expect(page.text).toContain('<h1>Bad Request</h1>');
    expect(page.text).toContain('href="/auth/login"');
  });
});

describe('the error page of a page', () => {
  it('has the links of the reader for a user', async () => {
    const missing = await open(ada, '/read/1').expect(404);
    const malformed = await open(ada, '/list?state=x').expect(400);

    expect(linksIn(missing)).toEqual(['/list', '/save', '/account']);
    expect(linksIn(malformed)).toEqual(['/list', '/save', '/account']);
  });

  it('has the links of a visitor before the login', async () => {
    const form = { email: 'x', _csrf: 'x' };

    const page = await new PageVisitor(app).post('/auth/forgot', form).set('Accept', BROWSER);

    expect(page.status).toBeGreaterThanOrEqual(400);
    expect(linksIn(page)).toEqual(['/', '/auth/login']);
  });

  it('is plain text with the status 500 if the error page cannot be rendered', async () => {
    const rendering = jest.spyOn(app.app.get(Pages), 'render').mockImplementation(() => {
      throw new Error('no template');
    });

    const page = await open(ada, '/list?state=x');
    rendering.mockRestore();

    expect([page.status, page.type]).toEqual([500, 'text/plain']);
    expect(page.text).toBe('The service failed. Its log has the details.');
    expect(app.log()).toContain('the error page failed');
  });
});
