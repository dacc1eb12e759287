import { createHash, randomBytes } from 'node:crypto';

import { AccountApi, bearer, pairOf, setCookieOf, type SignedIn } from '../support/account-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

describe('POST /refresh', () => {
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

  const rowsOf = (userId: string): Promise<{ token_hash: Buffer }[]> =>
    app.database.query('SELECT * FROM refresh_tokens WHERE user_id = $1', [userId]);

  it('returns 200 with a new token pair in the format of a login', async () => {
    const response = await api.refresh(user.refreshToken);

    expect(response.status).toBe(200);
    expect(response.body).toEqual({
      access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      refresh_token: expect.stringMatching(/^[\w-]{43}$/),
      token_type: 'Bearer',
      expires_in: 900,
    });
    expect(response.body.refresh_token).not.toBe(user.refreshToken);
    expect(response.body.access_token).not.toBe(user.accessToken);
  });

  it('returns an access token and a refresh token that work', async () => {
    const pair = pairOf(await api.refresh(user.refreshToken));

    await api.refresh(pair.refresh_token).expect(200);
    await api.loginWith(bearer(pair.access_token)).expect(200);
  });

  it('sets no cookie', async () => {
    const response = await api.refresh(user.refreshToken);

    expect(setCookieOf(response)).toBe('');
  });

  it('returns 401 for a token that was exchanged already', async () => {
    await api.refresh(user.refreshToken).expect(200);

    const response = await api.refresh(user.refreshToken);

    expect(response.status).toBe(401);
    expect(response.body).toEqual({
      statusCode: 401,
      error: 'Unauthorized',
      message: 'The refresh token is not valid: log in again.',
      code: 'invalid_refresh_token',
    });
  });

  it('returns 401 for a token that a later login replaced', async () => {
    await api.login(user);

    await api.refresh(user.refreshToken).expect(401);
  });

  it('leaves the older access token and the cookie valid', async () => {
    await api.refresh(user.refreshToken);

    await api.loginWith(bearer(user.accessToken)).expect(200);
    await api.loginWith({ Cookie: user.cookie }).expect(200);
  });

  it('keeps one row per user after logins and refreshes', async () => {
    const { body } = await api.login(user);
    await api.refresh(body.refresh_token);

    expect(await rowsOf(user.id)).toHaveLength(1);
  });

  it('stores only a hash, which is not accepted as a token', async () => {
    const { refresh_token: token } = pairOf(await api.refresh(user.refreshToken));

    const [row] = await rowsOf(user.id);
    const hash = createHash('sha256').update(token).digest();
    expect(row!.token_hash).toEqual(hash);
    await api.refresh(row!.token_hash.toString('base64url')).expect(401);
    await api.refresh(row!.token_hash.toString('hex')).expect(401);
  });

  it('stores neither the current nor the previous token', async () => {
    const { body } = await api.refresh(user.refreshToken);

    const rows = await app.database.query<{ row: string }>(
      `SELECT r::text AS row FROM refresh_tokens r UNION ALL SELECT r::text FROM rotated_refresh_tokens r`,
    );
    const stored = rows.map(({ row }) => row).join('\n');
    for (const token of [user.refreshToken, String(body.refresh_token)]) {
      expect(stored).not.toContain(token);
      expect(stored).not.toContain(Buffer.from(token).toString('hex'));
      expect(stored).not.toContain(Buffer.from(token, 'base64url').toString('hex'));
    }
  });

  it.each<[string, (token: string) => string]>([
    ['of the right form that nobody has', () => randomBytes(32).toString('base64url')],
    ['that is empty', () => ''],
    ['with a character less', (token) => token.slice(0, -1)],
    ['with a character more', (token) => `${token}A`],
    ['with a line break', (token) => `${token}\n`],
    ['with a space', (token) => ` ${token}`],
    ['with padding', (token) => `${token}=`],
    ['with another last bit', (token) => `${token.slice(0, -1)}${lastLetterOf(token)}`],
    ['in upper case', (token) => token.toUpperCase()],
    ['of 3 KB', () => 'A'.repeat(3000)],
    ['of SQL', () => `' OR token_hash IS NOT NULL --`],
    ['that is an access token', () => user.accessToken],
  ])('returns 401 for a token %s', async (_, change) => {
    await api.refresh(change(user.refreshToken)).expect(401);

    await api.refresh(user.refreshToken).expect(200);
  });

  it.each([
    ['nothing', undefined],
    ['null', null],
    ['a number', 1],
    ['true', true],
    ['an array', ['token']],
    ['an object', { $ne: null }],
  ])('returns 400 for %s in place of the token', async (_, value) => {
    const response = await api.refresh(value);

    expect(response.status).toBe(400);
    expect(response.body).toMatchObject({
      code: 'validation_failed',
      message: ['refresh_token must be a string'],
    });
  });

  it('reads the token only from the body', async () => {
    const response = await api.post(
      `/refresh?refresh_token=${user.refreshToken}`,
      {},
      { ...bearer(user.accessToken), Cookie: user.cookie },
    );

    expect(response.status).toBe(400);
  });

  it('returns 401 once the account is disabled', async () => {
    await app.database.query('UPDATE users SET disabled_at = now() WHERE id = $1', [user.id]);

    await api.refresh(user.refreshToken).expect(401);
  });

  it('returns 401 once the account is deleted', async () => {
    await app.database.query('DELETE FROM users WHERE id = $1', [user.id]);

    await api.refresh(user.refreshToken).expect(401);
  });

  it('does not invalidate the tokens of other users', async () => {
    const other = await api.signedIn();

    await api.refresh(user.refreshToken);

    await api.refresh(other.refreshToken).expect(200);
  });

  it('accepts a token after ten years', async () => {
    app.clock.advance(10 * 365 * 86_400);
    await app.database.query(
      `UPDATE refresh_tokens SET issued_at = now() - interval '10 years' WHERE user_id = $1`,
      [user.id],
    );

    await api.refresh(user.refreshToken).expect(200);
  });
});

describe('POST /refresh at another instance', () => {
  let first: TestApp;
  let second: TestApp;

  beforeAll(async () => {
    first = await aTestApp();
    second = await aTestApp({ beside: first });
  });
  afterAll(async () => {
    await second.close();
    await first.close();
  });

  it('accepts the token once, and then both instances reject it', async () => {
    const { refreshToken } = await new AccountApi(first).signedIn();

    await new AccountApi(second).refresh(refreshToken).expect(200);

    await new AccountApi(first).refresh(refreshToken).expect(401);
    await new AccountApi(second).refresh(refreshToken).expect(401);
  });
});

/**
 * Returns a letter that differs from the last one only in bits that base64url ignores. Decoders may consider both
 * equal.
 */
function lastLetterOf(token: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  return alphabet.charAt(alphabet.indexOf(token.slice(-1)) ^ 1);
}
