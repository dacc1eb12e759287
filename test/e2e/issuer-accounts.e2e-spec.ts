import { Role } from '../../src/auth/entities/user.entity.js';
import { Invitations } from '../../src/auth/links/invitations.js';
import { UserAdministrationService } from '../../src/auth/user-administration.service.js';
import type { RegistrationMode } from '../../src/platform/config/registration-mode.js';
import { AccountApi, aPerson, PASSWORD } from '../support/account-api.js';
import { isLoggedIn, IssuerLogins, TestIssuer } from '../support/an-issuer.js';
import { formIn, locationOf, PageVisitor, shownText } from '../support/page-visitor.js';
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
  // The email address of the first user counts as verified. Tests need users who come later.
  await api.registered();
});
afterAll(async () => {
  issuer.stop();
  await app.close();
});
beforeEach(() => set({ registration: 'open', passwordLogin: true }));

describe('the first login through the issuer', () => {
  it('finds the account by the verified address; later logins find it by the subject', async () => {
    const ada = await api.verified();
    const { login } = logins.known({ email: ada.email.toUpperCase() });
    const first = await logins.logIn(login);
    issuer.people.set(login, { email: 'new@example.com', email_verified: false });
    const second = await logins.logIn(login);

    expect([first.status, locationOf(first)]).toEqual([303, '/list']);
    for (const { visitor } of [first, second]) {
      expect(shownText(await visitor.open('/account'))).toContain(ada.email);
    }
  });

  it('finds the account of the first user, whose address counts as verified', async () => {
    await app.database.query('DELETE FROM users');
    const { login, email } = logins.known();
    await api.registered({ email });

    const { visitor } = await logins.logIn(login);

    expect((await visitor.open('/admin')).status).toBe(200);
  });

  it('creates an account without a password if registration is open', async () => {
    const { login, email } = logins.known({ name: `<b>"Grace"\u202e</b>` });
    const { visitor } = await logins.logIn(login);
    const page = await visitor.open('/account').expect(200);

    expect(page.text).toContain('&lt;b&gt;&quot;Grace&quot;&lt;/b&gt;');
    expect(shownText(page)).not.toContain('New password');
    expect(shownText(page)).not.toContain('Second factor');
    for (const password of ['', 'x', PASSWORD, 'null']) {
      expect((await api.login({ email, password })).body.code).toBe('invalid_credentials');
    }
    const form = { _csrf: await visitor.csrfToken(), current: '', password: PASSWORD };
    await visitor.post('/account/password', form).expect(400);
  });

  it.each([
    [{ name: 'x'.repeat(10_000) }, 'x'.repeat(200)],
    [{ name: ' \u0000\u200b ', preferred_username: 'grace' }, 'grace'],
    [{ name: { first: 'Grace' } }, 'person'],
  ])('creates an account name that can be displayed from the claims (%#)', async (claims, name) => {
    const { login, email } = logins.known(claims);
    await logins.logIn(login);
    const [user] = await app.database.query<{ name: string }>(
      `SELECT name FROM users WHERE email = '${email}'`,
    );

    expect(user?.name.startsWith(name)).toBe(true);
    expect(user?.name.length).toBeLessThanOrEqual(200);
  });

  it.each<[string, Record<string, unknown>]>([
    ['not verified', { email_verified: false }],
    ['verified in words', { email_verified: 'true' }],
    ['without a word of it', { email_verified: undefined }],
    ['missing', { email: undefined }],
    ['no address', { email: 'grace' }],
    ['two', { email: 'a@example.com, b@example.com' }],
    ['a list', { email: ['a@example.com'] }],
    ['very long', { email: `${'a'.repeat(10_000)}@example.com` }],
  ])('is rejected if the address is %s', async (_, claims) => {
    const { email } = await api.verified();
    const { login } = logins.known({ email, ...claims });
    const before = await logins.counts();
    const answer = await logins.logIn(login);

    expect(answer.status).toBe(403);
    expect(shownText(answer)).toContain('contains no confirmed email address');
    expect(await logins.counts()).toEqual(before);
  });

  it('reads the userinfo endpoint if the ID token does not contain email_verified', async () => {
    const { login, email } = logins.known();
    issuer.idTokens.set(login, { email });

    const { visitor } = await logins.logIn(login);

    expect(shownText(await visitor.open('/account'))).toContain(email);
  });

  it('is rejected if email_verified is false in the ID token', async () => {
    const { login, email } = logins.known();
    issuer.idTokens.set(login, { email, email_verified: false });

    expect((await logins.logIn(login)).status).toBe(403);
  });

  it('is rejected if the address of the account is unverified, until it is verified', async () => {
    const { login, email } = logins.known();
    await api.registered({ email });
    const before = await logins.counts();
    const refused = await logins.logIn(login);

    expect([refused.status, await isLoggedIn(refused.visitor)]).toEqual([403, false]);
    expect(shownText(refused)).toContain('the address is not confirmed yet');
    expect(await logins.counts()).toEqual(before);
    await app.app.get(UserAdministrationService).verifyEmail(email);
    expect(locationOf(await logins.logIn(login))).toBe('/list');
  });

  it('is rejected if the account belongs to another subject', async () => {
    const { login, email } = logins.known();
    await logins.logIn(login);
    const other = logins.known({ email });
    const before = await logins.counts();
    const answer = await logins.logIn(other.login);

    expect(answer.status).toBe(403);
    expect(shownText(answer)).toContain('belongs to another login');
    expect(await logins.counts()).toEqual(before);
  });

  it('creates one account for concurrent logins', async () => {
    const { login } = logins.known();
    const [users = 0, identities = 0] = await logins.counts();
    const visitors = Array.from({ length: 4 }, () => new PageVisitor(app));
    const paths = await Promise.all(visitors.map((visitor) => logins.answerFor(visitor, login)));
    const answers = await Promise.all(visitors.map((visitor, at) => visitor.open(paths[at] ?? '')));

    expect(answers.map(locationOf)).toEqual(Array(4).fill('/list'));
    expect((await logins.counts()).slice(0, 2)).toEqual([users + 1, identities + 1]);
  });

  it('is rejected for a disabled account, as are later logins', async () => {
    const administration = app.app.get(UserAdministrationService);
    const [ada, { login, email }] = [await api.verified(), logins.known()];
    await logins.logIn(login);
    const known2 = logins.known({ email: ada.email });
    await administration.disable(ada.email);
    await administration.disable(email);
    const before = await logins.counts();

    for (const name of [login, known2.login]) {
      const answer = await logins.logIn(name);
      expect([answer.status, await isLoggedIn(answer.visitor)]).toEqual([403, false]);
      expect(shownText(answer)).toContain('Your account is disabled.');
    }
    expect(await logins.counts()).toEqual(before);
  });
});

describe('an issuer login while registration is not open', () => {
  beforeEach(() => set({ registration: 'closed' }));
  const invite = async (email?: string): Promise<string> =>
    (await app.app.get(Invitations).make(email)).path.replace(/^.*=/, '');

  it('is rejected if the user has no account', async () => {
    const before = await logins.counts();
    const answer = await logins.logIn(logins.known().login);

    expect(answer.status).toBe(403);
    expect(shownText(answer)).toContain('Registration is closed.');
    expect(await logins.counts()).toEqual(before);
  });

  it('creates an account from an invitation once, and only for the invited address', async () => {
    const [grace, other] = [logins.known(), logins.known()];
    const link = await invite(grace.email);
    const page = await new PageVisitor(app).open(`/auth/register?invitation=${link}`).expect(200);
    const [href = ''] = /\/auth\/oidc\/start\?[^"]*/.exec(page.text) ?? [];
    const query = href.replace('/auth/oidc/start', '').replaceAll('&amp;', '&');

    expect(shownText(await logins.logIn(other.login, query))).toContain(
      'is for another email address',
    );
    expect(locationOf(await logins.logIn(grace.login, query))).toBe('/list');
    expect((await logins.logIn(other.login, query)).status).toBe(403);
    expect(
      (await logins.logIn(logins.known().login, `?invitation=${'x'.repeat(3000)}`)).status,
    ).toBe(403);
  });

  it('makes the first user an administrator and rejects the second one', async () => {
    set({ registration: 'until-first-user' });
    await app.database.query('DELETE FROM users');
    const first = await logins.logIn(logins.known().login);
    const second = await logins.logIn(logins.known().login);

    expect((await first.visitor.open('/admin')).status).toBe(200);
    expect(second.status).toBe(403);
  });
});

describe('a service without password login', () => {
  it('rejects passwords at login and registration, but accepts cookies and access tokens', async () => {
    const ada = await api.loggedIn(await api.verified());
    const { visitor } = await logins.logIn(logins.known({ email: ada.email }).login);
    set({ passwordLogin: false });

    for (const answer of [
      await api.login(ada),
      await api.login({ email: 'nobody@example.com', password: 'x' }),
      await api.post('/login', { email: 1 }),
      await api.post('/register', aPerson()),
      await api.post('/register', {}),
    ]) {
      expect([answer.status, answer.body.code]).toEqual([403, 'password_login_off']);
    }
    await api.post('/login', undefined, { Cookie: ada.cookie }).expect(200);
    await api.post('/login', undefined, { Authorization: `Bearer ${ada.accessToken}` }).expect(200);
    expect(await isLoggedIn(visitor)).toBe(true);
  });

  it('lets an administrator verify addresses, but not create password reset links', async () => {
    const [ada, bob] = [await api.verified(), await api.registered()];
    await app.app.get(UserAdministrationService).setRole(ada.email, Role.Administrator);
    const { visitor } = await logins.logIn(logins.known({ email: ada.email }).login);
    const path = `/admin/users/${bob.id}`;
    const before = await visitor.open(path).expect(200);
    set({ passwordLogin: false });
    const after = await visitor.open(path).expect(200);

    expect(before.text).toContain(`"${path}/reset"`);
    expect(after.text).not.toContain(`"${path}/reset"`);
    await visitor.submit(formIn(after, `${path}/verify`)).expect(303);
    expect((await visitor.open(path)).text).not.toContain(`"${path}/verify"`);
  });

  it('shows no password forms and rejects their submission', async () => {
    const ada = await api.verified();
    const bob = new PageVisitor(app);
    const form = await bob.form('/auth/login', '/auth/login');
    const { visitor } = await logins.logIn(logins.known({ email: ada.email }).login);
    const _csrf = await visitor.csrfToken();
    set({ passwordLogin: false });
    const before = await logins.counts();

    for (const path of ['/auth/login', '/auth/register']) {
      expect((await bob.open(path).expect(200)).text).not.toContain('type="password"');
    }
    expect((await visitor.open('/account/security').expect(200)).text).not.toContain(
      'type="password"',
    );
    const login = await bob.submit(form, { email: ada.email, password: ada.password }).expect(403);
    expect(shownText(login)).toContain('You are not logged in yet.');
    await bob.post('/auth/login/code', { ...form.fields, otp: '123456' }).expect(403);
    await bob.post('/auth/register', { ...form.fields, ...aPerson() }).expect(403);
    const factor = { _csrf, change: 'on', current: ada.password, otp: '123456' };
    expect(shownText(await visitor.post('/account/second-factor', factor).expect(403))).toContain(
      'You cannot log in with a password here.',
    );
    const change = { _csrf, current: ada.password, password: 'another long pass phrase' };
    expect(shownText(await visitor.post('/account/password', change).expect(403))).toContain(
      'You cannot log in with a password here.',
    );
    set({ passwordLogin: true });
    await api.login(ada).expect(200);
    expect((await logins.counts()).slice(0, 2)).toEqual(before.slice(0, 2));
  });
});
