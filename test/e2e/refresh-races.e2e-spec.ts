import { createHash } from 'node:crypto';

import type { Response } from 'supertest';

import { AccountApi, bearer, pairOf, type SignedIn } from '../support/account-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

const ROUNDS = 6;

/** Returns the access token of a refresh, or an invalid one if it was refused. */
const accessBy = (refreshed: Response): Record<string, string> =>
  bearer(refreshed.status === 200 ? pairOf(refreshed).access_token : 'none');

const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex');

describe('POST /refresh', () => {
  let app: TestApp;
  let api: AccountApi;
  let user: SignedIn;

  const currentHashes = async (): Promise<string[]> => {
    const rows = await app.database.query<{ hash: string }>(
      `SELECT encode(token_hash, 'hex') AS hash FROM refresh_tokens WHERE user_id = $1`,
      [user.id],
    );
    return rows.map(({ hash }) => hash);
  };

  const epoch = async (): Promise<number> => {
    const sql = 'SELECT session_epoch FROM users WHERE id = $1';
    const [row] = await app.database.query<{ session_epoch: number }>(sql, [user.id]);
    return row!.session_epoch;
  };

  const issuedBy = (responses: Response[]): string[] =>
    responses
      .filter(({ status }) => status === 200)
      .map((response) => hashOf(pairOf(response).refresh_token));

  beforeAll(async () => {
    app = await aTestApp();
    api = new AccountApi(app);
  });
  beforeEach(async () => {
    user = await api.signedIn();
  });
  afterAll(() => app.close());

  it('returns 200 for exactly one of 20 concurrent calls with the same token', async () => {
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => api.refresh(user.refreshToken)),
    );

    const statuses = responses.map(({ status }) => status).sort();
    expect(statuses).toEqual([200, ...Array<number>(19).fill(401)]);
  });

  it('returns a working pair of tokens for one of 20 concurrent calls with the same token', async () => {
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => api.refresh(user.refreshToken)),
    );

    const pair = pairOf(responses.find(({ status }) => status === 200)!);
    await api.refresh(pair.refresh_token).expect(200);
    await api.loginWith(bearer(pair.access_token)).expect(200);
    await api.loginWith({ Cookie: user.cookie }).expect(200);
  });

  it('during two logins leaves only the refresh token of a login, and ends no session', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const { refreshToken } = await api.loggedIn(user);

      const [refreshed, ...logins] = await Promise.all([
        api.refresh(refreshToken),
        api.login(user),
        api.login(user),
      ]);

      const current = await currentHashes();
      expect(current).toHaveLength(1);
      expect(issuedBy(logins)).toContain(current[0]);
      expect([200, 401]).toContain(refreshed.status);
      expect(await epoch()).toBe(0);
    }
  });

  it('accepts exactly one refresh token after five concurrent logins', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const responses = await Promise.all(Array.from({ length: 5 }, () => api.login(user)));

      const tokens = responses.map(({ body }) => String(body.refresh_token));
      const alive = [];
      for (const token of tokens) {
        const { status } = await api.refresh(token);
        alive.push(...(status === 200 ? [token] : []));
      }
      expect(alive).toHaveLength(1);
    }
  });

  it('during a logout leaves no valid token', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      user = { ...user, ...(await api.loggedIn(user)) };

      const [refreshed] = await Promise.all([
        api.refresh(user.refreshToken),
        api.logout(bearer(user.accessToken)).expect(204),
      ]);

      expect(await currentHashes()).toEqual([]);
      await api.loginWith(accessBy(refreshed)).expect(401);
    }
  });

  it('during a reuse of the previous token ends the token family', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const { refreshToken } = await api.loggedIn(user);
      const { body: current } = await api.refresh(refreshToken);
      await app.database.query(
        `UPDATE rotated_refresh_tokens SET rotated_at = now() - interval '1 hour' WHERE user_id = $1`,
        [user.id],
      );

      const [refreshed, reused] = await Promise.all([
        api.refresh(current.refresh_token),
        api.refresh(refreshToken),
      ]);

      expect(reused.status).toBe(401);
      expect(await currentHashes()).toEqual([]);
      await api.loginWith(accessBy(refreshed)).expect(401);
    }
  });
});
