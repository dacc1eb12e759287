import type { Response } from 'supertest';

import { Permission } from '../../src/auth/consumers/permission.js';
import { aPerson } from '../support/account-api.js';
import { aVisitor, expireRequests, formOf, OAuthApi, REDIRECT_URI } from '../support/oauth-api.js';
import { consentPath, formIn, headingOf, PageVisitor, shownText } from '../support/page-visitor.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

const NOBODYS_CODE = 'dcba4321-dcba-4321-dcba-4321dc';
const HOSTILE_NAME = '<script>alert(1)</script> "& \'';

let app: TestApp;
let reader: OAuthApi;
let ada: Awaited<ReturnType<typeof aVisitor>>;

beforeAll(async () => {
  app = await aTestApp();
  reader = await OAuthApi.of(app);
  ada = await aVisitor(app);
});
afterAll(() => app.close());

const locationOf = ({ status, headers }: Response): string =>
  `${status} ${String(headers['location'])}`;

describe('the consent page', () => {
  it('shows the application, its permissions, the user and the redirect address', async () => {
    const saver = await OAuthApi.of(app, { name: 'Saver', permissions: [Permission.Add] });
    const code = await saver.code({ redirect_uri: 'https://saver.example/back' });

    const page = await ada.open(consentPath(code)).expect(200);

    expect(headingOf(page)).toBe('Give Saver access to your reading list?');
    expect(shownText(page)).toContain('Save pages to your list');
    expect(shownText(page)).not.toContain('See your list');
    expect(shownText(page)).not.toContain('Change your list');
    expect(shownText(page)).toContain(ada.user.email);
    expect(shownText(page)).toContain('https://saver.example/back');
  });

  it('escapes the application name and the redirect address', async () => {
    const hostile = await OAuthApi.of(app, { name: HOSTILE_NAME });
    const code = await hostile.code({ redirect_uri: 'x:"><img src=x onerror=alert(1)>' });

    const page = await ada.open(consentPath(code)).expect(200);
    const login = await new PageVisitor(app).open(`/auth/login?request_token=${code}`).expect(200);

    expect(headingOf(page)).toBe(`Give ${HOSTILE_NAME} access to your reading list?`);
    for (const { text } of [page, login]) {
      expect(text).not.toMatch(/<script(?! type="module" src="\/pages\/)|<img src=x|"><img src=x/);
    }
  });

  it('runs no scripts, cannot be framed and is not cached', async () => {
    const page = await ada.open(consentPath(await reader.code()));

    const policy = page.headers['content-security-policy'] ?? '';
    expect(policy.split(';')).toEqual([
      "default-src 'none'",
      "style-src 'self'",
      "img-src 'self'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ]);
    expect(page.headers).toMatchObject({
      'x-frame-options': 'DENY',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'content-type': 'text/html; charset=utf-8',
    });
    expect(page.text).not.toMatch(/<script|style=|onclick/);
  });

  it('allows forms only to this service if no redirect address follows', async () => {
    const staying = await ada.open(consentPath(await reader.code({ redirect_uri: 'not_needed' })));
    const login = await new PageVisitor(app).open('/auth/login');

    for (const { headers } of [staying, login]) {
      expect(headers['content-security-policy']).toContain(";form-action 'self'");
    }
  });
});

describe('a decision on the consent page', () => {
  it.each([
    'pocketapp1234:authorizationFinished',
    'obsidian://pocket-auth',
    'https://reader.example/back?a=1#b',
    'http://127.0.0.1:8080/redirect',
    'HTTPS://READER.example/%C3%BC',
  ])('redirects to %s unchanged, whether it grants access or not', async (redirectUri) => {
    for (const decision of ['authorized', 'rejected']) {
      const code = await reader.code({ redirect_uri: redirectUri, state: 'state' });
      expect(locationOf(await ada.answer(code, decision, redirectUri))).toBe(`303 ${redirectUri}`);
    }
  });

  it.each(['not_needed', '/', 'null', '//evil.example/', '/\\evil.example', 'https://', '?', '1'])(
    'stays on the consent page for the redirect_uri %s, which is not an address',
    async (redirectUri) => {
      const code = await reader.code({ redirect_uri: redirectUri });

      const answer = await ada.answer(code, 'authorized', redirectUri);

      expect(answer.status).toBe(303);
      expect(answer.headers['location']).toMatch(/^\/auth\/authorize\?request_token=/);
      const page = await ada.open(answer.headers['location'] ?? '').expect(200);
      expect(headingOf(page)).toBe('Access given');
    },
  );

  it('is stored once, even if the form is submitted twice at once', async () => {
    const code = await reader.code();
    const form = await ada.form(consentPath(code), '/auth/authorize');

    const [one, two] = await Promise.all([
      ada.submit(form, { decision: 'authorized' }),
      ada.submit(form, { decision: 'authorized' }),
    ]);
    const late = await ada.submit(form, { decision: 'rejected' });

    expect([locationOf(one), locationOf(two)]).toEqual(Array(2).fill(`303 ${REDIRECT_URI}`));
    expect(late.headers['location']).toMatch(/^\/auth\/authorize/);
    await reader.authorize({ code }).expect(200);
  });

  it('of another user on the same request is ignored, and the page shows an error', async () => {
    const code = await reader.code();
    const bob = await aVisitor(app);
    const form = await bob.form(consentPath(code), '/auth/authorize');
    await ada.answer(code, 'authorized');

    const late = await bob.submit(form, { decision: 'authorized' }).expect(303);

    expect(late.headers['location']).toBe(consentPath(code));
    expect(shownText(await bob.open(consentPath(code)))).toContain('of the person who answered');
    expect(shownText(await ada.open(consentPath(code)))).toContain('to your reading list');
    expect(formOf(await reader.authorize({ code }))['username']).toBe(ada.user.email);
  });

  it('other than "authorized" grants no access', async () => {
    const code = await reader.code();
    await ada.answer(code, 'whatever');

    expect((await reader.authorize({ code })).headers['x-error-code']).toBe('158');
  });
});

describe('a consent request', () => {
  const expectMessage = async (path: string, status: number, heading: string): Promise<void> => {
    for (const visitor of [ada, new PageVisitor(app)]) {
      const page = await visitor.open(path).expect(status);
      expect([headingOf(page), page.type]).toEqual([heading, 'text/html']);
    }
  };

  it.each([
    '/auth/authorize',
    '/auth/authorize?request_token=',
    consentPath(NOBODYS_CODE),
    consentPath("' OR 1=1"),
    `/auth/authorize?request_token=${NOBODYS_CODE}&request_token=${NOBODYS_CODE}`,
  ])('returns 404 at %s', async (path) => {
    await expectMessage(path, 404, 'Request not found');
  });

  it('returns 410 after it has expired', async () => {
    const code = await reader.code();
    const form = await ada.form(consentPath(code), '/auth/authorize');
    await expireRequests(app);

    await expectMessage(consentPath(code), 410, 'This request has expired');
    const late = await ada.submit(form, { decision: 'authorized' });
    expect(late.headers['location']).toMatch(/^\/auth\/authorize/);
    expect((await reader.authorize({ code })).headers['x-error-code']).toBe('185');
  });

  it('shows its decision, and returns 410 after the code was used', async () => {
    const [yes, no] = [await reader.agreedCode(ada), await reader.code()];
    await ada.answer(no, 'rejected');

    await expectMessage(consentPath(yes), 200, 'Access given');
    await expectMessage(consentPath(no), 200, 'No access given');
    await reader.authorize({ code: yes }).expect(200);
    await expectMessage(consentPath(yes), 410, 'This request has already been answered');
  });

  it('returns 403 if the application is disabled and 404 if it is deleted', async () => {
    const other = await OAuthApi.of(app);
    const code = await other.code();
    await other.disable();
    await expectMessage(consentPath(code), 403, 'Application disabled');
    await other.delete();
    await expectMessage(consentPath(code), 404, 'Request not found');
  });

  it('returns an HTML page without internal details for an internal error', async () => {
    const form = await ada.form(consentPath(await reader.code()), '/auth/authorize');
    await app.database.query('ALTER TABLE authorization_requests RENAME TO away');

    const page = await ada.submit(form, { decision: 'authorized' });

    await app.database.query('ALTER TABLE away RENAME TO authorization_requests');
    expect([page.status, page.type]).toEqual([500, 'text/html']);
    expect(page.text).not.toMatch(/authorization_requests|relation/);
  });
});

describe('a person who is not logged in', () => {
  it('can log in and return to the consent page', async () => {
    const code = await reader.code();
    const bob = new PageVisitor(app);

    const away = await bob.open(consentPath(code, REDIRECT_URI)).expect(303);
    const login = await bob.open(away.headers['location'] ?? '').expect(200);
    const back = await bob.submit(formIn(login, '/auth/login'), { ...ada.user }).expect(303);

    expect(shownText(login)).toContain('to give Reader access');
    expect(back.headers['location']).toBe(consentPath(code, REDIRECT_URI));
    await bob.answer(code, 'authorized');
    await reader.authorize({ code }).expect(200);
  });

  it('can create an account and return to the consent page', async () => {
    const code = await reader.code();
    const bob = new PageVisitor(app);
    const person = aPerson();

    const away = await bob.open(`${consentPath(code)}&force=signup`).expect(303);
    const page = await bob.open(away.headers['location'] ?? '').expect(200);
    const back = await bob.submit(formIn(page, '/auth/register'), { ...person }).expect(303);

    expect(back.headers['location']).toBe(consentPath(code));
    await bob.answer(code, 'authorized');
    expect(
      (await reader.authorize({ code }).set('X-Accept', 'application/json')).body,
    ).toMatchObject({
      username: person.email,
    });
  });

  it('cannot grant access after the session has ended', async () => {
    const code = await reader.code();
    const bob = await aVisitor(app);
    const form = await bob.form(consentPath(code), '/auth/authorize');
    await app.database.query('UPDATE users SET session_epoch = session_epoch + 1 WHERE id = $1', [
      bob.user.id,
    ]);

    const answer = await bob.submit(form, { decision: 'authorized' }).expect(303);

    expect(answer.headers['location']).toMatch(/^\/auth\/login\?request_token=/);
    expect((await reader.authorize({ code })).headers['x-error-code']).toBe('158');
  });

  it.each(['https://evil.example/', '//evil.example', 'javascript:alert(1)'])(
    'is not redirected to %s after the login',
    async (place) => {
      const bob = new PageVisitor(app);
      for (const name of ['next', 'return_to', 'redirect', 'redirect_uri', 'url']) {
        const form = await bob.form(
          `/auth/login?${name}=${encodeURIComponent(place)}`,
          '/auth/login',
        );
        const answer = await bob.submit(form, { [name]: place, ...ada.user }).expect(303);
        expect(answer.headers['location']).toBe('/list');
        await bob.submit(await bob.form('/account', '/auth/leave')).expect(303);
      }
    },
  );
});
