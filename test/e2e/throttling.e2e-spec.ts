import type { Response } from 'supertest';

import { AccountApi, bearer, type Person } from '../support/account-api.js';
import { aTestApp, NO_LIMITS, type TestApp } from '../support/test-app.js';

const WRONG = 'a wrong pass phrase';
const PER_ACCOUNT = 3;

let hosts = 0;

/** Returns an unused address. On Linux, every address in 127.0.0.0/8 is this machine. */
const anAddress = (): string => {
  hosts += 1;
  return `127.1.${Math.floor(hosts / 250)}.${(hosts % 250) + 2}`;
};

const statusesOf = (responses: Response[]): number[] => responses.map(({ status }) => status);

describe('POST /login over the limit of an account', () => {
  let app: TestApp;
  let person: Person & { id: string };

  const fromAnywhere = (): AccountApi => new AccountApi(app, anAddress());

  /** Guesses a wrong password several times, each time from a new address. */
  const guesses = async (email: string, times: number): Promise<Response[]> => {
    const responses: Response[] = [];
    for (let n = 0; n < times; n += 1) {
      responses.push(await fromAnywhere().login({ email, password: WRONG }));
    }
    return responses;
  };

  beforeAll(async () => {
    app = await aTestApp({ config: { limits: { ...NO_LIMITS, loginPerAccount: PER_ACCOUNT } } });
  });
  beforeEach(async () => {
    person = await fromAnywhere().registered();
  });
  afterAll(() => app.close());

  it('returns 429 for the next attempts from any address', async () => {
    const responses = await guesses(person.email, PER_ACCOUNT + 2);

    expect(statusesOf(responses)).toEqual([401, 401, 401, 429, 429]);
  });

  it('rejects the right password too', async () => {
    await guesses(person.email, PER_ACCOUNT);

    const response = await fromAnywhere().login(person);

    expect(response.status).toBe(429);
  });

  it('returns Retry-After and a message with the wait time', async () => {
    const response = (await guesses(person.email, PER_ACCOUNT + 1)).at(-1)!;

    const seconds = Number(response.headers['retry-after']);
    expect(seconds).toBeGreaterThan(880);
    expect(seconds).toBeLessThanOrEqual(900);
    expect(response.body).toEqual({
      statusCode: 429,
      error: 'Too Many Requests',
      message: `Too many attempts: try again in ${seconds} seconds.`,
      code: 'too_many_requests',
    });
  });

  it('counts attempts on an account that does not exist', async () => {
    const responses = await guesses('nobody@example.com', PER_ACCOUNT + 1);

    expect(statusesOf(responses)).toEqual([401, 401, 401, 429]);
  });

  it('counts all spellings of an email address together', async () => {
    const { email } = person;
    const spellings = [email, email.toUpperCase(), ` ${email} `, email.replace('@', '＠')];

    const responses: Response[] = [];
    for (const spelling of spellings) {
      responses.push(...(await guesses(spelling, 1)));
    }

    expect(statusesOf(responses)).toEqual([401, 401, 401, 429]);
  });

  it('lets no more concurrent attempts through than the limit', async () => {
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => fromAnywhere().login({ ...person, password: WRONG })),
    );

    const passed = statusesOf(responses).filter((status) => status !== 429);
    expect(passed).toEqual([401, 401, 401]);
  });

  it('accepts no credentials in the query instead of the body', async () => {
    const { email, password } = person;
    const query = new URLSearchParams({ email, password }).toString();

    const guess = () => fromAnywhere().post(`/login?${query}`, { email: '', password: '' });

    expect(statusesOf([await guess(), await guess(), await guess(), await guess()])).not.toContain(
      200,
    );
  });

  it('does not limit other accounts', async () => {
    const other = await fromAnywhere().registered();
    await guesses(person.email, PER_ACCOUNT + 1);

    await fromAnywhere().login(other).expect(200);
  });

  it('does not affect access tokens, cookies and refresh tokens of the account', async () => {
    const user = await fromAnywhere().loggedIn(person);
    await guesses(person.email, PER_ACCOUNT + 1);

    await fromAnywhere().refresh(user.refreshToken).expect(200);
    await fromAnywhere().loginWith({ Cookie: user.cookie }).expect(200);
    await fromAnywhere().loginWith(bearer(user.accessToken)).expect(200);
  });

  it('resets the counter after a login with the right password', async () => {
    await guesses(person.email, PER_ACCOUNT - 1);
    await fromAnywhere().login(person).expect(200);

    const responses = await guesses(person.email, PER_ACCOUNT + 1);

    expect(statusesOf(responses)).toEqual([401, 401, 401, 429]);
  });

  it('does not reset the counter after a login with a cookie or an access token', async () => {
    const user = await fromAnywhere().loggedIn(person);
    await guesses(person.email, PER_ACCOUNT - 1);
    await fromAnywhere().loginWith({ Cookie: user.cookie }).expect(200);
    await fromAnywhere().loginWith(bearer(user.accessToken)).expect(200);

    const responses = await guesses(person.email, 2);

    expect(statusesOf(responses)).toEqual([401, 429]);
  });

  it('does not extend the window after further attempts', async () => {
    await guesses(person.email, 1);
    const endOf = async (): Promise<unknown> => {
      const sql = 'SELECT max(expires_at) AS end FROM throttle_counters';
      return (await app.database.query(sql))[0]!['end'];
    };
    const end = await endOf();

    await guesses(person.email, PER_ACCOUNT);

    expect(await endOf()).toEqual(end);
  });

  it('accepts attempts again after the window ends', async () => {
    await guesses(person.email, PER_ACCOUNT + 1);
    await app.database.query(`UPDATE throttle_counters SET expires_at = now()`);

    const responses = await guesses(person.email, PER_ACCOUNT + 1);

    expect(statusesOf(responses)).toEqual([401, 401, 401, 429]);
  });

  it('stores counters without email addresses and client addresses', async () => {
    await guesses(person.email, 1);

    const rows = await app.database.query('SELECT * FROM throttle_counters');

    expect(rows).not.toEqual([]);
    expect(JSON.stringify(rows)).not.toMatch(/example\.com|127\./);
  });
});

describe('POST /login at two instances', () => {
  let first: TestApp;
  let second: TestApp;

  beforeAll(async () => {
    first = await aTestApp({ config: { limits: { ...NO_LIMITS, loginPerAccount: PER_ACCOUNT } } });
    second = await aTestApp({ beside: first });
  });
  afterAll(async () => {
    await second.close();
    await first.close();
  });

  it('counts the attempts at both instances together', async () => {
    const { email } = await new AccountApi(first).registered();
    const responses: Response[] = [];

    for (const app of [first, second, first, second, first]) {
      responses.push(await new AccountApi(app).login({ email, password: WRONG }));
    }

    expect(statusesOf(responses)).toEqual([401, 401, 401, 429, 429]);
  });
});

describe('POST /login without limits', () => {
  let app: TestApp;

  beforeAll(async () => {
    app = await aTestApp();
  });
  afterAll(() => app.close());

  it('does not return 429 after many wrong passwords', async () => {
    const api = new AccountApi(app);
    const { email } = await api.registered();

    const responses = await Promise.all(
      Array.from({ length: 30 }, () => api.login({ email, password: WRONG })),
    );

    expect(new Set(statusesOf(responses))).toEqual(new Set([401]));
  });
});
