import { Agent } from 'node:http';

import type { Test } from 'supertest';

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

describe('a user whom the proxy names', () => {
  it('is logged in by opening a page, in one session, and keeps the session while named', async () => {
    const ada = await api.verified();
    const visitor = new PageVisitor(app);
    const before = await countOf('sessions');
    const first = await open(visitor, '/account', ada.email.toUpperCase()).expect(200);
    await open(visitor, '/list', ada.email).expect(200);

    expect(shownText(first)).toContain(ada.email);
    expect(shownText(first)).toContain('This browser');
    expect(await countOf('sessions')).toBe(before + 1);
    expect((await visitor.open('/account')).status).toBe(303);
    expect(await countOf('sessions')).toBe(before);
  });

  it('goes on from the login page and the start page', async () => {
    const ada = await api.verified();
    const login = await open(new PageVisitor(app), '/auth/login?next=%2Faccount', ada.email);

    expect(locationOf(login)).toBe('/account');
    expect(locationOf(await open(new PageVisitor(app), '/', ada.email))).toBe('/list');
  });

  it('takes the place of another, whose forms are not sent', async () => {
    const [ada, bob] = [await api.verified(), await api.verified()];
    const visitor = new PageVisitor(app);
    const page = await open(visitor, '/account', ada.email).expect(200);
    const form = formIn(page, '/account/sign-out');

    const sent = await visitor.submit(form).set('Remote-Email', bob.email);
    expect(sent.status).toBe(403);
    const now = await open(visitor, '/account', bob.email).expect(200);
    expect(shownText(now)).toContain(bob.email);
    expect(shownText(now)).not.toContain(ada.email);
  });

  it('does not end a session that a password began, while none is named', async () => {
    const ada = await api.verified();
    const visitor = new PageVisitor(app);
    await visitor.logIn(ada);

    await visitor.open('/account').expect(200);
    await open(visitor, '/account', '').expect(200);
  });

  it('gets an account by the rules of registration', async () => {
    const email = 'new@example.com';
    await open(new PageVisitor(app), '/account', email).expect(200);
    Object.assign(app.config, { registration: 'closed' });
    const users = await countOf('users');
    const refused = await open(new PageVisitor(app), '/account', 'other@example.com').expect(403);
    const { path } = await app.app.get(Invitations).make('invited@example.com');
    await open(new PageVisitor(app), path, 'other@example.com').expect(403);
    const invited = await open(new PageVisitor(app), path, 'invited@example.com').expect(303);

    expect(shownText(refused)).toContain('Registration is closed here.');
    expect(locationOf(invited)).toBe('/list');
    expect(await countOf('users')).toBe(users + 1);
  });

  it('is one account where many pages are opened at once', async () => {
    const users = await countOf('users');
    const pages = Array.from({ length: 5 }, () =>
      open(new PageVisitor(app), '/account', 'at-once@example.com').expect(200),
    );
    await Promise.all(pages);

    expect(await countOf('users')).toBe(users + 1);
  });

  it('is refused where a stranger may have made the account', async () => {
    const ada = await api.registered();
    const before = await countOf('sessions');
    const page = await open(new PageVisitor(app), '/account', ada.email).expect(403);

    expect(shownText(page)).toContain('the address is not confirmed yet');
    expect(await countOf('sessions')).toBe(before);
  });

  it('is refused where the account is disabled', async () => {
    const ada = await api.verified();
    await app.app.get(UserAdministrationService).disable(ada.email);
    const page = await open(new PageVisitor(app), '/account', ada.email).expect(403);

    expect(shownText(page)).toContain('Your account is disabled.');
  });
});

describe('a header that counts for nothing', () => {
  it.each(['ada', 'ada@example.com, bob@example.com', '"a,b"@example.com', 'a@b@c', '<b>@x.org'])(
    '%s is refused with a page',
    async (value) => {
      const before = await countOf('users');
      const page = await open(new PageVisitor(app), '/account', value).expect(403);

      expect([headingOf(page), await countOf('users')]).toEqual(['Forbidden', before]);
    },
  );

  it('two headers are refused, whatever they say', async () => {
    const ada = await api.verified();
    const values = [ada.email, ada.email] as unknown as string;

    expect((await open(new PageVisitor(app), '/account', values)).status).toBe(403);
  });

  it('that of a client which is not the proxy is not looked at, also where it names the proxy', async () => {
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

  it('never counts for the API', async () => {
    const ada = await api.verified();
    const reader = await OAuthApi.of(app);
    const header = { 'Remote-Email': ada.email };

    expect((await reader.get('none').set(header)).status).toBe(401);
    expect((await api.post('/login', undefined, header)).status).toBe(401);
    expect((await api.post('/logout', undefined, header)).status).toBe(401);
  });
});

it('is the only way in where passwords are closed', async () => {
  Object.assign(app.config, { passwordLogin: false });
  const page = await new PageVisitor(app).open('/auth/login').expect(200);

  expect(shownText(page)).toContain('The proxy in front of this service logs you in');
  expect(page.text).not.toContain('type="password"');
});
