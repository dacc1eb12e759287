import {
  AccountApi,
  aPerson,
  bearer,
  cookieOf,
  pairOf,
  setCookieOf,
  type SignedIn,
} from '../support/account-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

const PAIR = {
  access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
  refresh_token: expect.stringMatching(/^[\w-]{43}$/),
  token_type: 'Bearer',
  expires_in: 900,
};

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

  describe.each([
    ['the password', ({ email, password }: SignedIn) => api.login({ email, password })],
    ['the session cookie', ({ cookie }: SignedIn) => api.loginWith({ Cookie: cookie })],
    ['the access token', ({ accessToken }: SignedIn) => api.loginWith(bearer(accessToken))],
  ])('with %s', (_, loginOf) => {
    it('returns 200 with a new token pair', async () => {
      const user = await api.signedIn();

      const response = await loginOf(user);

      expect(response.status).toBe(200);
      expect(response.body).toEqual(PAIR);
      expect(response.body.refresh_token).not.toBe(user.refreshToken);
      expect(response.body.access_token).not.toBe(user.accessToken);
    });

    it('returns a valid access token and a valid refresh token', async () => {
      const pair = pairOf(await loginOf(await api.signedIn()));

      await api.refresh(pair.refresh_token).expect(200);
      await api.loginWith(bearer(pair.access_token)).expect(200);
    });

    it('revokes the previous refresh token of the user', async () => {
      const user = await api.signedIn();

      await loginOf(user);

      await api.refresh(user.refreshToken).expect(401);
    });

    it('sets a new session cookie', async () => {
      const user = await api.signedIn();

      const cookie = cookieOf(await loginOf(user));

      expect(cookie).not.toBe(user.cookie);
      await api.loginWith({ Cookie: cookie }).expect(200);
    });

    it('returns 401 after the account is disabled', async () => {
      const user = await api.signedIn();
      await app.database.query('UPDATE users SET disabled_at = now() WHERE id = $1', [user.id]);

      const response = await loginOf(user);

      expect(response.status).toBe(401);
      expect(setCookieOf(response)).toBe('');
    });

    it('returns 401 after the account is deleted', async () => {
      const user = await api.signedIn();
      await app.database.query('DELETE FROM users WHERE id = $1', [user.id]);

      const response = await loginOf(user);

      expect(response.status).toBe(401);
    });

    it('returns 500 without tokens if the user query fails', async () => {
      const user = await api.signedIn();
      await app.database.query('ALTER TABLE users RENAME TO users_away');

      const response = await loginOf(user);

      await app.database.query('ALTER TABLE users_away RENAME TO users');
      expect(response.status).toBe(500);
      expect(response.body).toEqual({
        statusCode: 500,
        error: 'Internal Server Error',
        message: expect.not.stringMatching(/users|relation|select|42P01/i),
        code: 'internal_error',
      });
      expect(setCookieOf(response)).toBe('');
    });
  });

  it.each([
    ['in upper case', 'spelt@example.com', 'SPELT@Example.COM'],
    ['with white space around it', 'spelt2@example.com', '  spelt2@example.com '],
    ['with a domain in Unicode', 'spelt3@xn--mnchen-3ya.example', 'spelt3@münchen.example'],
  ])('finds the account by an email address %s', async (_, email, spelling) => {
    const person = await api.registered({ email });

    await api.login({ ...person, email: spelling }).expect(200);
  });

  describe('with invalid credentials', () => {
    const LONGEST = 'four ferns and forty kinds of tomato grow on the roof of a bus station !';
    let reference: string;

    const failure = (email: string, password: string) => api.login({ email, password });

    beforeAll(async () => {
      ({ text: reference } = await failure('nobody@example.com', 'a wrong pass phrase'));
      await api.registered({ email: 'known@example.com' });
      await api.registered({ email: 'longest@example.com', password: LONGEST });
      const { id } = await api.registered({ email: 'disabled@example.com' });
      await app.database.query('UPDATE users SET disabled_at = now() WHERE id = $1', [id]);
    });

    it.each([
      ['an unknown address', 'nobody2@example.com', aPerson().password],
      ['a text that is no address', 'nobody', aPerson().password],
      ['an empty address', '', aPerson().password],
      ['a wrong password', 'known@example.com', 'a wrong pass phrase'],
      ['an empty password', 'known@example.com', ''],
      ['the right password with one byte more', 'known@example.com', `${aPerson().password}!`],
      ['73 bytes of which the first 72 are right', 'longest@example.com', `${LONGEST}!`],
      ['the first 71 bytes of the right password', 'longest@example.com', LONGEST.slice(0, 71)],
      ['the right password of a disabled account', 'disabled@example.com', aPerson().password],
      [
        'another account’s hash as the password',
        'known@example.com',
        '$2b$04$abcdefghijklmnopqrstuu',
      ],
      ['SQL in the address', `' OR 1=1 --`, aPerson().password],
    ])('returns 401 with identical bytes for %s', async (_, email, password) => {
      const response = await failure(email, password);

      expect(response.status).toBe(401);
      expect(response.headers['www-authenticate']).toBe('Bearer realm="satchel"');
      expect(response.text).toBe(reference);
      expect(setCookieOf(response)).toBe('');
    });

    it('returns the documented error invalid_credentials', () => {
      expect(JSON.parse(reference)).toEqual({
        statusCode: 401,
        error: 'Unauthorized',
        message: 'The credentials are not valid.',
        code: 'invalid_credentials',
      });
    });

    it('does not change the refresh tokens of the user', async () => {
      const user = await api.signedIn();
      const before = await refreshTokenRow(user.id);

      await failure(user.email, 'a wrong pass phrase').expect(401);

      expect(await refreshTokenRow(user.id)).toEqual(before);
    });
  });

  it.each([
    ['nothing', undefined],
    ['an email address without a password', { email: 'ada@example.com' }],
    ['a password without an email address', { password: 'a long pass phrase' }],
    ['an email address that is null', { email: null, password: 'a long pass phrase' }],
    ['a password that is a number', { email: 'ada@example.com', password: 12_345_678 }],
    ['a password that is an array', { email: 'ada@example.com', password: ['pass phrase'] }],
  ])('returns an error and no tokens for %s in the body', async (_, body) => {
    const response = await api.post('/login', body);

    expect(response.status).toBe(body === undefined ? 401 : 400);
    expect(response.body.access_token).toBeUndefined();
  });
});
