import { AccountApi, aPerson, PASSWORD } from '../support/account-api.js';
import { aVisitor, OAuthApi } from '../support/oauth-api.js';
import { headingOf, PageVisitor, shownText } from '../support/page-visitor.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

const NEXT = 'another long pass phrase';

let app: TestApp;
let api: AccountApi;
let reader: OAuthApi;
let ada: Awaited<ReturnType<typeof aVisitor>>;

beforeAll(async () => {
  app = await aTestApp();
  api = new AccountApi(app);
  reader = await OAuthApi.of(app, { name: 'Reader' });
});
afterAll(() => app.close());
beforeEach(async () => {
  ada = await aVisitor(app);
});

describe('the login page', () => {
  it('shows the same error for any wrong credentials, and starts no session', async () => {
    const [registered] = [await api.registered()];
    const texts: string[] = [];
    for (const attempt of [
      { email: registered.email, password: 'wrong' },
      { email: 'nobody@example.com', password: PASSWORD },
      { email: '', password: '' },
      { email: registered.email, password: 'x'.repeat(100) },
    ]) {
      const bob = new PageVisitor(app);
      const page = await bob
        .submit(await bob.form('/auth/login', '/auth/login'), attempt)
        .expect(403);
      texts.push(shownText(page));
      expect((await bob.open('/account')).headers['location']).toBe('/auth/login?next=%2Faccount');
    }
    expect(new Set(texts).size).toBe(1);
    expect(texts[0]).toContain('The email address or the password is incorrect.');
  });

  it('replaces the session at a login, and rejects a form of the previous session', async () => {
    const bob = new PageVisitor(app);
    const form = await bob.form('/auth/login', '/auth/login');
    await bob.submit(form, { email: ada.user.email, password: ada.user.password }).expect(303);

    await bob.submit(form, { email: ada.user.email, password: ada.user.password }).expect(403);
  });

  it('redirects a logged-in user to the list, and pages accept a session cookie of the API', async () => {
    const answer = await ada.open('/auth/login').expect(303);
    expect(answer.headers['location']).toBe('/list');

    const byApi = await new PageVisitor(app).open('/account').set('Cookie', ada.user.cookie);
    expect(shownText(byApi)).toContain(ada.user.email);
  });
});

describe('the page for a new account', () => {
  it('shows the errors, and keeps the typed values except for the password', async () => {
    const bob = new PageVisitor(app);
    const form = await bob.form('/auth/register', '/auth/register');
    const typed = { name: '<b>', email: 'not-an-address', password: 'short' };

    const page = await bob.submit(form, typed).expect(400);

    expect(shownText(page)).toMatch(
      /Enter an email address, such as .*Use at least 8 characters\./,
    );
    expect(page.text).toContain('value="&lt;b&gt;"');
    expect(page.text).toContain('value="not-an-address"');
    expect(page.text).not.toContain('value="short"');
  });

  it('shows an error if the email address has an account', async () => {
    const bob = new PageVisitor(app);
    const form = await bob.form('/auth/register', '/auth/register');

    const page = await bob.submit(form, { ...aPerson({ email: ada.user.email }) }).expect(400);

    expect(shownText(page)).toContain('An account with this email address already exists.');
  });
});

describe('the account page', () => {
  it('redirects to the login page without a session', async () => {
    const answer = await new PageVisitor(app).open('/account').expect(303);
    expect(answer.headers['location']).toBe('/auth/login?next=%2Faccount');
  });

  it('lists each application of the user once, with the date of its last use', async () => {
    await reader.accessToken(ada);
    const token = await reader.accessToken(ada);
    expect(shownText(await ada.open('/account/devices'))).toMatch(
      /Reader Can see.*Last used Never/,
    );
    await reader.get(token).expect(200);
    const bob = await aVisitor(app);

    const text = shownText(await ada.open('/account/devices').expect(200));

    expect(text).toMatch(
      /Reader Can see your list, save pages and change your list\. .*Last used \d+ \w+ \d{4}/,
    );
    expect(text.match(/Access since/g)).toHaveLength(1);
    expect(shownText(await bob.open('/account/devices'))).toContain('No application has access');
  });

  it('revokes an application only for the user', async () => {
    const bob = await aVisitor(app);
    const other = await OAuthApi.of(app, { name: 'Other' });
    const [mine, myOther, his] = [
      await reader.accessToken(ada),
      await other.accessToken(ada),
      await reader.accessToken(bob),
    ];

    const answer = await ada.submit(
      await ada.form('/account/devices', '/account/applications/revoke'),
      {
        application: reader.key.split('-')[0] ?? '',
      },
    );

    expect(answer.headers['location']).toBe('/account/devices?done=revoked');
    await reader.get(mine).expect(401);
    await other.get(myOther).expect(200);
    await reader.get(his).expect(200);
  });

  it.each(['', '0', 'x', '1 OR 1=1', '9'.repeat(30)])(
    'revokes nothing for %j',
    async (application) => {
      const token = await reader.accessToken(ada);
      const _csrf = await ada.csrfToken();

      await ada.post('/account/applications/revoke', { _csrf, application }).expect(303);

      await reader.get(token).expect(200);
    },
  );

  it('shows no message for an unknown value of the parameter done', async () => {
    const page = await ada.open('/account?done=%3Cscript%3E').expect(200);

    expect(page.text).not.toMatch(/<script>|role="status"/);
  });

  it('logs out all sessions, and revokes applications only if the user selects it', async () => {
    const token = await reader.accessToken(ada);
    const elsewhere = await aVisitor(app, ada.user);

    await ada.submit(await ada.form('/account/security', '/account/sign-out')).expect(303);

    expect((await elsewhere.open('/account')).status).toBe(303);
    expect((await api.loginWith({ Authorization: `Bearer ${ada.user.accessToken}` })).status).toBe(
      401,
    );
    await reader.get(token).expect(200);
    await elsewhere.logIn(ada.user);
    await elsewhere.submit(await elsewhere.form('/account/security', '/account/sign-out'), {
      revoke: '1',
    });
    await reader.get(token).expect(401);
  });

  it('logs out only the current browser', async () => {
    const elsewhere = await aVisitor(app, ada.user);

    await ada.submit(await ada.form('/account', '/auth/leave')).expect(303);

    expect((await ada.open('/account')).status).toBe(303);
    expect(headingOf(await elsewhere.open('/account').expect(200))).toBe('Your account');
  });
});

describe('the password form of the account page', () => {
  const change = async (current: string, password: string) =>
    ada.submit(await ada.form('/account/security', '/account/password'), { current, password });

  it('changes the password, and ends all other sessions', async () => {
    const elsewhere = await aVisitor(app, ada.user);
    const token = await reader.accessToken(ada);

    const answer = await change(PASSWORD, NEXT);

    expect(answer.headers['location']).toBe('/account/security?done=password');
    expect(shownText(await ada.open('/account/security?done=password').expect(200))).toContain(
      'Password changed.',
    );
    expect((await elsewhere.open('/account')).status).toBe(303);
    expect((await api.login(ada.user)).status).toBe(401);
    expect((await api.login({ email: ada.user.email, password: NEXT })).status).toBe(200);
    expect((await api.refresh(ada.user.refreshToken)).status).toBe(401);
    await reader.get(token).expect(200);
  });

  it.each([
    ['wrong', NEXT, 'The current password is incorrect.'],
    [PASSWORD, 'short', 'Use at least 8 characters.'],
    [PASSWORD, 'password123', 'This is one of the most common passwords.'],
    ['', '', 'Use at least 8 characters.'],
  ])('rejects %j as current and %j as new password', async (current, password, sentence) => {
    const page = await change(current, password);

    expect(page.status).toBe(400);
    expect(shownText(page)).toContain(sentence);
    expect((await api.login(ada.user)).status).toBe(200);
  });
});
