import { AccountApi, bearer, PASSWORD, type SignedIn } from '../support/account-api.js';
import { Workplace } from '../support/processes.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

const CONTROL = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/;
const NEW_PASSWORD = 'another long pass phrase';

let app: TestApp;
let api: AccountApi;
let workplace: Workplace;
let people = 0;

beforeAll(async () => {
  app = await aTestApp();
  api = new AccountApi(app);
  // The first user is an administrator.
  await api.registered();
  workplace = new Workplace({ DATABASE_URL: app.database.url, BCRYPT_COST: '10' });
});
afterAll(async () => {
  workplace.remove();
  await app.close();
});

const run = (words: string[], input = '') => workplace.runHere(['user', ...words], { input });
const anEmail = (): string => `cli${(people += 1)}@example.com`;
const create = (email: string, input: string, ...words: string[]) =>
  run(['create', '--email', email, '--name', 'Grace', ...words], input);
const rowsOf = (email: string) =>
  app.database.query<{ id: string; password_hash: string; disabled_at: Date | null }>(
    'SELECT * FROM users WHERE email = $1',
    [email],
  );
const statusOf = async (login: PromiseLike<{ status: number }>): Promise<number> =>
  (await login).status;

/** Checks which credentials of a user still work. */
async function proofsOf(user: SignedIn): Promise<Record<string, number>> {
  return {
    password: await statusOf(api.login(user)),
    token: await statusOf(api.loginWith(bearer(user.accessToken))),
    cookie: await statusOf(api.loginWith({ Cookie: user.cookie })),
    refresh: await statusOf(api.refresh(user.refreshToken)),
  };
}
const NONE = { password: 401, token: 401, cookie: 401, refresh: 401 };

describe('satchel user create', () => {
  it('prints the id of the new account, which can log in', async () => {
    const email = anEmail();

    const words = ['user', 'create', '--email', email, '--name', 'Grace'];
    const { code, stdout, stderr } = await workplace.run(words, { input: `${PASSWORD}\n` });

    const [row] = await rowsOf(email);
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: `${row?.id}\n`, stderr: '' });
    expect(await statusOf(api.login({ email, password: PASSWORD }))).toBe(200);
  });

  it('prints JSON with --json, without the password', async () => {
    const email = anEmail();

    const { stdout } = await create(email, PASSWORD, '--json');

    expect(JSON.parse(stdout)).toEqual({
      id: expect.stringMatching(/^\d+$/),
      email,
      name: 'Grace',
      role: 'user',
      state: 'enabled',
      created: expect.any(String),
    });
  });

  it.each([
    ['nothing', PASSWORD],
    ['a line feed', `${PASSWORD}\n`],
    ['a line end of Windows', `${PASSWORD}\r\n`],
  ])('accepts a password that ends with %s', async (_, input) => {
    const email = anEmail();

    await create(email, input);

    expect(await statusOf(api.login({ email, password: PASSWORD }))).toBe(200);
  });

  it('treats white space as part of the password', async () => {
    const email = anEmail();

    await create(email, `  ${PASSWORD} \n\n`);

    expect(await statusOf(api.login({ email, password: PASSWORD }))).toBe(401);
    expect(await statusOf(api.login({ email, password: `  ${PASSWORD} \n` }))).toBe(200);
  });

  it.each([
    ['no password', '', /password must have at least 8 characters/],
    ['a short password', 'short\n', /password must have at least 8 characters/],
    ['a long password', 'x'.repeat(73), /password must have at most 72 characters/],
    ['a common password', 'password123\n', /password is one of the commonest/],
  ])('rejects %s and stores nothing', async (_, input, reason) => {
    const email = anEmail();

    const { code, stdout, stderr } = await create(email, input);

    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(reason);
    expect(await rowsOf(email)).toEqual([]);
  });

  it('rejects an address that has an account, regardless of case and white space', async () => {
    const email = anEmail();
    await create(email, PASSWORD);

    const { code, stderr } = await create(` ${email.toUpperCase()}`, NEW_PASSWORD);

    expect(code).toBe(1);
    expect(stderr).toBe('satchel: There is an account with this email address already.\n');
    expect(await statusOf(api.login({ email, password: PASSWORD }))).toBe(200);
  });

  it('reports all errors at once, without the password', async () => {
    const words = ['create', '--email', 'nowhere', '--name', ' '];

    const { code, stderr } = await run(words, 'hunter2');

    expect(code).toBe(1);
    expect(stderr).toMatch(/name .*email .*password /);
    expect(stderr).not.toContain('hunter2');
  });

  it.each([
    ['as an option', ['--password', PASSWORD]],
    ['as an argument', [PASSWORD]],
  ])('rejects a password %s', async (_, words) => {
    const email = anEmail();

    const { code, stdout } = await create(email, PASSWORD, ...words);

    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(await rowsOf(email)).toEqual([]);
  });
});

describe('satchel user list', () => {
  const HOSTILE = 'Evil\u001b[2J\u0007\u009b\r\n\u202eGrace';

  it('prints a table without control characters or password hashes', async () => {
    const user = await api.registered({ name: HOSTILE });

    const { code, stdout } = await run(['list']);

    const [head, ...lines] = stdout.trimEnd().split('\n');
    expect(code).toBe(0);
    expect(head).toMatch(/^id +email +name +role +state +created$/);
    expect(lines).toContainEqual(
      expect.stringMatching(
        new RegExp(`^${user.id} +${user.email} +Evil.*Grace +user +enabled +\\d{4}-`),
      ),
    );
    expect(stdout).not.toMatch(CONTROL);
    expect(stdout).not.toContain('$2b$');
  });

  it('prints a JSON array with --json', async () => {
    const { id, email } = await api.registered({ name: HOSTILE });

    const { stdout } = await run(['list', '--json']);

    const created = expect.any(String);
    const users: unknown[] = JSON.parse(stdout);
    expect(users).toContainEqual({
      id,
      email,
      name: HOSTILE,
      role: 'user',
      state: 'enabled',
      created,
    });
    expect(stdout).not.toContain('$2b$');
  });
});

describe('satchel user disable', () => {
  it('invalidates every credential at once', async () => {
    const user = await api.signedIn();

    const { code, stdout } = await run(['disable', user.email]);

    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    expect(await proofsOf(user)).toEqual(NONE);
  });

  it('keeps the time when the account was first disabled', async () => {
    const { email } = await api.registered();
    await run(['disable', email]);
    const [first] = await rowsOf(email);

    await run(['disable', email]);

    expect((await rowsOf(email))[0]?.disabled_at).toEqual(first?.disabled_at);
  });
});

describe('satchel user enable', () => {
  it('allows logins again, but does not restore old sessions', async () => {
    const user = await api.signedIn();
    await run(['disable', user.email]);

    const { code } = await run(['enable', user.email.toUpperCase()]);

    expect(code).toBe(0);
    expect(await proofsOf(user)).toEqual({ ...NONE, password: 200 });
  });
});

describe('satchel user set-password', () => {
  it('invalidates the old password and every session', async () => {
    const user = await api.signedIn();

    const { code, stdout } = await run(['set-password', user.email], `${NEW_PASSWORD}\n`);

    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    expect(await proofsOf(user)).toEqual(NONE);
    expect(await statusOf(api.login({ ...user, password: NEW_PASSWORD }))).toBe(200);
  });

  it('rejects passwords that registration rejects, and changes nothing', async () => {
    const user = await api.signedIn();

    const weak = await run(['set-password', user.email], 'password123');
    const address = await run(['set-password', user.email], user.email.toUpperCase());
    const name = await run(['set-password', user.email], `${user.name}1`.padEnd(8, '1'));

    expect([weak.code, address.code, name.code]).toEqual([1, 1, 1]);
    for (const { stderr } of [address, name]) {
      expect(stderr).toContain(
        'must not consist of the name of this service, your name or your email address',
      );
    }
    expect(await statusOf(api.loginWith(bearer(user.accessToken)))).toBe(200);
  });
});

describe('satchel user sign-out', () => {
  it('ends every session, but keeps the password', async () => {
    const user = await api.signedIn();

    const { code } = await run(['sign-out', user.email]);

    expect(code).toBe(0);
    expect(await proofsOf(user)).toEqual({ ...NONE, password: 200 });
  });
});

describe('satchel user delete', () => {
  it('deletes the account and its data, but no other account', async () => {
    const [user, other] = [await api.signedIn(), await api.signedIn()];
    await api.refresh(user.refreshToken).expect(200);

    const { code } = await run(['delete', user.email]);

    const left = await app.database.query(
      `SELECT user_id FROM refresh_tokens WHERE user_id = $1
       UNION ALL SELECT user_id FROM rotated_refresh_tokens WHERE user_id = $1`,
      [user.id],
    );
    expect(code).toBe(0);
    expect(await rowsOf(user.email)).toEqual([]);
    expect(left).toEqual([]);
    expect(await proofsOf(user)).toEqual(NONE);
    expect(await statusOf(api.login(other))).toBe(200);
  });
});

describe('satchel user commands for an unknown account', () => {
  it.each(['disable', 'enable', 'delete', 'sign-out', 'set-password', 'reset-second-factor'])(
    '%s prints an error message',
    async (verb) => {
      const { code, stdout, stderr } = await run([verb, 'nobody@example.com'], NEW_PASSWORD);

      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toBe('satchel: There is no user nobody@example.com.\n');
    },
  );

  it.each(['%', "' OR '1'='1", '*', ''])('treat the address literally: %j', async (email) => {
    const { code } = await run(['delete', email]);

    expect(code).toBe(1);
  });
});
