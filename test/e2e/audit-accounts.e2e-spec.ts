import { AccountApi, aPerson, bearer, PASSWORD } from '../support/account-api.js';
import { auditedIn } from '../support/audit-log.js';
import { ProtectedVisitor } from '../support/authenticator.js';
import { MailingApp } from '../support/mailing-app.js';
import { aVisitor, OAuthApi } from '../support/oauth-api.js';
import { PageVisitor } from '../support/page-visitor.js';
import { addPasskey, aLoginPage, aPasskeyUser, SITE } from '../support/passkey-visitor.js';
import { SoftPasskey } from '../support/soft-passkey.js';
import { aTestApp, type TestApp } from '../support/test-app.js';
import { aWallabagUser } from '../support/wallabag-api.js';

let app: TestApp;
let ada: Awaited<ReturnType<typeof aVisitor>>;

const kindsIn = async (work: () => Promise<unknown>, at = app) =>
  (await auditedIn(at, work)).map(({ kind, actor }) => `${kind} by ${actor}`);
const press = async (visitor: PageVisitor, page: string, action = page, fields = {}) => {
  const answer = await visitor.submit(await visitor.form(page, action), fields);
  expect(answer.status).toBeLessThan(400);
  return answer;
};

describe('without a mail server, the audit log records', () => {
  beforeAll(async () => {
    app = await aTestApp({ config: { publicUrl: SITE } });
  });
  afterAll(() => app.close());
  beforeEach(async () => {
    ada = await aVisitor(app);
  });

  it('the user who turns on, renews and turns off the second factor, without key and codes', async () => {
    let user!: ProtectedVisitor;
    const on = await auditedIn(app, async () => {
      user = await ProtectedVisitor.of(app, ada);
    });
    const otp = () => user.authenticator.nextCode();
    const codes = await auditedIn(app, () => user.change('codes', { otp: otp() }));
    const off = await auditedIn(app, () => user.change('off', { otp: otp() }));

    const rows = [...on, ...codes, ...off];
    expect(rows.map(({ kind, actor }) => [kind, actor])).toEqual([
      ['second_factor_on', 'user'],
      ['recovery_codes_renewed', 'user'],
      ['second_factor_off', 'user'],
    ]);
    expect(rows.every(({ user_id: id }) => id === ada.user.id)).toBe(true);
    expect(JSON.stringify(rows)).not.toContain(user.authenticator.secret.replaceAll(' ', ''));
  });

  it('the use of a recovery code, without the code', async () => {
    const user = await ProtectedVisitor.of(app, ada);
    const [code = ''] = user.recoveryCodes;

    const rows = await auditedIn(app, () => user.login(code).expect(200));

    const kinds = rows.map(({ kind }) => kind).toSorted();
    expect(kinds).toEqual(['login', 'recovery_code_used']);
    expect(JSON.stringify(rows)).not.toContain(code);
  });

  it('passkeys that are added, used and removed, with their names', async () => {
    const passkey = new SoftPasskey(SITE.origin);
    const added = await auditedIn(app, () => addPasskey(ada, passkey, 'Phone'));
    const page = await aLoginPage(app);
    const used = await auditedIn(app, async () => page.send(passkey.used(await page.request())));
    const removed = await auditedIn(app, () =>
      press(ada, '/account/passkeys', '/account/passkeys/remove'),
    );

    const rows = [...added, ...used, ...removed];
    expect(rows).toMatchObject(
      ['passkey_added', 'passkey_login', 'passkey_removed'].map((kind) => ({
        ...{ kind, actor: 'user', user_id: ada.user.id },
        details: { name: 'Phone' },
      })),
    );
  });

  it('a passkey that may have been copied', async () => {
    const { passkey } = await aPasskeyUser(app);
    const [first, second] = [await aLoginPage(app), await aLoginPage(app)];
    passkey.counter = 5;
    await first.send(passkey.used(await first.request()));

    const kinds = await kindsIn(async () =>
      second.send(passkey.used(await second.request(), { counter: 5 })),
    );

    expect(kinds).toEqual(['passkey_refused by visitor']);
  });

  it('access that a user gives to an application and takes away', async () => {
    const application = await OAuthApi.of(app);
    const given = await kindsIn(() => application.accessToken(ada));
    const ended = await kindsIn(() =>
      press(ada, '/account/devices', '/account/applications/revoke'),
    );

    expect(given).toEqual(['consent_given by user']);
    expect(ended).toEqual(['consent_revoked by user']);
  });

  it('an export', async () => {
    const kinds = await kindsIn(() =>
      press(ada, '/account/data', '/account/export', { format: 'jsonl' }),
    );

    expect(kinds).toEqual(['exported by user']);
  });

  it('the login of a wallabag client, as a login with the password', async () => {
    const kinds = await kindsIn(() => aWallabagUser(app));

    expect(kinds).toContain('login by user');
  });

  it('the user who logs out everywhere, on the page or through the API', async () => {
    const page = await kindsIn(() => press(ada, '/account/security', '/account/sign-out'));
    const api = new AccountApi(app, '127.0.0.8');
    const { accessToken } = await api.loggedIn(ada.user);
    const call = await kindsIn(() => api.logout(bearer(accessToken)).expect(204));

    expect([...page, ...call]).toEqual(['signed_out by user', 'signed_out by user']);
  });
});

describe('with a mail server, the audit log records', () => {
  let mailing: MailingApp;

  beforeAll(async () => {
    mailing = await MailingApp.begin();
    ({ app } = mailing);
  });
  afterAll(() => mailing.close());
  beforeEach(async () => {
    ada = await aVisitor(app);
  });

  it('the change of an email address, when it is requested and when it is confirmed', async () => {
    const email = `next.${ada.user.email}`;
    const fields = { email, current: PASSWORD };

    const asked = await kindsIn(() => press(ada, '/account/profile', '/account/email', fields));
    const path = await mailing.linkTo(email);
    const confirmed = await kindsIn(() => press(new PageVisitor(app), path, '/auth/verify/email'));

    expect(asked).toEqual(['email_change_requested by user']);
    expect(confirmed).toEqual(['email_changed by user']);
  });

  it('a password that is set with a mailed link, without the link', async () => {
    const path = await mailing.resetLink(ada.user.email);

    const rows = await auditedIn(app, () =>
      press(new PageVisitor(app), path, '/auth/reset', { password: 'another long pass phrase' }),
    );

    expect(rows).toMatchObject([
      { kind: 'password_reset', actor: 'user', user_id: ada.user.id },
      // The link also confirms the address, so it ends all access from before.
      { kind: 'consent_revoked', actor: 'user', user_id: ada.user.id },
    ]);
  });

  it('the confirmation of the address of a new account', async () => {
    mailing.set({ isEmailVerificationRequired: true });
    const grace = aPerson();
    const browser = new PageVisitor(app);
    await browser.submit(await browser.form('/auth/register', '/auth/register'), { ...grace });
    const path = await mailing.linkTo(grace.email);

    const kinds = await kindsIn(() => press(new PageVisitor(app), path, '/auth/verify'));

    expect(kinds).toEqual(['email_verified by user']);
  });
});
