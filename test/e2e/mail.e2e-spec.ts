import { Invitations } from '../../src/auth/links/invitations.js';
import { UserAdministrationService } from '../../src/auth/user-administration.service.js';
import { AccountApi, aPerson, type Person } from '../support/account-api.js';
import { headersOf, linkIn, partsOf } from '../support/mail-server.js';
import { MailingApp } from '../support/mailing-app.js';
import { formIn, PageVisitor, shownText } from '../support/page-visitor.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

const NEXT = 'another pass phrase';

let mailing: MailingApp;
let app: TestApp;
let api: AccountApi;

beforeAll(async () => {
  mailing = await MailingApp.begin();
  ({ app } = mailing);
  api = new AccountApi(app);
});
afterAll(() => mailing.close());
afterEach(() => {
  const mail = { ...mailing.server.settings, hasLoginNotices: false };
  mailing.set({
    mail,
    isEmailVerificationRequired: false,
    registration: 'open',
    host: '127.0.0.1',
  });
});

describe('the links in mails', () => {
  it('use PUBLIC_URL, regardless of the Host header of the request', async () => {
    const ada = await api.registered();
    const visitor = new PageVisitor(app);
    const { fields } = await visitor.form('/auth/forgot', '/auth/forgot');
    mailing.set({ host: '0.0.0.0' });

    await visitor
      .post('/auth/forgot', { ...fields, email: ada.email })
      .set({ Host: 'evil.example', 'X-Forwarded-Host': 'evil.example' })
      .expect(200);

    const mail = await mailing.server.mailTo(ada.email);
    expect(linkIn(mail, app.url)).toMatch(/^\/auth\/reset\?token=/);
    expect(partsOf(mail).join()).not.toContain('evil');
  });

  it('are not written to the log', async () => {
    const ada = await api.registered();
    await mailing.forget(ada.email);
    const path = await mailing.linkTo(ada.email);
    for (const password of ['short', NEXT]) {
      const visitor = new PageVisitor(app);
      await visitor.submit(await visitor.form(path, '/auth/reset'), { password });
    }
    await new PageVisitor(app).open(path).expect(403);
    await mailing.idle();

    const token = path.replace(/^.*=/, '');
    expect(app.log()).toContain('"path":"/auth/reset"');
    expect(app.log()).not.toContain(token);
    expect(app.log()).not.toContain(NEXT);
  });
});

describe('the language of mails', () => {
  it('is the setting of the user, or else the language of the browser at the latest login', async () => {
    const ada = await api.registered();
    const visitor = new PageVisitor(app);
    const form = await visitor.form('/auth/login', '/auth/login');
    const { email, password } = ada;

    await visitor.submit(form, { email, password }).set('Accept-Language', 'de').expect(303);
    await mailing.forget(email);
    const german = await mailing.server.mailTo(email);
    const choice = await visitor.form('/account/profile', '/account/language');
    await visitor.submit(choice, { language: 'en' }).expect(303);
    await mailing.forget(email);
    const english = await mailing.server.mailTo(email, 2);

    expect(headersOf(german).join()).toMatch(/Subject: =\?UTF-8\?Q\?Passwort_f/);
    expect(headersOf(english)).toContain('Subject: Reset your Satchel password');
    const [text = '', html = ''] = partsOf(german);
    expect(text).toContain('wurde ein neues Passwort angefordert');
    expect(text).toContain('Neues Passwort festlegen:');
    expect(html).toContain('<html lang="de" dir="ltr">');
  });

  it('is the language of the browser for the first mail to a new user', async () => {
    mailing.set({ isEmailVerificationRequired: true });
    const { name, email, password } = aPerson();
    const visitor = new PageVisitor(app);
    const form = await visitor.form('/auth/register', '/auth/register');

    await visitor.submit(form, { name, email, password }).set('Accept-Language', 'de').expect(200);

    const [text = ''] = partsOf(await mailing.server.mailTo(email));
    expect(text).toContain('ein Konto erstellt');
  });
});

describe('an invitation', () => {
  it('for an email address is sent by mail and shown to the administrator', async () => {
    await app.database.query('DELETE FROM users');
    const ada = await api.registered();
    const visitor = new PageVisitor(app);
    await visitor.logIn(ada);
    const { email } = aPerson();

    const form = await visitor.form('/admin/invitations', '/admin/invitations');
    const page = await visitor.submit(form, { email }).expect(200);

    const path = linkIn(await mailing.server.mailTo(email), app.url);
    expect(shownText(page)).toContain(`Satchel has sent this link to ${email}`);
    expect(shownText(page)).toContain(`${app.url}${path}`);
    const opened = await new PageVisitor(app).open(path).expect(200);
    expect(formIn(opened, '/auth/register').fields['email']).toBe(email);
    expect(opened.headers['referrer-policy']).toBe('no-referrer');
  });

  it('without an email address is not sent by mail', async () => {
    const invitations = () =>
      mailing.server.received.filter((mail) => partsOf(mail)[0]?.includes('?invitation=')).length;
    const before = invitations();

    const made = await app.app.get(Invitations).make(undefined);

    await mailing.idle();
    expect([made.isMailed, before, invitations()]).toEqual([false, 1, 1]);
  });
});

describe('the mail notice about a new login', () => {
  const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
  const login = ({ email, password }: Person, agent: string, from?: string) =>
    new AccountApi(app, from).post('/login', { email, password }, { 'User-Agent': agent });

  beforeEach(() => {
    mailing.set({ mail: { ...mailing.server.settings, hasLoginNotices: true } });
  });

  it('is sent for a new device or address, but not for the first or a known login', async () => {
    const ada = await api.registered();
    await login(ada, FIREFOX).expect(200);
    await login(ada, FIREFOX).expect(200);
    await mailing.idle();
    expect(mailing.server.sentTo(ada.email)).toEqual([]);

    await login(ada, 'evil/1.0', '127.0.0.9').expect(200);

    const [text = ''] = partsOf(await mailing.server.mailTo(ada.email));
    expect(text).toContain('Device: evil/1.0');
    expect(text).toContain('Address: 127.0.0.9');
    expect(text).toContain(`${app.url}/account/security`);
    await login(ada, 'evil/1.0', '127.0.0.9').expect(200);
    await login(ada, 'evil/1.0').expect(200);
    await mailing.idle();
    expect(mailing.server.sentTo(ada.email)).toHaveLength(2);
  });

  it('shows the time in the time zone and the date format of the user', async () => {
    const ada = await api.registered();
    await login(ada, FIREFOX).expect(200);
    await app.database.query(
      `UPDATE users SET time_zone = 'Asia/Tokyo', date_format = 'iso' WHERE id = $1`,
      [ada.id],
    );

    await login(ada, 'evil/1.0').expect(200);

    const [text = ''] = partsOf(await mailing.server.mailTo(ada.email));
    expect(text).toMatch(/Time: \d{4}-\d\d-\d\d \d\d:\d\d\r?\n/);
  });

  it('is not in the language of the unknown browser, and neither are later mails', async () => {
    const ada = await api.registered();
    await login(ada, FIREFOX).expect(200);

    await login(ada, 'evil/1').set('Accept-Language', 'ja').expect(200);

    const [text = ''] = partsOf(await mailing.server.mailTo(ada.email));
    expect(text).toContain('Device: evil/1');
    const [row] = await app.database.query('SELECT browser_language FROM users WHERE email = $1', [
      ada.email,
    ]);
    expect(row).not.toMatchObject({ browser_language: 'ja' });
  });

  it('is not sent for a known login after all sessions have ended', async () => {
    const ada = await api.registered();
    await login(ada, FIREFOX).expect(200);
    await app.app.get(UserAdministrationService).signOut(ada.email);

    await login(ada, FIREFOX).expect(200);

    await mailing.idle();
    expect(mailing.server.sentTo(ada.email)).toEqual([]);
  });

  it('is sent once for concurrent logins, and not after ten new logins in an hour', async () => {
    const ada = await api.registered();
    await login(ada, FIREFOX).expect(200);

    await Promise.all(Array.from({ length: 4 }, () => login(ada, 'evil/1').expect(200)));
    await mailing.idle();
    expect(mailing.server.sentTo(ada.email)).toHaveLength(1);
    for (let n = 2; n < 14; n += 1) {
      await login(ada, `evil/${n}`).expect(200);
    }

    await mailing.idle();
    expect(mailing.server.sentTo(ada.email)).toHaveLength(9);
  });

  it('is not sent for a wrong password or if notices are disabled', async () => {
    const ada = await api.registered();
    await login(ada, FIREFOX).expect(200);
    await login({ ...ada, password: 'a wrong pass phrase' }, 'evil/1').expect(401);
    mailing.set({ mail: { ...mailing.server.settings, hasLoginNotices: false } });

    await login(ada, 'evil/2').expect(200);

    await mailing.idle();
    expect(mailing.server.sentTo(ada.email)).toEqual([]);
  });
});

describe('a service without a mail server', () => {
  it('offers no password reset by mail, and accepts the reset link of an administrator', async () => {
    const silent = await aTestApp();
    const ada = await new AccountApi(silent).registered();
    const visitor = new PageVisitor(silent);
    const page = await visitor.open('/auth/login');
    const { fields } = formIn(page, '/auth/login');

    await visitor.open('/auth/forgot').expect(404);
    await visitor.post('/auth/forgot', { ...fields, email: ada.email }).expect(404);
    const path = await silent.app.get(UserAdministrationService).resetPath(ada.email);
    const form = await visitor.form(path, '/auth/reset');

    expect(page.text).not.toContain('/auth/forgot');
    await visitor.submit(form, { password: NEXT }).expect(303);
    await silent.close();
  });
});
