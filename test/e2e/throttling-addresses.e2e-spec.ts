import type { Response } from 'supertest';

import { AccountApi, aPerson, bearer } from '../support/account-api.js';
import { ProtectedVisitor } from '../support/authenticator.js';
import { formIn, PageVisitor } from '../support/page-visitor.js';
import { aTestApp, NO_LIMITS, type TestApp } from '../support/test-app.js';

const LIMITS = {
  ...NO_LIMITS,
  loginPerAddress: 3,
  registerPerAddress: 3,
  refreshPerAddress: 3,
  loginPerAccount: 5,
} as const;
const WRONG = 'a wrong pass phrase';
const UP_TO_THE_LIMIT = [1, 2, 3];

let hosts = 0;

/** Returns an unused address. On Linux, every address in 127.0.0.0/8 is this machine. */
const anAddress = (): string => {
  hosts += 1;
  return `127.2.${Math.floor(hosts / 250)}.${(hosts % 250) + 2}`;
};

const statusesOf = (responses: Response[]): number[] => responses.map(({ status }) => status);

const inTurn = async (requests: (() => PromiseLike<Response>)[]): Promise<Response[]> => {
  const responses: Response[] = [];
  for (const request of requests) {
    responses.push(await request());
  }
  return responses;
};

const times = (n: number, request: () => PromiseLike<Response>): Promise<Response[]> =>
  inTurn(Array.from({ length: n }, () => request));

describe('the limit per address', () => {
  let app: TestApp;
  let api: AccountApi;

  const fromAnywhere = (): AccountApi => new AccountApi(app, anAddress());
  const wrongLogin = (): PromiseLike<Response> =>
    api.login({ email: aPerson().email, password: WRONG });

  beforeAll(async () => {
    app = await aTestApp({ config: { limits: LIMITS } });
  });
  beforeEach(() => {
    api = fromAnywhere();
  });
  afterAll(() => app.close());

  it('counts the logins for all accounts together', async () => {
    expect(statusesOf(await times(5, wrongLogin))).toEqual([401, 401, 401, 429, 429]);
  });

  it('counts the codes of a second factor, in the API and on the page', async () => {
    const ada = await ProtectedVisitor.of(app);
    const { email, password } = ada.user;
    const otp = ada.authenticator.wrongCode();
    const withCode = () => api.post('/login', { email, password, otp });
    expect(statusesOf(await times(4, withCode))).toEqual([401, 401, 401, 429]);

    await app.database.query('DELETE FROM throttle_counters');
    const bob = new PageVisitor(app);
    const form = await bob.form('/auth/login', '/auth/login');
    const page = await bob.submit(form, { email, password }).expect(200);
    const onPage = () => bob.submit(formIn(page, '/auth/login/code'), { otp });
    expect(statusesOf(await times(3, onPage))).toEqual([403, 403, 429]);
  });

  it('does not affect logins from another address', async () => {
    await times(4, wrongLogin);

    api = fromAnywhere();

    expect((await wrongLogin()).status).toBe(401);
  });

  it('is not reset by a successful login', async () => {
    const person = await fromAnywhere().registered();

    const responses = await inTurn([
      wrongLogin,
      wrongLogin,
      () => api.login(person),
      () => api.login(person),
    ]);

    expect(statusesOf(responses)).toEqual([401, 401, 200, 429]);
  });

  it('counts every kind of login', async () => {
    const user = await fromAnywhere().signedIn();

    const responses = await inTurn([
      () => api.loginWith({ Cookie: user.cookie }),
      () => api.loginWith(bearer(user.accessToken)),
      () => api.post('/login', { email: 7, password: null }),
      () => api.login(user),
    ]);

    expect(statusesOf(responses)).toEqual([200, 200, 400, 429]);
  });

  it('is checked before the limit of the account, whose attempts remain', async () => {
    const person = await fromAnywhere().registered();
    await times(10, () => api.login({ ...person, password: WRONG }));

    const response = await fromAnywhere().login(person);

    expect(response.status).toBe(200);
  });

  it.each([
    ['X-Forwarded-For', '203.0.113.'],
    ['X-Real-IP', '203.0.113.'],
    ['Forwarded', 'for=203.0.113.'],
  ])('ignores the header %s', async (header, value) => {
    const responses = await inTurn(
      [1, 2, 3, 4].map(
        (n) => () => api.post('/login', aPerson({ password: WRONG }), { [header]: `${value}${n}` }),
      ),
    );

    expect(statusesOf(responses)).toEqual([401, 401, 401, 429]);
  });

  it('counts registrations, also rejected ones', async () => {
    const responses = await inTurn([
      () => api.post('/register', aPerson()),
      () => api.post('/register', {}),
      () => api.post('/register', aPerson()),
      () => api.post('/register', aPerson()),
    ]);

    expect(statusesOf(responses)).toEqual([201, 400, 201, 429]);
  });

  it('prevents the creation of an account', async () => {
    await times(3, () => api.post('/register', {}));
    const person = aPerson();

    await api.post('/register', person).expect(429);

    const sql = 'SELECT id FROM users WHERE email = $1';
    expect(await app.database.query(sql, [person.email])).toEqual([]);
  });

  it('counts refreshes', async () => {
    const responses = await times(4, () => api.refresh('unknown'));

    expect(statusesOf(responses)).toEqual([401, 401, 401, 429]);
  });

  it('rejects a refresh without using up the refresh token', async () => {
    const { refreshToken } = await fromAnywhere().signedIn();
    await times(3, () => api.refresh('unknown'));

    await api.refresh(refreshToken).expect(429);

    await fromAnywhere().refresh(refreshToken).expect(200);
  });

  it('counts logins, registrations and refreshes separately', async () => {
    await times(3, wrongLogin);
    await times(3, () => api.refresh('unknown'));

    await api.post('/register', aPerson()).expect(201);
  });

  it.each([
    ['/login', { email: 'a@example.com', password: WRONG }],
    ['/register', {}],
    ['/refresh', {}],
  ])('makes POST %s return 429 with Retry-After', async (path, body) => {
    await times(3, () => api.post(path, body));

    const response = await api.post(path, body).expect(429);

    expect(response.body.code).toBe('too_many_requests');
    expect(Number(response.headers['retry-after'])).toBeGreaterThan(880);
    expect(Number(response.headers['retry-after'])).toBeLessThanOrEqual(900);
  });

  it('does not apply to logouts', async () => {
    const user = await fromAnywhere().signedIn();
    await times(4, wrongLogin);

    await api.logout(bearer(user.accessToken)).expect(204);
  });
});

describe('the limit per address behind one proxy', () => {
  let app: TestApp;
  let api: AccountApi;

  const loginFrom = (forwardedFor: string): PromiseLike<Response> =>
    api.post('/login', aPerson({ password: WRONG }), { 'X-Forwarded-For': forwardedFor });

  const statusAfterThree = async (used: string, next: string): Promise<number> => {
    await inTurn(UP_TO_THE_LIMIT.map(() => () => loginFrom(used)));
    return (await loginFrom(next)).status;
  };

  beforeAll(async () => {
    app = await aTestApp({ config: { trustProxy: 1, limits: LIMITS } });
    api = new AccountApi(app);
  });
  afterAll(() => app.close());

  it.each([
    ['the same address', '203.0.113.1', '203.0.113.1', 429],
    ['another address', '203.0.113.2', '203.0.113.3', 401],
    ['another address before its own', '203.0.113.4', '198.51.100.7, 203.0.113.4', 429],
    ['the address of another one as its claim', '203.0.113.5', '203.0.113.5, 203.0.113.6', 401],
    ['another address of the same IPv6 network', '2001:db8:1:2::1', '2001:db8:1:2:ff::1', 429],
    ['another IPv6 network', '2001:db8:1:3::1', '2001:db8:1:4::1', 401],
    ['another spelling of an IPv6 address', '2001:db8:1:5::1', '2001:DB8:1:5:0:0:0:1', 429],
    ['an IPv4 address written in IPv6', '203.0.113.8', '::ffff:203.0.113.8', 429],
    ['another port', '203.0.113.11:4711', '203.0.113.11:4712', 429],
    ['another port behind IPv6', '[2001:db8:1:6::1]:4711', '[2001:db8:1:6::1]:4712', 429],
    ['no address at all', 'unknown', 'unknown', 429],
  ])('uses the forwarded address for a client with %s', async (_, used, next, status) => {
    expect(await statusAfterThree(used, next)).toBe(status);
  });

  it('works with a chain of 600 proxies', async () => {
    const response = await loginFrom('203.0.113.9, '.repeat(600) + '203.0.113.10');

    expect(response.status).toBe(401);
  });
});
