import type { Response } from 'supertest';

import { AccountApi, type SignedIn } from '../support/account-api.js';
import { ProtectedVisitor } from '../support/authenticator.js';
import { aVisitor } from '../support/oauth-api.js';
import { locationOf, PageVisitor, shownText } from '../support/page-visitor.js';
import { aTestApp, NO_LIMITS, type TestApp } from '../support/test-app.js';
import { WallabagApi } from '../support/wallabag-api.js';

const LOGIN_FORM = /<form action="\S*\/login_check" method="post" name="loginform">/;
const LOGO = /<img [^>]*alt="wallabag logo" ?\/?>/;
const LOGIN_TOKEN = /<input type="hidden" name="_csrf_token" value="([^" ]+)" \/>/;
const CREATE_TOKEN =
  /<input type="hidden" id="client__token" name="client\[_token\]" value="([^" ]+)" \/>/;
const NEW_CLIENT =
  /<ul>\s*<li>[^<]*<strong><pre>([^<]+)<\/pre><\/strong><\/li>\s*<li>[^<]*<strong><pre>([^<]+)<\/pre><\/strong><\/li>\s*<li>[^<]*<strong><pre>([^<]+)<\/pre><\/strong><\/li>/;

let app: TestApp;
let ada: SignedIn;

beforeAll(async () => {
  app = await aTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  ada = await new AccountApi(app).signedIn();
});

const found = (text: string, pattern: RegExp): string => pattern.exec(text)?.[1] ?? '';

/** Submits the login form as wallabag's Android app does. */
async function logIn(
  visitor: PageVisitor,
  { email, password }: Pick<SignedIn, 'email' | 'password'>,
): Promise<Response> {
  const page = await visitor.open('/wallabag/login').expect(200);
  return visitor.post('/wallabag/login_check', {
    ...{ _username: email, _password: password, _remember_me: 'on', send: '' },
    _csrf_token: found(page.text, LOGIN_TOKEN),
  });
}

describe("wallabag's Android app", () => {
  it('logs in, creates a client and gets tokens with it', async () => {
    const visitor = new PageVisitor(app);
    const first = await visitor.open('/wallabag/').redirects(1);
    expect(first.text).toMatch(LOGIN_FORM);
    expect(first.text).toMatch(LOGO);
    expect(first.text).not.toContain('/logout">');

    const login = await logIn(visitor, ada);
    expect([login.status, locationOf(login)]).toEqual([302, '/wallabag/']);
    const home = await visitor.open('/wallabag/').expect(200);
    expect(home.text).toMatch(LOGO);
    expect(home.text).toContain('/logout">');
    expect(home.text).not.toMatch(LOGIN_FORM);
    const developer = await visitor.open('/wallabag/developer').expect(200);
    expect(developer.text).not.toContain('Android app - #');
    const form = await visitor.open('/wallabag/developer/client/create').expect(200);
    const answer = await visitor
      .post('/wallabag/developer/client/create', {
        ...{ 'client[name]': 'Android app', 'client[redirect_uris]': '', 'client[save]': '' },
        'client[_token]': found(form.text, CREATE_TOKEN),
      })
      .expect(200);

    const [, name, clientId = '', clientSecret = ''] = NEW_CLIENT.exec(answer.text) ?? [];
    expect(name).toBe('Android app');
    const api = new WallabagApi(app, { clientId, clientSecret, stored: undefined as never });
    await api.user((await api.tokens(ada)).access_token).expect(200);
    const later = await visitor.open('/wallabag/developer').expect(200);
    const [number] = clientId.split('-');
    expect(shownText(later)).toContain(`Android app - #${String(number)}`);
    expect(later.text).not.toContain(clientId);
    expect(later.text).not.toContain(clientSecret);
    expect(later.text).not.toContain('<code>');
  });

  it.each(['/wallabag/', '/wallabag/developer', '/wallabag/developer/client/create'])(
    'is redirected to the login from %s',
    async (path) => {
      const answer = await new PageVisitor(app).open(path).expect(302);

      expect(locationOf(answer)).toBe('/wallabag/login');
    },
  );

  it('is redirected to the login with the reason if the password or the form token is wrong', async () => {
    const visitor = new PageVisitor(app);

    const wrong = await logIn(visitor, { ...ada, password: 'wrong' });
    const none = await visitor.post('/wallabag/login_check', {
      _username: ada.email,
      _password: ada.password,
    });

    expect([wrong.status, locationOf(wrong)]).toEqual([302, '/wallabag/login?why=wrong']);
    expect(locationOf(none)).toBe('/wallabag/login?why=outdated');
    expect(shownText(await visitor.open(locationOf(wrong)))).toContain('is incorrect');
    expect(locationOf(await visitor.open('/wallabag/'))).toBe('/wallabag/login');
  });

  it('creates no client if the form token is invalid', async () => {
    const visitor = await aVisitor(app, ada);

    const answer = await visitor.post('/wallabag/developer/client/create', {
      'client[name]': 'X',
      'client[_token]': 'x',
    });

    expect(answer.status).toBe(400);
    expect(
      await app.database.query('SELECT 1 FROM consumer_keys WHERE owner_id = $1', [ada.id]),
    ).toEqual([]);
  });
});

describe('the wallabag pages in a browser', () => {
  it('explain the address, and redirect a logged-in user from login and logout', async () => {
    const visitor = await aVisitor(app, ada);

    expect(shownText(await visitor.open('/wallabag/'))).toMatch(
      /wallabag apps use your reading list.*wallabag.*ada/s,
    );
    expect(locationOf(await visitor.open('/wallabag/login'))).toBe('/wallabag/');
    expect(locationOf(await visitor.open('/wallabag/logout'))).toBe('/account');
    await visitor.open('/wallabag/').expect(200);
    for (const path of ['/wallabag', '/wallabag/favicon.ico']) {
      const { status, headers } = await visitor.agent.head(path);
      expect([path, status < 400, headers['content-security-policy']]).toEqual([
        path,
        true,
        expect.stringContaining("default-src 'none'"),
      ]);
    }
  });

  it('have a strict content security policy and no scripts', async () => {
    const { headers, text } = await new PageVisitor(app).open('/wallabag/login').expect(200);

    expect(headers['content-security-policy']).toBe(
      "default-src 'none';style-src 'self';img-src 'self';base-uri 'none';frame-ancestors 'none';form-action 'self'",
    );
    expect(text).not.toMatch(/<script|style="/);
  });
});

describe('logins on the wallabag pages', () => {
  it('redirect to an explanation if the user has a second factor or password login is off', async () => {
    const visitor = new PageVisitor(app);
    const { email, password } = (await ProtectedVisitor.of(app)).user;

    const withFactor = await logIn(visitor, { email, password });
    Object.assign(app.config, { passwordLogin: false });
    const off = await logIn(visitor, ada);
    Object.assign(app.config, { passwordLogin: true });

    expect(locationOf(withFactor)).toBe('/wallabag/login?why=second-factor');
    expect(shownText(await visitor.open(locationOf(withFactor)))).toContain(
      'create a client under',
    );
    expect(locationOf(off)).toBe('/wallabag/login?why=passwords');
    expect(locationOf(await visitor.open('/wallabag/'))).toBe('/wallabag/login');
  });

  // Must be last, because the process-wide passport uses the strategies of the service that started last.
  it('count toward the limit only if they fail', async () => {
    const limited = await aTestApp({
      config: { limits: { ...NO_LIMITS, loginPerAddress: 3, loginPerAccount: 0 } },
    });
    const user = await new AccountApi(limited).registered();
    const visitor = new PageVisitor(limited);
    for (let round = 0; round < 5; round += 1) {
      const each = new PageVisitor(limited);
      expect(locationOf(await logIn(each, user))).toBe('/wallabag/');
    }

    const statuses = [];
    for (let round = 0; round < 4; round += 1) {
      statuses.push((await logIn(visitor, { ...user, password: 'wrong' })).status);
    }
    const site = await new AccountApi(limited).login(user);
    await limited.close();

    expect(statuses).toEqual([302, 302, 302, 429]);
    expect(site.status).toBe(429);
  });
});
