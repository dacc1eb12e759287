import { createHash } from 'node:crypto';

import { AccountApi, bearer, type SignedIn } from '../support/account-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest();

describe('POST /refresh with a token that was already exchanged', () => {
  let app: TestApp;
  let api: AccountApi;
  let user: SignedIn;
  /** The token pair from the exchange of the user's first refresh token. */
  let current: { access_token: string; refresh_token: string };

  const rotatedAgo = (seconds: number): Promise<unknown[]> =>
    app.database.query(
      'UPDATE rotated_refresh_tokens SET rotated_at = now() - make_interval(secs => $2) WHERE user_id = $1',
      [user.id, seconds],
    );

  const statuses = async (pair: typeof current): Promise<number[]> => [
    (await api.loginWith(bearer(pair.access_token))).status,
    (await api.loginWith(bearer(user.accessToken))).status,
    (await api.loginWith({ Cookie: user.cookie })).status,
  ];

  beforeAll(async () => {
    app = await aTestApp({ config: { refreshReuseLeewaySeconds: 10 } });
    api = new AccountApi(app);
  });
  beforeEach(async () => {
    user = await api.signedIn();
    ({ body: current } = await api.refresh(user.refreshToken));
  });
  afterAll(() => app.close());

  describe('within the leeway', () => {
    beforeEach(async () => {
      await rotatedAgo(8);
    });

    it('returns 401', async () => {
      await api.refresh(user.refreshToken).expect(401);
    });

    it('leaves the new refresh token valid', async () => {
      await api.refresh(user.refreshToken);

      await api.refresh(current.refresh_token).expect(200);
    });

    it('leaves the access tokens and the cookie valid', async () => {
      await api.refresh(user.refreshToken);

      expect(await statuses(current)).toEqual([200, 200, 200]);
    });
  });

  describe('after the leeway', () => {
    beforeEach(async () => {
      await rotatedAgo(12);
    });

    it('returns 401 with the same body as for an unknown token', async () => {
      const response = await api.refresh(user.refreshToken);

      expect(response.status).toBe(401);
      expect(response.text).toBe((await api.refresh('unknown')).text);
    });

    it('revokes the current refresh token', async () => {
      await api.refresh(user.refreshToken);

      await api.refresh(current.refresh_token).expect(401);
      const sql = 'SELECT user_id FROM refresh_tokens WHERE user_id = $1';
      expect(await app.database.query(sql, [user.id])).toEqual([]);
    });

    it('invalidates all access tokens and the session cookie', async () => {
      await api.refresh(user.refreshToken);

      expect(await statuses(current)).toEqual([401, 401, 401]);
    });

    it('logs a warning with the user id and without the token', async () => {
      await api.refresh(user.refreshToken);

      const warnings = app
        .log()
        .split('\n')
        .filter((line) => line.includes('"level":40'));
      expect(warnings.join()).toContain(`user ${user.id} `);
      expect(app.log()).not.toContain(user.refreshToken);
    });

    it('lets the user log in again', async () => {
      await api.refresh(user.refreshToken);

      const again = await api.loggedIn(user);

      await api.refresh(again.refreshToken).expect(200);
    });

    it('does not affect a login after the first reuse', async () => {
      await api.refresh(user.refreshToken);
      const again = await api.loggedIn(user);

      await api.refresh(user.refreshToken).expect(401);

      await api.loginWith(bearer(again.accessToken)).expect(200);
    });

    it('leaves other users signed in', async () => {
      const other = await api.signedIn();

      await api.refresh(user.refreshToken);

      await api.refresh(other.refreshToken).expect(200);
      await api.loginWith({ Cookie: other.cookie }).expect(200);
    });

    it('revokes the token family even if the token is several exchanges old', async () => {
      const { body: next } = await api.refresh(current.refresh_token);
      const { body: last } = await api.refresh(next.refresh_token);

      await api.refresh(user.refreshToken);

      await api.refresh(last.refresh_token).expect(401);
    });

    it('does not affect a login between the exchange and the reuse', async () => {
      const again = await api.loggedIn(user);

      await api.refresh(user.refreshToken).expect(401);

      await api.refresh(again.refreshToken).expect(200);
      await api.loginWith({ Cookie: again.cookie }).expect(200);
    });

    it('returns 401 while the account is disabled', async () => {
      await app.database.query('UPDATE users SET disabled_at = now() WHERE id = $1', [user.id]);

      await api.refresh(user.refreshToken).expect(401);
    });
  });

  it('stores exchanged tokens for 30 days', async () => {
    await rotatedAgo(31 * 86_400);

    const { body: next } = await api.refresh(current.refresh_token);

    const rows = await app.database.query<{ token_hash: Buffer }>(
      'SELECT token_hash FROM rotated_refresh_tokens WHERE user_id = $1',
      [user.id],
    );
    expect(rows.map(({ token_hash: hash }) => hash)).toEqual([hashOf(current.refresh_token)]);
    await api.refresh(user.refreshToken).expect(401);
    await api.refresh(next.refresh_token).expect(200);
  });

  it('does not treat a token that a login has replaced as stolen', async () => {
    const again = await api.loggedIn(user);
    await rotatedAgo(12);

    await api.refresh(current.refresh_token).expect(401);

    await api.refresh(again.refreshToken).expect(200);
  });
});

describe('POST /refresh without a leeway', () => {
  let app: TestApp;

  beforeAll(async () => {
    app = await aTestApp({ config: { refreshReuseLeewaySeconds: 0 } });
  });
  afterAll(() => app.close());

  it('revokes the token family at the first reuse', async () => {
    const api = new AccountApi(app);
    const { refreshToken } = await api.signedIn();
    const { body } = await api.refresh(refreshToken);

    await api.refresh(refreshToken);

    await api.refresh(body.refresh_token).expect(401);
  });
});
