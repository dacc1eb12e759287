import { AccountApi, bearer, sendRaw, setCookieOf, type SignedIn } from '../support/account-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

describe('POST /logout', () => {
  let app: TestApp;
  let api: AccountApi;
  let user: SignedIn;

  beforeAll(async () => {
    app = await aTestApp();
    api = new AccountApi(app);
  });
  beforeEach(async () => {
    user = await api.signedIn();
  });
  afterAll(() => app.close());

  const expectSignedIn = async ({ accessToken, cookie, refreshToken }: SignedIn): Promise<void> => {
    await api.refresh(refreshToken).expect(200);
    await api.loginWith(bearer(accessToken)).expect(200);
    await api.loginWith({ Cookie: cookie }).expect(200);
  };

  describe.each([
    ['the session cookie', ({ cookie }: SignedIn) => ({ Cookie: cookie })],
    ['the access token', ({ accessToken }: SignedIn) => bearer(accessToken)],
  ])('with %s', (_, proofOf) => {
    it('returns 204 without a body', async () => {
      const response = await api.logout(proofOf(user));

      expect([response.status, response.text]).toEqual([204, '']);
    });

    it('clears the cookie in the browser', async () => {
      const response = await api.logout(proofOf(user));

      expect(setCookieOf(response)).toBe(
        'session=; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT; HttpOnly; SameSite=Lax',
      );
    });

    it('invalidates the refresh token', async () => {
      await api.logout(proofOf(user));

      await api.refresh(user.refreshToken).expect(401);
    });

    it('deletes the stored refresh token and the rotated ones', async () => {
      const { body } = await api.refresh(user.refreshToken);
      await api.logout(proofOf({ ...user, accessToken: body.access_token }));

      const rows = await app.database.query(
        `SELECT user_id FROM refresh_tokens WHERE user_id = $1
         UNION ALL SELECT user_id FROM rotated_refresh_tokens WHERE user_id = $1`,
        [user.id],
      );
      expect(rows).toEqual([]);
    });

    it('invalidates the access token', async () => {
      await api.logout(proofOf(user));

      await api.loginWith(bearer(user.accessToken)).expect(401);
    });

    it('invalidates the session cookie, including copies of it', async () => {
      await api.logout(proofOf(user));

      await api.loginWith({ Cookie: user.cookie }).expect(401);
    });

    it('ends the sessions of other devices', async () => {
      const other = await api.loggedIn(user);

      await api.logout(proofOf(user));

      await api.loginWith({ Cookie: other.cookie }).expect(401);
      await api.loginWith(bearer(other.accessToken)).expect(401);
      await api.refresh(other.refreshToken).expect(401);
    });

    it('leaves other users signed in', async () => {
      const other = await api.signedIn();

      await api.logout(proofOf(user));

      await expectSignedIn(other);
    });

    it('returns 401 the second time', async () => {
      await api.logout(proofOf(user));

      await api.logout(proofOf(user)).expect(401);
    });

    it('lets the user log in again', async () => {
      await api.logout(proofOf(user));

      const again = await api.loggedIn(user);

      await api.refresh(again.refreshToken).expect(200);
      await api.loginWith({ Cookie: again.cookie }).expect(200);
    });
  });

  it.each<[string, (user: SignedIn) => Record<string, string>]>([
    ['no proof', () => ({})],
    ['a made-up token', () => bearer('made.up.token')],
    ['a made-up cookie', () => ({ Cookie: 'session=garbage' })],
    ['the refresh token', ({ refreshToken }) => bearer(refreshToken)],
    [
      'the cookie from a foreign page',
      ({ cookie }) => ({ Cookie: cookie, Origin: 'https://x.example' }),
    ],
  ])('returns 401 for %s and signs no user out', async (_, proofOf) => {
    await api.logout(proofOf(user)).expect(401);

    await expectSignedIn(user);
  });

  it('returns 401 if the account is disabled', async () => {
    await app.database.query('UPDATE users SET disabled_at = now() WHERE id = $1', [user.id]);

    await api.logout(bearer(user.accessToken)).expect(401);
    await api.logout({ Cookie: user.cookie }).expect(401);
  });

  it('does not accept the password as a credential', async () => {
    await api.post('/logout', { email: user.email, password: user.password }).expect(401);

    await expectSignedIn(user);
  });

  it('returns 415 for a form and signs no user out', async () => {
    const response = await sendRaw(app, {
      path: '/logout',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded', Cookie: user.cookie },
      body: 'a=1',
    });

    expect(response.status).toBe(415);
    await expectSignedIn(user);
  });

  it('returns 404 for GET and signs no user out', async () => {
    const response = await sendRaw(app, {
      method: 'GET',
      path: '/logout',
      headers: { Cookie: user.cookie },
    });

    expect(response.status).toBe(404);
    await expectSignedIn(user);
  });
});
