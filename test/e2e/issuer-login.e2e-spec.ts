import type { RegistrationMode } from '../../src/platform/config/registration-mode.js';
import { AccountApi, cookieOf } from '../support/account-api.js';
import {
  isLoggedIn,
  IssuerLogins,
  IssuerVisitor,
  pathOf,
  TestIssuer,
} from '../support/an-issuer.js';
import { OAuthApi } from '../support/oauth-api.js';
import {
  consentPath,
  formIn,
  headingOf,
  locationOf,
  PageVisitor,
  shownText,
} from '../support/page-visitor.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

let app: TestApp;
let api: AccountApi;
let issuer: TestIssuer;
let logins: IssuerLogins;

/** Changes settings that the service reads on each call. */
const set = (settings: { registration?: RegistrationMode; passwordLogin?: boolean }): unknown =>
  Object.assign(app.config, settings);

beforeAll(async () => {
  app = await aTestApp();
  api = new AccountApi(app);
  issuer = await TestIssuer.for(app);
  logins = new IssuerLogins(app, issuer);
});
afterAll(async () => {
  issuer.stop();
  await app.close();
});
beforeEach(() => set({ registration: 'open', passwordLogin: true }));

describe('an unreachable issuer', () => {
  it('is reported on the login page, which offers the login again when the issuer is reachable', async () => {
    await api.registered();
    issuer.isAway = true;
    const bob = new PageVisitor(app);
    const page = await bob.open('/auth/login').expect(200);
    const start = await bob.open('/auth/oidc/start').expect(503);
    issuer.isAway = false;
    app.clock.advance(10);
    const later = await bob.open('/auth/login').expect(200);

    expect(shownText(page)).toContain('Home ID cannot be reached at the moment');
    expect(page.text).not.toContain('/auth/oidc/start');
    expect(shownText(start)).toContain('Home ID cannot be reached at the moment. Try again later.');
    expect(shownText(later)).toContain('Log in with Home ID');
  });

  it('ends a login with an error page, and the next login works', async () => {
    const { login } = logins.known();
    const bob = new PageVisitor(app);
    const path = await logins.answerFor(bob, login);
    issuer.isAway = true;
    const page = await bob.open(path).expect(503);
    issuer.isAway = false;

    expect(shownText(page)).toContain('cannot be reached');
    expect(locationOf(await logins.logIn(login))).toBe('/list');
  });
});

describe('a response of the issuer', () => {
  it.each<[string, (url: URL) => void]>([
    [
      'with another state',
      (url) => {
        url.searchParams.set('state', 'x');
      },
    ],
    [
      'without a state',
      (url) => {
        url.searchParams.delete('state');
      },
    ],
    [
      'with two states',
      (url) => {
        url.searchParams.append('state', 'x');
      },
    ],
    [
      'of another issuer',
      (url) => {
        url.searchParams.set('iss', 'https://evil.example');
      },
    ],
    [
      'of no issuer',
      (url) => {
        url.searchParams.delete('iss');
      },
    ],
    [
      'with another code',
      (url) => {
        url.searchParams.set('code', 'x'.repeat(9000));
      },
    ],
    [
      'with two codes',
      (url) => {
        url.searchParams.append('code', 'x');
      },
    ],
    [
      'without a code',
      (url) => {
        url.searchParams.delete('code');
      },
    ],
    [
      'with markup',
      (url) => {
        url.searchParams.set('error', '<script>alert(1)</script>');
      },
    ],
    [
      'with tokens',
      (url) => {
        url.searchParams.set('id_token', 'e30.e30.e30');
      },
    ],
    ['that is empty', (url) => (url.search = '')],
    ['that is garbage', (url) => (url.search = '?%00%ff&&=&code[]=1')],
  ])('%s is rejected and ends the login', async (_, spoil) => {
    const bob = new PageVisitor(app);
    const right = await logins.answerFor(bob, logins.known().login);
    const url = new URL(right, app.url);
    spoil(url);
    const before = await logins.counts();
    const page = await bob.open(pathOf(url));

    expect([page.status, headingOf(page)]).toEqual([403, 'Log in']);
    expect(page.text).not.toContain('<script>');
    expect((await bob.open(right)).status).toBe(403);
    expect(await logins.counts()).toEqual(before);
  });

  it.each(['nonce', 'code_challenge'])('to a request with another %s is rejected', async (name) => {
    const bob = new PageVisitor(app);
    const url = new URL(locationOf(await bob.open('/auth/oidc/start')));
    url.searchParams.set(name, 'x'.repeat(43));
    const answer = await new IssuerVisitor().logIn(url.href, logins.known().login);

    expect((await bob.open(pathOf(answer))).status).toBe(403);
    expect(await isLoggedIn(bob)).toBe(false);
  });

  it('is rejected in another browser and when it is replayed', async () => {
    const [bob, eve] = [new PageVisitor(app), new PageVisitor(app)];
    const start = await bob.open('/auth/oidc/start');
    const answer = await new IssuerVisitor().logIn(locationOf(start), logins.known().login);
    const [path, cookie] = [pathOf(answer), cookieOf(start)];
    await eve.open('/auth/oidc/start');

    expect((await eve.open(path)).status).toBe(403);
    expect((await bob.open(path)).status).toBe(303);
    expect(locationOf(await bob.open(path))).toBe('/list');
    const before = await logins.counts();
    expect((await new PageVisitor(app).open(path).set('Cookie', cookie)).status).toBe(403);
    expect(await logins.counts()).toEqual(before);
  });

  it('is shown as an error if the issuer rejects the user', async () => {
    const answer = await logins.logIn('');

    expect(answer.status).toBe(403);
    expect(shownText(answer)).toContain('This login was refused.');
  });

  it('is rejected after half an hour', async () => {
    const bob = new PageVisitor(app);
    const path = await logins.answerFor(bob, logins.known().login);
    app.clock.advance(1801);

    expect(shownText(await bob.open(path).expect(403))).toContain('expired or was already used');
  });
});

describe('a login through the issuer', () => {
  it('redirects to the requested page, but not to another site', async () => {
    const { login } = logins.known();

    expect(locationOf(await logins.logIn(login, '?next=%2Flist%3Fsort%3Doldest'))).toBe(
      '/list?sort=oldest',
    );
    for (const next of ['https://evil.example/', '//evil.example', '/\\evil.example']) {
      const query = `?${new URLSearchParams({ next }).toString()}`;
      expect(locationOf(await logins.logIn(login, query))).toBe('/list');
    }
    const save = `?${new URLSearchParams({ next: '/save?url=https://example.com/' }).toString()}`;
    expect(locationOf(await logins.logIn(login, save))).toContain('ask=1');
  });

  it('redirects to the consent page of an application', async () => {
    const reader = await OAuthApi.of(app, { name: 'Reader' });
    const code = await reader.code();
    const bob = new PageVisitor(app);
    const page = await bob.open(locationOf(await bob.open(consentPath(code))));
    const [href = ''] = /\/auth\/oidc\/start\?[^"]*/.exec(page.text) ?? [];
    const path = await logins.answerFor(
      bob,
      logins.known().login,
      href.replace('/auth/oidc/start', ''),
    );

    expect(locationOf(await bob.open(path))).toBe(consentPath(code));
  });

  it('opens in a new tab if an expired form or a long address must be kept', async () => {
    const own = { Origin: app.url };
    const long = `/save?url=https://example.com/${'x'.repeat(2500)}`;
    for (const [path, heading] of [
      ['/account/export', 'Send it again?'],
      [long, ''],
    ] as const) {
      const bob = new PageVisitor(app);
      const page =
        heading === ''
          ? await bob.open(`/auth/login?${new URLSearchParams({ next: path }).toString()}`)
          : await bob.post(path, { format: 'jsonl' }).set(own);
      expect(shownText(page)).toContain('Log in with Home ID in a new tab');
      set({ passwordLogin: false });
      const form = formIn(page, '/auth/login');
      const early = await bob.submit(form).expect(403);
      expect(shownText(early)).toContain('You are not logged in yet.');

      await bob.open(await logins.answerFor(bob, logins.known().login));
      const after = await bob.submit(form).set(own);

      expect(after.status === 303 ? '' : headingOf(after)).toBe(heading);
      expect(locationOf(after).slice(0, 10)).toBe(heading === '' ? '/save?url=' : '');
      set({ passwordLogin: true });
    }
  });

  it('redirects a user who is already logged in', async () => {
    const { visitor } = await logins.logIn(logins.known().login);

    expect(locationOf(await visitor.open('/auth/oidc/start?next=%2Faccount'))).toBe('/account');
  });
});

describe('logging out', () => {
  it('in this browser offers a logout at the issuer, which redirects back', async () => {
    const { visitor } = await logins.logIn(logins.known().login);
    const page = await visitor.submit(await visitor.form('/account', '/auth/leave')).expect(200);
    const answer = await visitor.open('/auth/oidc/logout').expect(303);
    const url = new URL(locationOf(answer));

    expect(headingOf(page)).toBe('You are logged out');
    expect(await isLoggedIn(visitor)).toBe(false);
    expect([url.origin, url.searchParams.get('client_id')]).toEqual([issuer.url, 'satchel']);
    expect(url.searchParams.get('post_logout_redirect_uri')).toBe(`${app.url}/auth/login`);
    expect((await fetch(url)).status).toBe(200);
  });

  it('offers a logout at the issuer after a password change and after a login with the cookie', async () => {
    const ada = await api.verified();
    const { visitor } = await logins.logIn(logins.known({ email: ada.email }).login);
    const form = await visitor.form('/account/security', '/account/password');
    const change = { current: ada.password, password: 'another long pass phrase' };
    await visitor.submit(form, change).expect(303);
    await visitor.agent.post('/login').expect(200);
    const page = await visitor.submit(await visitor.form('/account', '/auth/leave'));

    expect([page.status, page.text]).toEqual([200, expect.stringContaining('/auth/oidc/logout')]);
  });

  it('after a login with a password redirects to the login page', async () => {
    const ada = await api.registered();
    const visitor = new PageVisitor(app);
    await visitor.logIn(ada);

    expect(locationOf(await visitor.submit(await visitor.form('/account', '/auth/leave')))).toBe(
      '/auth/login',
    );
  });
});

it('a login through the issuer logs no secrets', () => {
  const log = app.log();

  expect(log).toContain('a login with the issuer 127.0.0.1');
  for (const secret of [issuer.settings.clientSecret, 'code=', 'id_token=', 'invitation=']) {
    expect(log).not.toContain(secret);
  }
  expect(log).not.toContain('"level":50');
});
