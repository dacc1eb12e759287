import { Agent } from 'node:http';

import type { Response, Test } from 'supertest';

import { Invitations } from '../../src/auth/links/invitations.js';
import { UserAdministrationService } from '../../src/auth/user-administration.service.js';
import { AccountApi } from '../support/account-api.js';
import { OAuthApi } from '../support/oauth-api.js';
import { formIn, headingOf, locationOf, PageVisitor, shownText } from '../support/page-visitor.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

let app: TestApp;
let api: AccountApi;

beforeAll(async () => {
  // The proxy is 127.0.0.1. Other loopback addresses are untrusted clients.
  const config = { trustProxy: ['127.0.0.1'], forwardAuthHeader: 'remote-email' };
  app = await aTestApp({ config });
  api = new AccountApi(app);
  // The email address of the first user counts as verified. Tests need users who come later.
  await api.registered();
});
afterAll(() => app.close());
beforeEach(() => Object.assign(app.config, { registration: 'open', passwordLogin: true }));

const open = (visitor: PageVisitor, path: string, email: string): Test =>
  visitor.open(path).set('Remote-Email', email);
const countOf = async (table: string): Promise<number> =>
  (await app.database.query<{ n: number }>(`SELECT count(*)::int AS n FROM ${table}`))[0]?.n ?? -1;

describe('a user in the header of the proxy', () => {
  it('is logged in by the first page, in one session, which ends without the header', async () => {
    const ada = await api.verified();
    const visitor = new PageVisitor(app);
    const before = await countOf('sessions');
    const first = await open(visitor, '/account', ada.email.toUpperCase()).expect(200);
    await open(visitor, '/list', ada.email).expect(200);

    expect(shownText(first)).toContain(ada.email);
    const security = await open(visitor, '/account/security', ada.email).expect(200);
    expect(shownText(security)).toContain('This browser');
    expect(await countOf('sessions')).toBe(before + 1);
    expect((await visitor.open('/account')).status).toBe(303);
    expect(await countOf('sessions')).toBe(before);
  });

  it('is redirected from the login page and the start page', async () => {
    const ada = await api.verified();
    const login = await open(new PageVisitor(app), '/auth/login?next=%2Faccount', ada.email);

    expect(locationOf(login)).toBe('/account');
    expect(locationOf(await open(new PageVisitor(app), '/', ada.email))).toBe('/list');
  });

  it('replaces the session of another user, whose forms are rejected', async () => {
    const [ada, bob] = [await api.verified(), await api.verified()];
    const visitor = new PageVisitor(app);
    const page = await open(visitor, '/account/security', ada.email).expect(200);
    const form = formIn(page, '/account/sign-out');

    const sent = await visitor.submit(form).set('Remote-Email', bob.email);
    expect(sent.status).toBe(403);
    const now = await open(visitor, '/account', bob.email).expect(200);
    expect(shownText(now)).toContain(bob.email);
    expect(shownText(now)).not.toContain(ada.email);
  });

  it('does not end a session of a login with a password, if the header is missing or empty', async () => {
    const ada = await api.verified();
    const visitor = new PageVisitor(app);
    await visitor.logIn(ada);

    await visitor.open('/account').expect(200);
    await open(visitor, '/account', '').expect(200);
  });

  it('gets a new account if registration is open or the user has an invitation', async () => {
    const email = 'new@example.com';
    await open(new PageVisitor(app), '/account', email).expect(200);
    Object.assign(app.config, { registration: 'closed' });
    const users = await countOf('users');
    const refused = await open(new PageVisitor(app), '/account', 'other@example.com').expect(403);
    const { path } = await app.app.get(Invitations).make('invited@example.com');
    await open(new PageVisitor(app), path, 'other@example.com').expect(403);
    const invited = await open(new PageVisitor(app), path, 'invited@example.com').expect(303);

    expect(shownText(refused)).toContain('Registration is closed.');
    expect(locationOf(invited)).toBe('/list');
    expect(await countOf('users')).toBe(users + 1);
  });

  it('gets only one account from concurrent requests', async () => {
    const users = await countOf('users');
    const pages = Array.from({ length: 5 }, () =>
      open(new PageVisitor(app), '/account', 'at-once@example.com').expect(200),
    );
    await Promise.all(pages);

    expect(await countOf('users')).toBe(users + 1);
  });

  it('is rejected if the email address of the account is not verified', async () => {
    const ada = await api.registered();
    const before = await countOf('sessions');
    const page = await open(new PageVisitor(app), '/account', ada.email).expect(403);

    expect(shownText(page)).toContain('the address is not confirmed yet');
    expect(await countOf('sessions')).toBe(before);
  });

  it('is rejected if the account is disabled', async () => {
    const ada = await api.verified();
    await app.app.get(UserAdministrationService).disable(ada.email);
    const page = await open(new PageVisitor(app), '/account', ada.email).expect(403);

    expect(shownText(page)).toContain('Your account is disabled.');
  });
});

describe('a user in the header of the proxy who deletes the account', () => {
  const PATH = '/account/delete';
  let visitor: PageVisitor;
  let email: string;

  beforeEach(async () => {
    visitor = new PageVisitor(app);
    email = `leaving${await countOf('users')}@example.com`;
    await open(visitor, '/account', email).expect(200);
  });

  const send = async (): Promise<Response> => {
    const form = formIn(await open(visitor, PATH, email).expect(200), PATH);
    return visitor.submit(form, { confirmed_email: email }).set('Remote-Email', email);
  };
  const isStored = async (): Promise<boolean> =>
    (await app.database.query('SELECT FROM users WHERE email = $1', [email])).length === 1;

  it('confirms with the email address, and sees that the account is deleted', async () => {
    const page = await open(visitor, PATH, email).expect(200);
    expect(shownText(page)).toContain('Enter the email address of your account to delete it.');
    expect(page.text).not.toContain('type="password"');

    const deleted = await send();

    expect([deleted.status, headingOf(deleted)]).toEqual([200, 'Your account is deleted']);
    expect(await isStored()).toBe(false);
  });

  it('needs no recent login, because Satchel cannot ask for a password', async () => {
    await app.database.query('UPDATE sessions SET proven_at = NULL');

    expect(headingOf(await send())).toBe('Your account is deleted');
    expect(await isStored()).toBe(false);
  });
});

describe('an invalid or untrusted proxy header', () => {
  it.each(['ada', 'ada@example.com, bob@example.com', '"a,b"@example.com', 'a@b@c', '<b>@x.org'])(
    'is rejected with an error page if its value is %s',
    async (value) => {
      const before = await countOf('users');
      const page = await open(new PageVisitor(app), '/account', value).expect(403);

      expect([headingOf(page), await countOf('users')]).toEqual(['Forbidden', before]);
    },
  );

  it('is rejected if it is sent twice, even with the same value', async () => {
    const ada = await api.verified();
    const values = [ada.email, ada.email] as unknown as string;

    expect((await open(new PageVisitor(app), '/account', values)).status).toBe(403);
  });

  it('is ignored if a client that is not the proxy sends it, regardless of X-Forwarded-For', async () => {
    const ada = await api.verified();
    const agent = new Agent({ localAddress: '127.0.0.2' });
    for (const forwarded of ['', '127.0.0.1', '127.0.0.1, 127.0.0.1']) {
      const answer = await open(new PageVisitor(app), '/account', ada.email)
        .set('X-Forwarded-For', forwarded)
        .agent(agent);
      expect(locationOf(answer)).toBe('/auth/login?next=%2Faccount');
    }
    await open(new PageVisitor(app), '/account', ada.email)
      .set('X-Forwarded-For', '9.9.9.9')
      .expect(200);
  });

  it('is ignored by the API', async () => {
    const ada = await api.verified();
    const reader = await OAuthApi.of(app);
    const header = { 'Remote-Email': ada.email };

    expect((await reader.get('none').set(header)).status).toBe(401);
    expect((await api.post('/login', undefined, header)).status).toBe(401);
    expect((await api.post('/logout', undefined, header)).status).toBe(401);
  });
});

it('shows no password field on the login page if login with a password is disabled', async () => {
  Object.assign(app.config, { passwordLogin: false });
  const page = await new PageVisitor(app).open('/auth/login').expect(200);

  expect(shownText(page)).toContain('The proxy in front of this service logs you in');
  expect(page.text).not.toContain('type="password"');
});
