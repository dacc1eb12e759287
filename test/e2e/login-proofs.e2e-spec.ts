import type { Response } from 'supertest';

import { AccountApi, aPerson, bearer, pairOf, sendRaw } from '../support/account-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

const WRONG = 'a wrong pass phrase';

const subjectOf = (login: Response): unknown =>
  JSON.parse(Buffer.from(pairOf(login).access_token.split('.')[1]!, 'base64url').toString()).sub;

describe('POST /login', () => {
  let app: TestApp;
  let api: AccountApi;

  const refreshTokenRow = (userId: string): Promise<unknown[]> =>
    app.database.query('SELECT * FROM refresh_tokens WHERE user_id = $1', [userId]);

  beforeAll(async () => {
    app = await aTestApp();
    api = new AccountApi(app);
  });
  afterAll(() => app.close());

  describe('with several credentials', () => {
    it('checks the credentials in the body, even if a cookie is sent', async () => {
      const { email, cookie } = await api.signedIn();

      const response = await api.post('/login', { email, password: WRONG }, { Cookie: cookie });

      expect(response.status).toBe(401);
    });

    it('checks the credentials in the body, even if an access token is sent', async () => {
      const { email, accessToken } = await api.signedIn();

      const response = await api.post('/login', { email, password: WRONG }, bearer(accessToken));

      expect(response.status).toBe(401);
    });

    it.each([
      ['no password', { email: 'ada@example.com' }, 400],
      ['no email address', { password: WRONG }, 400],
      ['null for both', { email: null, password: null }, 400],
      ['empty text for both', { email: '', password: '' }, 401],
    ])('does not use the cookie if the body has %s', async (_, body, status) => {
      const { cookie } = await api.signedIn();

      const response = await api.post('/login', body, { Cookie: cookie });

      expect(response.status).toBe(status);
    });

    it.each(['APPLICATION/JSON', 'application/json;charset="UTF-8"', 'application/json; charset'])(
      'checks the credentials in a body of the type %j',
      async (type) => {
        const { email, cookie } = await api.signedIn();

        const response = await sendRaw(app, {
          path: '/login',
          headers: { 'Content-Type': type, Cookie: cookie },
          body: JSON.stringify({ email, password: WRONG }),
        });

        expect(response.status).toBe(401);
      },
    );

    it('logs in the user of the body if the cookie belongs to another user', async () => {
      const person = await api.registered();
      const { cookie } = await api.signedIn();

      const response = await api.post('/login', person, { Cookie: cookie });

      expect(subjectOf(response)).toBe(person.id);
    });

    it('logs in the user of the access token if the cookie belongs to another user', async () => {
      const user = await api.signedIn();
      const { cookie } = await api.signedIn();

      const response = await api.loginWith({ ...bearer(user.accessToken), Cookie: cookie });

      expect(subjectOf(response)).toBe(user.id);
    });

    it('renews the session for the user who logs in, not for the user of the cookie', async () => {
      const person = await api.registered();
      const { cookie: planted } = await api.signedIn();

      const response = await api.post('/login', person, { Cookie: planted });

      const [renewed = ''] = (response.get('Set-Cookie') ?? [])[0]!.split(';');
      const again = await api.loginWith({ Cookie: renewed });
      expect(subjectOf(again)).toBe(person.id);
    });
  });

  describe('ignores credentials in the query', () => {
    it.each([
      ['without a body', undefined],
      ['with an empty object', {}],
      ['with empty credentials', { email: '', password: '' }],
    ])('%s', async (_, body) => {
      const { email, password } = await api.registered();
      const query = new URLSearchParams({ email, password }).toString();

      const response = await api.post(`/login?${query}`, body);

      expect(response.status).toBe(401);
    });
  });

  describe('from a page', () => {
    it.each([
      ['of another site', () => 'https://evil.example'],
      ['without an origin of its own', () => 'null'],
      ['on another port', () => 'http://127.0.0.1:1'],
      ['of this host under another scheme', (own: string) => own.replace('http:', 'https:')],
      ['of a host whose name begins with this one', (own: string) => `${own}.evil.example`],
    ])('%s rejects the cookie and does not change the tokens', async (_, originFor) => {
      const user = await api.signedIn();
      const before = await refreshTokenRow(user.id);

      const response = await api.loginWith({ Cookie: user.cookie, Origin: originFor(app.url) });

      expect(response.status).toBe(401);
      expect(await refreshTokenRow(user.id)).toEqual(before);
      await api.loginWith({ Cookie: user.cookie }).expect(200);
    });

    it('of the same site accepts the cookie', async () => {
      const { cookie } = await api.signedIn();

      await api.loginWith({ Cookie: cookie, Origin: app.url }).expect(200);
    });

    it('of another site accepts the password and the access token', async () => {
      const { email, password, accessToken } = await api.signedIn();
      const Origin = 'https://evil.example';

      await api.post('/login', { email, password }, { Origin }).expect(200);
      await api.loginWith({ ...bearer(accessToken), Origin }).expect(200);
    });

    it.each([
      ['a form', 'application/x-www-form-urlencoded', 'a=1'],
      ['a form with files', 'multipart/form-data; boundary=b', '--b--'],
      ['plain text', 'text/plain', '{}'],
      ['JSON by another name', 'text/json', '{}'],
      ['a type that only begins like JSON', 'application/json-patch+json', '{}'],
      ['an empty type', '', '{}'],
    ])('that sends %s returns 415 and does not change the tokens', async (_, type, body) => {
      const user = await api.signedIn();
      const before = await refreshTokenRow(user.id);
      const headers = { 'Content-Type': type, Cookie: user.cookie };

      const response = await sendRaw(app, { path: '/login', headers, body });

      expect(response.status).toBe(415);
      expect(await refreshTokenRow(user.id)).toEqual(before);
    });
  });

  describe('with an Authorization header', () => {
    it.each([
      ['in lower case', (token: string) => `bearer ${token}`],
      ['in upper case', (token: string) => `BEARER ${token}`],
      ['with several spaces', (token: string) => `Bearer   ${token}`],
    ])('accepts the scheme %s', async (_, header) => {
      const { accessToken } = await api.signedIn();

      await api.loginWith({ Authorization: header(accessToken) }).expect(200);
    });

    it.each([
      ['no scheme', (token: string) => token],
      ['the scheme Basic', (token: string) => `Basic ${token}`],
      ['the scheme Token', (token: string) => `Token ${token}`],
      ['nothing after the scheme', () => 'Bearer '],
      ['no space after the scheme', (token: string) => `Bearer${token}`],
      ['the token in quotes', (token: string) => `Bearer "${token}"`],
      ['something after the token', (token: string) => `Bearer ${token} x`],
      ['the token twice', (token: string) => `Bearer ${token},${token}`],
      ['two schemes', (token: string) => `Basic x, Bearer ${token}`],
      ['letters beyond ASCII', () => 'Bearer äöü'],
    ])('rejects %s', async (_, header) => {
      const { accessToken } = await api.signedIn();

      await api.loginWith({ Authorization: header(accessToken) }).expect(401);
    });

    it('rejects the password in Basic authentication', async () => {
      const { email, password } = await api.registered();
      const credentials = Buffer.from(`${email}:${password}`).toString('base64');

      await api.loginWith({ Authorization: `Basic ${credentials}` }).expect(401);
    });

    it('rejects a refresh token', async () => {
      const { refreshToken } = await api.signedIn();

      await api.loginWith(bearer(refreshToken)).expect(401);
    });

    it('rejects the content of the session cookie', async () => {
      const { cookie } = await api.signedIn();
      const [, value = ''] = cookie.split('=');

      await api.loginWith(bearer(decodeURIComponent(value).slice(2))).expect(401);
    });

    it('uses the first of two headers', async () => {
      const { accessToken } = await api.signedIn();
      const [good, bad] = [`Bearer ${accessToken}`, 'Bearer x'];
      const statusOf = async (...headers: string[]): Promise<number> => {
        const named = headers.flatMap((value) => ['Authorization', value]);
        return (await sendRaw(app, { path: '/login', headers: named })).status;
      };

      expect(await statusOf(good, bad)).toBe(200);
      expect(await statusOf(bad, good)).toBe(401);
    });

    it('returns 431 if it is 20 KB long', async () => {
      const headers = bearer('x'.repeat(20_000));

      const response = await sendRaw(app, { path: '/login', headers });

      expect(response.status).toBe(431);
    });

    it('returns 401 if it is 10 KB long', async () => {
      await api.loginWith(bearer('x'.repeat(10_000))).expect(401);
    });
  });
});

describe('POST /login after an increase of the bcrypt cost', () => {
  let before: TestApp;
  let after: TestApp;
  let api: AccountApi;

  const hashOf = async (email: string): Promise<string> => {
    const sql = 'SELECT password_hash FROM users WHERE email = $1';
    const [row] = await before.database.query<{ password_hash: string }>(sql, [email]);
    return row!.password_hash;
  };

  beforeAll(async () => {
    before = await aTestApp();
    await new AccountApi(before).registered({ email: 'old@example.com' });
    await new AccountApi(before).registered({ email: 'other@example.com' });
    after = await aTestApp({ beside: { ...before, config: { ...before.config, bcryptCost: 5 } } });
    api = new AccountApi(after);
  });
  afterAll(async () => {
    await after.close();
    await before.close();
  });

  it('updates the hash to the new cost, and the same password still works', async () => {
    const person = aPerson({ email: 'old@example.com' });

    await api.login(person).expect(200);

    expect(await hashOf(person.email)).toMatch(/^\$2b\$05\$/);
    await api.login(person).expect(200);
  });

  it('does not change the hash if the password is wrong', async () => {
    await api.login({ email: 'other@example.com', password: WRONG }).expect(401);

    expect(await hashOf('other@example.com')).toMatch(/^\$2b\$04\$/);
  });
});
