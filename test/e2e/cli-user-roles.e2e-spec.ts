import { AccountApi, PASSWORD } from '../support/account-api.js';
import { linkIn, MailServer } from '../support/mail-server.js';
import { PageVisitor, shownText } from '../support/page-visitor.js';
import { Workplace } from '../support/processes.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

let app: TestApp;
let api: AccountApi;
let workplace: Workplace;
let people = 0;

beforeAll(async () => {
  app = await aTestApp();
  api = new AccountApi(app);
  workplace = new Workplace({ DATABASE_URL: app.database.url, BCRYPT_COST: '10' });
});
afterAll(async () => {
  workplace.remove();
  await app.close();
});

const run = (words: string[], input = '') => workplace.runHere(['user', ...words], { input });
const anEmail = (): string => `roles${(people += 1)}@example.com`;
const create = (email: string, input: string, ...words: string[]) =>
  run(['create', '--email', email, '--name', 'Grace', ...words], input);

describe('the role of a user', () => {
  const roleOf = async (email: string) => {
    const [row] = await app.database.query<{ role: string }>(
      'SELECT role FROM users WHERE email = $1',
      [email],
    );
    return row?.role;
  };

  it('is administrator only for the first user', async () => {
    const [ada, bob] = [anEmail(), anEmail()];

    await create(ada, PASSWORD);
    await create(bob, PASSWORD);

    expect([await roleOf(ada), await roleOf(bob)]).toEqual(['administrator', 'user']);
  });

  it('is set by --role when the account is created', async () => {
    const [ada, bob] = [anEmail(), anEmail()];

    await create(ada, PASSWORD, '--role', 'administrator');
    await create(bob, PASSWORD, '--role', 'user');

    expect([await roleOf(ada), await roleOf(bob)]).toEqual(['administrator', 'user']);
  });

  it('is changed by set-role, even for the last administrator', async () => {
    const email = anEmail();
    await create(email, PASSWORD);

    expect((await run(['set-role', email.toUpperCase(), 'administrator'])).code).toBe(0);
    expect(await roleOf(email)).toBe('administrator');
    await app.database.query(`UPDATE users SET role = 'user' WHERE email <> $1`, [email]);
    expect((await run(['set-role', email, 'user'])).code).toBe(0);
    expect(await roleOf(email)).toBe('user');
  });

  it.each([
    ['an unknown role', ['set-role', 'ada@example.com', 'root'], 2],
    ['no role', ['set-role', 'ada@example.com'], 2],
    ['an unknown user', ['set-role', 'nobody@example.com', 'administrator'], 1],
    [
      'an unknown role of a new user',
      ['create', '--email', 'x@example.com', '--name', 'X', '--role', 'root'],
      2,
    ],
  ])('cannot be set with %s', async (_, words, status) => {
    const { code, stdout } = await run(words, PASSWORD);

    expect({ code, stdout }).toEqual({ code: status, stdout: '' });
  });
});

describe('satchel user invite', () => {
  it('prints an invitation link with the address of the service', async () => {
    const { code, stdout } = await run(['invite']);

    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^http:\/\/127\.0\.0\.1:\d+\/auth\/register\?invitation=[0-9a-f]{32}\n$/,
    );
  });

  it('prints an object with --json, and a link for the address of --email', async () => {
    const { stdout } = await run(['invite', '--email', ' Bob@EXAMPLE.com ', '--json']);

    const { link }: { link: string } = JSON.parse(stdout);
    const page = await new PageVisitor(app).open(link.replace(/^.*(?=\/auth)/, '')).expect(200);
    expect(page.text).toContain('value="bob@example.com"');
  });

  it('rejects an invalid email address and the address of an existing account', async () => {
    const { email } = await api.registered();

    expect((await run(['invite', '--email', 'bob'])).stderr).toMatch(/email must be an email/);
    expect((await run(['invite', '--email', email])).stderr).toMatch(/There is an account/);
  });
});

describe('satchel user reset-link', () => {
  it('prints a password reset link without a mail server, and fails for an unknown user', async () => {
    const { email } = await api.registered();

    const { code, stdout } = await run(['reset-link', email.toUpperCase()]);

    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/auth\/reset\?token=[0-9a-f]{32}\n$/),
    ]);
    const path = stdout.trim().replace(/^.*(?=\/auth)/, '');
    expect(shownText(await new PageVisitor(app).open(path).expect(200))).toContain(email);
    expect((await run(['reset-link', 'unknown@example.com'])).code).toBe(1);
  });
});

describe('satchel user verify-email', () => {
  it('marks the email address as verified, and changes nothing the second time', async () => {
    // The address of the first user is verified from the start.
    await api.registered();
    const { email } = await api.registered();
    const verifiedAt = async () =>
      (
        await app.database.query('SELECT email_verified_at FROM users WHERE email = $1', [email])
      )[0];
    expect(await verifiedAt()).toEqual({ email_verified_at: null });

    await run(['verify-email', email]);
    const first = await verifiedAt();
    await run(['verify-email', email]);

    expect(first).toEqual({ email_verified_at: expect.any(Date) });
    expect(await verifiedAt()).toEqual(first);
  });
});

describe('satchel user invite with a mail server', () => {
  it('also sends the link by mail before it exits', async () => {
    const server = await MailServer.begin();
    const { serverUrl: SMTP_URL, from: MAIL_FROM } = server.settings;
    const variables = { SMTP_URL, MAIL_FROM, PUBLIC_URL: app.url };
    const email = anEmail();

    const sent = await workplace.runHere(['user', 'invite', '--email', email], { variables });

    expect({ code: sent.code, stderr: sent.stderr }).toEqual({
      code: 0,
      stderr: `it is also sent to ${email}\n`,
    });
    expect(linkIn(server.sentTo(email)[0]!, app.url)).toBe(
      sent.stdout.trim().slice(app.url.length),
    );
    await server.close();
  });
});

describe('satchel user reset-second-factor', () => {
  it('lets the user log in with only the password, and keeps the sessions of the user', async () => {
    const user = await api.signedIn();
    await app.database.query(
      `INSERT INTO second_factors (user_id, secret, last_used_step) VALUES ($1, 'damaged', 0)`,
      [user.id],
    );
    expect((await api.login(user).expect(401)).body.code).toBe('otp_required');

    const { code, stdout } = await run(['reset-second-factor', user.email]);

    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    await api.loginWith({ Cookie: user.cookie }).expect(200);
    await api.login(user).expect(200);
  });
});
