import request from 'supertest';

import { WallabagTokens } from '../../src/apis/wallabag/tokens/wallabag-tokens.service.js';
import { ConsumerKeysService } from '../../src/auth/consumers/consumer-keys.service.js';
import { Permission } from '../../src/auth/consumers/permission.js';
import { UserAdministrationService } from '../../src/auth/user-administration.service.js';
import { AccountApi, type Person } from '../support/account-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';
import { aWallabagUser, WallabagApi } from '../support/wallabag-api.js';

let app: TestApp;
let api: WallabagApi;
let ada: Person & { id: string };

beforeAll(async () => {
  app = await aTestApp();
  api = await WallabagApi.of(app);
});
afterAll(() => app.close());
beforeEach(async () => {
  ada = await new AccountApi(app).registered();
});

describe('an access token of a wallabag client', () => {
  it('is read from the header before the query, and is rejected with a challenge if invalid', async () => {
    const { access_token: token } = await api.tokens(ada);
    const call = () => request(app.url).get('/wallabag/api/user');

    await call().query({ access_token: token }).expect(200);
    await call().query({ access_token: 'x' }).set('Authorization', `Bearer ${token}`).expect(200);
    const missing = await call().expect(401);
    const wrong = await call().query({ access_token: 'x' }).expect(401);
    await app.database.query('UPDATE wallabag_tokens SET access_expires_at = now()');
    const expired = await api.user(token).expect(401);

    expect(missing.body).toMatchObject({
      error: 'access_denied',
      error_description: 'OAuth2 authentication required',
    });
    expect(wrong.body).toMatchObject({
      error: 'invalid_grant',
      error_description: 'The access token provided is invalid.',
    });
    expect(expired.body).toMatchObject({
      error: 'invalid_grant',
      error_description: 'The access token provided has expired.',
    });
    for (const { headers } of [missing, wrong, expired]) {
      expect(headers['www-authenticate']).toMatch(
        /^Bearer realm="Service", error="\w+", error_description="[^"]+"$/,
      );
      expect([headers['cache-control'], headers['pragma']]).toEqual(['no-store', 'no-cache']);
    }
  });

  it('stores the time of its last use, and is rejected without its client, user or grant', async () => {
    const { access_token: token, refresh_token: refresh } = await api.tokens(ada);
    const administrator = app.app.get(ConsumerKeysService);
    const users = app.app.get(UserAdministrationService);
    await api.user(token).expect(200);
    const [grant] = await app.database.query('SELECT last_used_at FROM grants WHERE user_id = $1', [
      ada.id,
    ]);
    expect(grant).toEqual({ last_used_at: expect.any(Date) });

    await administrator.disable(api.client.clientId);
    await api.user(token).expect(401);
    expect((await api.refresh(refresh).expect(400)).body.error).toBe('invalid_client');
    await administrator.enable(api.client.clientId);
    await users.disable(ada.email);
    await api.user(token).expect(401);
    expect((await api.refresh(refresh).expect(400)).body.error).toBe('invalid_grant');
    await users.enable(ada.email);
    await api.user(token).expect(200);
    await app.database.query('DELETE FROM grants WHERE user_id = $1', [ada.id]);

    await api.user(token).expect(401);
    await api.refresh(refresh).expect(400);
  });

  it('needs the permission that the route declares', async () => {
    const adding = await WallabagApi.of(app, { permissions: [Permission.Add] });
    const { access_token: token } = await adding.tokens(ada);

    const { body } = await adding.user(token).expect(403);

    expect(body).toMatchObject({ code: 403, message: 'Forbidden', error: 'forbidden' });
    expect(body.error_description).toContain('"retrieve"');
  });

  it('is rejected at v3 endpoints and at /login, and a client ID is not a consumer key', async () => {
    const { access_token: token } = await api.tokens(ada);
    const login = await new AccountApi(app).loggedIn(ada);

    for (const accessToken of [token, login.accessToken]) {
      await request(app.url)
        .post('/v3/get')
        .send({ consumer_key: api.client.clientId, access_token: accessToken })
        .expect(401);
    }
    await request(app.url).post('/login').set('Authorization', `Bearer ${token}`).expect(401);
  });

  it('is deleted once its access and its refresh token no longer work', async () => {
    await aWallabagUser(app, api);
    await app.database.query('DELETE FROM wallabag_tokens');
    const { user } = await aWallabagUser(app, api);
    await api.tokens(user);
    await api.refresh((await api.tokens(user)).refresh_token);
    await app.database.query(
      `UPDATE wallabag_tokens SET access_expires_at = now() - interval '2 days',
         refreshed_at = refreshed_at - interval '2 days'`,
    );
    await app.database.query(
      `UPDATE wallabag_tokens SET refresh_expires_at = now() WHERE id = (SELECT min(id) FROM wallabag_tokens)`,
    );

    await app.app.get(WallabagTokens).sweep();

    expect(await app.database.query('SELECT refreshed_at FROM wallabag_tokens')).toEqual([
      { refreshed_at: null },
      { refreshed_at: null },
    ]);
  });
});
