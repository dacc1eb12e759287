import type { Response } from 'supertest';

import { AccountApi, aPerson, PASSWORD } from '../support/account-api.js';
import { aVisitor } from '../support/oauth-api.js';
import { formIn, headingOf, PageVisitor, shownText } from '../support/page-visitor.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

const OWN = { 'Sec-Fetch-Site': 'same-origin' };
const TYPED = { format: 'nonsense <b>', 'note[]': 'one', articles: '1' };

let app: TestApp;
let api: AccountApi;

beforeAll(async () => {
  app = await aTestApp();
  api = new AccountApi(app);
});
afterAll(() => app.close());

const locationOf = ({ headers }: Response): string => String(headers['location']);

/** Submits a form of the account page from a browser without a login, or with another session. */
const sendLate = (visitor: PageVisitor, headers: object, path = '/account/export') =>
  visitor.post(path, { _csrf: 'f'.repeat(64), ...TYPED }).set({ ...headers });

describe('the redirect after the login', () => {
  it('opens the requested page, even after a failed attempt', async () => {
    const { email } = await api.registered();
    const bob = new PageVisitor(app);
    const asked = locationOf(await bob.open('/account?done=revoked&x=%26').expect(303));
    expect(asked).toBe('/auth/login?next=%2Faccount%3Fdone%3Drevoked%26x%3D%2526');

    const wrong = await bob.submit(await bob.form(asked, '/auth/login'), { email, password: 'x' });
    const right = await bob.submit(formIn(wrong, '/auth/login'), { email, password: PASSWORD });

    expect(locationOf(right)).toBe('/account?done=revoked&x=%26');
    expect(locationOf(await bob.open(asked))).toBe('/account?done=revoked&x=%26');
  });

  it('opens the requested page after a registration too', async () => {
    const bob = new PageVisitor(app);
    const login = await bob.open('/auth/login?next=/account').expect(200);
    const href = /href="(\/auth\/register[^"]*)"/.exec(login.text)?.[1] ?? '';
    const form = await bob.form(href, '/auth/register');

    const wrong = await bob.submit(form, { name: 'Bob' }).expect(400);
    const right = await bob.submit(formIn(wrong, '/auth/register'), { ...aPerson() });

    expect(locationOf(right)).toBe('/account');
  });

  it('opens the list if no page was requested', async () => {
    const ada = await aVisitor(app);

    expect(locationOf(await ada.open('/auth/login').expect(303))).toBe('/list');
  });

  it.each([
    'https://evil.example/',
    '//evil.example/',
    '/\\evil.example',
    '/.//evil.example',
    '/\t/evil.example',
    'javascript:alert(1)',
    '/list\u0000',
  ])('never opens another site: %j', async (next) => {
    const { email } = await api.registered();
    const bob = new PageVisitor(app);
    const path = `/auth/login?${new URLSearchParams({ next }).toString()}`;
    const form = await bob.form(path, '/auth/login');

    const answer = await bob.submit(
      { ...form, fields: { ...form.fields, next } },
      {
        ...{ email, password: PASSWORD },
      },
    );

    expect(new URL(locationOf(answer), app.url).origin).toBe(app.url);
    expect(locationOf(answer)).not.toMatch(/^\/[/\\]/);
  });

  it('opens the requested page even if its address is too long for a query parameter', async () => {
    const { email } = await api.registered();
    const bob = new PageVisitor(app);
    const path = `/account?done=${'x'.repeat(6000)}`;

    const page = await bob.open(path).expect(403);
    const answer = await bob.submit(formIn(page, '/auth/login'), { email, password: PASSWORD });

    expect(locationOf(answer)).toBe(path);
  });
});

describe('a form that is submitted without a valid session', () => {
  it('is shown again after the login, and sent only after a click', async () => {
    const { email } = await api.registered();
    const bob = new PageVisitor(app);

    const login = await sendLate(bob, OWN).expect(403);
    expect(headingOf(login)).toBe('Log in');
    expect(shownText(login)).toContain('Satchel has kept your input.');
    const wrong = await bob.submit(formIn(login, '/auth/login'), { email, password: 'x' });
    const page = await bob.submit(formIn(wrong, '/auth/login'), { email, password: PASSWORD });

    expect([page.status, headingOf(page)]).toEqual([200, 'Send it again?']);
    expect(shownText(page)).toContain('nonsense <b>');
    expect(shownText(page)).toContain(`It will be sent as ${email}.`);
    const again = formIn(page, '/account/export');
    expect(again.fields).toMatchObject({ ...TYPED, _csrf: expect.stringMatching(/^[\w-]{86}$/) });
    expect(shownText(await bob.submit(again).expect(400))).toContain(
      'Satchel cannot process this request.',
    );
  });

  it('is shown at once to a user who is logged in, with the account that it will be sent as', async () => {
    const ada = await aVisitor(app);
    const { email } = await api.registered();

    const page = await sendLate(ada, OWN).expect(403);
    expect(shownText(page)).toContain(`It will be sent as ${ada.user.email}.`);
    const login = await ada.submit(formIn(page, '/auth/leave')).expect(200);
    const other = await ada.submit(formIn(login, '/auth/login'), { email, password: PASSWORD });

    expect(shownText(other)).toContain(`It will be sent as ${email}.`);
    expect(formIn(other, '/account/export').fields).toMatchObject(TYPED);
  });

  it.each([
    ['the origin', (host: string) => ({ Origin: `http://${host}` })],
    ['the referrer', (host: string) => ({ Referer: `http://${host}/account` })],
  ])('is recognized by %s if the browser sends no Sec-Fetch-Site', async (_, headers) => {
    const bob = new PageVisitor(app);

    const page = await sendLate(bob, headers(new URL(app.url).host)).expect(403);

    expect(headingOf(page)).toBe('Log in');
  });

  it.each([
    { 'Sec-Fetch-Site': 'cross-site' },
    { 'Sec-Fetch-Site': 'same-site' },
    { Origin: 'https://evil.example' },
    { Origin: 'null' },
    { Referer: 'https://evil.example/x' },
    {},
  ])('is rejected if another site may have sent it: %j', async (headers) => {
    const ada = await aVisitor(app);
    for (const visitor of [ada, new PageVisitor(app)]) {
      const page = await sendLate(visitor, headers).expect(403);

      expect([headingOf(page), page.text.includes('nonsense')]).toEqual(['Forbidden', false]);
    }
  });

  it('is kept without its passwords', async () => {
    const secret = 'a pass phrase of mine';
    const bob = new PageVisitor(app);
    const fields = { _csrf: 'x', current: secret, password: secret };

    for (const path of ['/account/password', '/auth/login', '/auth/register', '/account/export']) {
      const page = await bob
        .post(path, { ...fields, format: 'x' })
        .set(OWN)
        .expect(403);
      expect(page.text).not.toContain(secret);
    }
  });

  it('shows the login page even if the form cannot be kept', async () => {
    const { email } = await api.registered();
    const bob = new PageVisitor(app);

    const page = await bob.post('/account/password', { _csrf: 'x', password: 'y' }).set(OWN);
    const login = await bob.submit(formIn(page, '/auth/login'), { email, password: PASSWORD });

    expect([page.status, headingOf(page)]).toEqual([403, 'Log in']);
    expect([login.status, locationOf(login)]).toEqual([303, '/list']);
  });

  it('is kept when the login page itself expires', async () => {
    const { email } = await api.registered();
    const bob = new PageVisitor(app);
    const login = await sendLate(bob, OWN).expect(403);
    const late = { ...formIn(login, '/auth/login').fields, _csrf: 'x', email, password: PASSWORD };

    const again = await bob.post('/auth/login', late).set(OWN).expect(403);
    const page = await bob.submit(formIn(again, '/auth/login'), { email, password: PASSWORD });

    expect(formIn(page, '/account/export').fields).toMatchObject(TYPED);
  });

  it('is dropped if its address is not a form of this service', async () => {
    const { email } = await api.registered();
    for (const action of [
      'https://evil.example/',
      '//evil.example/account',
      '/auth/leave',
      '/v3/add',
    ]) {
      const bob = new PageVisitor(app);
      const kept = JSON.stringify({ action, fields: [['a', 'b']] });
      const form = await bob.form('/auth/login', '/auth/login');

      const answer = await bob.submit(form, { email, password: PASSWORD, kept });

      expect([answer.status, locationOf(answer)]).toEqual([303, '/list']);
    }
  });

  it('returns a JSON error to a script', async () => {
    const headers = { ...OWN, Accept: 'application/json' };

    const late = await sendLate(await aVisitor(app), headers).expect(403);
    const afterLogout = await sendLate(new PageVisitor(app), headers).expect(401);

    const codes = [late, afterLogout].map(({ body }) => body.error?.code ?? body.code);
    expect(codes).toEqual(['form_outdated', 'invalid_credentials']);
  });
});

describe('logging out', () => {
  it('clears the storage of the browser', async () => {
    const ada = await aVisitor(app);
    const elsewhere = await aVisitor(app, ada.user);

    const here = await ada.submit(await ada.form('/account', '/auth/leave')).expect(303);
    const all = await elsewhere.submit(
      await elsewhere.form('/account/security', '/account/sign-out'),
    );

    expect([here, all].map(({ headers }) => headers['clear-site-data'])).toEqual(
      Array(2).fill('"storage"'),
    );
  });
});
