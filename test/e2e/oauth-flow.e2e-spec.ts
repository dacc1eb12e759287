import { createHash } from 'node:crypto';

import request from 'supertest';

import { ConsumerKeysService } from '../../src/auth/consumers/consumer-keys.service.js';
import { Dialect } from '../../src/auth/consumers/entities/consumer-key.entity.js';
import { Permission } from '../../src/auth/consumers/permission.js';
import { RequestCodesService } from '../../src/auth/oauth/request-codes.service.js';
import { Database } from '../../src/platform/database/database.js';
import { AccountApi } from '../support/account-api.js';
import { aVisitor, formOf, OAuthApi, REDIRECT_URI } from '../support/oauth-api.js';
import { expectRefusal } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

const SHAPE = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{6}$/;

let app: TestApp;
let reader: OAuthApi;
let ada: Awaited<ReturnType<typeof aVisitor>>;

beforeAll(async () => {
  app = await aTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  reader = await OAuthApi.of(app);
  ada = await aVisitor(app);
});

describe('the OAuth flow', () => {
  it('returns form-encoded responses by default', async () => {
    const asked = await reader.request();
    const { code = '' } = formOf(asked);
    await ada.answer(code, 'authorized');
    const granted = await reader.authorize({ code });

    expect([asked.status, granted.status]).toEqual([200, 200]);
    expect(asked.headers).toMatchObject({
      'content-type': 'application/x-www-form-urlencoded',
      'x-source': 'Pocket',
    });
    expect(asked.text).toMatch(/^code=[0-9a-f-]{30}$/);
    expect(granted.text).toMatch(
      new RegExp(`^access_token=[0-9a-f-]{30}&username=${encodeURIComponent(ada.user.email)}$`),
    );
    expect(code).toMatch(SHAPE);
    expect(formOf(granted)['access_token']).toMatch(SHAPE);
  });

  it('returns JSON responses if X-Accept requests JSON', async () => {
    const accept = ['X-Accept', 'application/json; charset=UTF8'] as const;
    const asked = await reader.request({ redirect_uri: 'not_needed', state: 'ü&=' }).set(...accept);
    const { code } = asked.body as { code: string };
    await ada.answer(code, 'authorized');
    const granted = await reader.authorize({ code }).set(...accept);

    expect(asked.headers['content-type']).toBe('application/json');
    expect(asked.body).toEqual({ code: expect.stringMatching(SHAPE), state: 'ü&=' });
    expect(granted.body).toEqual({
      access_token: expect.stringMatching(SHAPE),
      username: ada.user.email,
      state: 'ü&=',
    });
  });

  it('returns state in a form response, and ignores an object as state', async () => {
    expect(formOf(await reader.request({ redirect_uri: '/', state: 'a b&c' }))).toMatchObject({
      state: 'a b&c',
    });
    const response = await request(app.url)
      .post('/v3/oauth/request')
      .set('X-Accept', 'application/json')
      .send({ consumer_key: reader.key, redirect_uri: '/', state: {} });
    expect(response.body).toEqual({ code: expect.stringMatching(SHAPE) });
  });

  it('accepts JSON with the charset UTF8, a query, multipart fields and a trailing slash', async () => {
    const members = { consumer_key: reader.key, redirect_uri: REDIRECT_URI };
    const path = '/v3/oauth/request';

    const calls = await Promise.all([
      request(app.url)
        .post(path)
        .set('Content-Type', 'application/json; charset=UTF8')
        .send(JSON.stringify(members)),
      request(app.url).get(path).query(members),
      request(app.url).post(`${path}/`).query(members),
      request(app.url).post(path).field(members),
    ]);

    expect(calls.map(({ status, text }) => [status, text.slice(0, 5)])).toEqual(
      calls.map(() => [200, 'code=']),
    );
  });

  it('is also available at paths with .php', async () => {
    const members = { consumer_key: reader.key, redirect_uri: REDIRECT_URI };
    const asked = await request(app.url).post('/v3/oauth/request.php').type('form').send(members);
    const { code = '' } = formOf(asked);
    await ada.answer(code, 'authorized');
    const granted = await request(app.url)
      .post('/v3/oauth/authorize.php')
      .set('Content-Type', 'application/json; charset=UTF8')
      .send(JSON.stringify({ consumer_key: reader.key, code }));

    expect(formOf(granted)).toMatchObject({
      access_token: expect.stringMatching(SHAPE),
      username: ada.user.email,
    });
  });

  it('exchanges a code and ignores an array as redirect_uri', async () => {
    const code = await reader.agreedCode(ada);

    await reader.authorize({ code, 'redirect_uri[]': 'https://evil.example/' }).expect(200);
  });

  it('stores and logs neither request code nor access token', async () => {
    const code = await reader.agreedCode(ada);
    const { access_token: token = '' } = formOf(await reader.authorize({ code }));

    const rows = await app.database.query(
      'SELECT r::text, g::text FROM authorization_requests r, grants g',
    );
    expect(JSON.stringify(rows)).not.toContain(code);
    expect(JSON.stringify(rows)).not.toContain(token);
    expect(app.log()).not.toContain(code);
    expect(app.log()).not.toContain(token);
  });

  it('deletes a request a day after it expires', async () => {
    const [old, late] = [await reader.code(), await reader.code()];
    await app.database.query(
      `UPDATE authorization_requests SET expires_at = now() - interval '25 hours' WHERE code_hash = sha256($1)`,
      [Buffer.from(old)],
    );

    await app.app.get(RequestCodesService).sweep();

    const rows = await app.database.query(
      'SELECT 1 FROM authorization_requests WHERE code_hash IN (sha256($1), sha256($2))',
      [Buffer.from(old), Buffer.from(late)],
    );
    expect(rows).toHaveLength(1);
  });

  it('skips expired requests that another transaction has locked', async () => {
    const [held, old] = [await reader.code(), await reader.code()].map((code) => Buffer.from(code));
    await app.database.query(
      `UPDATE authorization_requests SET expires_at = now() - interval '25 hours'
       WHERE code_hash IN (sha256($1), sha256($2))`,
      [held, old],
    );

    await app.app.get(Database).transaction(async (other) => {
      await other.query(
        'SELECT 1 FROM authorization_requests WHERE code_hash = sha256($1) FOR UPDATE',
        [held],
      );
      await app.app.get(RequestCodesService).sweep();
    });

    const rows = await app.database.query(
      'SELECT code_hash FROM authorization_requests WHERE code_hash IN (sha256($1), sha256($2))',
      [held, old],
    );
    expect(rows).toEqual([
      {
        code_hash: createHash('sha256')
          .update(held ?? '')
          .digest(),
      },
    ]);
  });
});

describe('the access token of an application', () => {
  it('gives access to the list of the user who agreed', async () => {
    const api = new AccountApi(app);
    const token = await reader.accessToken(ada);
    await request(app.url)
      .post('/v3/add')
      .send({ consumer_key: reader.key, access_token: token, url: 'https://example.com/a' })
      .expect(200);

    const { accessToken } = await api.loggedIn(ada.user);
    for (const proof of [token, accessToken]) {
      const { body } = await reader.get(proof).expect(200);
      expect(Object.values(body.list as object)).toMatchObject([
        { given_url: 'https://example.com/a' },
      ]);
    }
  });

  it('is valid only with its own consumer key', async () => {
    const token = await reader.accessToken(ada);
    const other = await OAuthApi.of(app);

    expectRefusal(await other.get(token), 401, 137);
    await reader.get(token).expect(200);
  });

  it('can be requested with a consumer key that is compiled into a device', async () => {
    const key = `Compiled-in-${ada.user.id}`;
    const details = {
      name: 'Device',
      permissions: [Permission.Retrieve],
      dialect: Dialect.Classic,
    };
    await app.app.get(ConsumerKeysService).create(details, { adopted: key });
    const device = new OAuthApi(app, key);

    await device.get(await device.accessToken(ada)).expect(200);
  });

  it('is limited to the permissions of the consumer key', async () => {
    const saver = await OAuthApi.of(app, { permissions: [Permission.Add] });
    const token = await saver.accessToken(ada);

    expectRefusal(await saver.get(token), 403, 151);
  });

  it('is rejected if its consumer key or its user is disabled', async () => {
    const token = await reader.accessToken(ada);
    await reader.disable();
    expectRefusal(await reader.get(token), 401, 136);
    await reader.enable();
    await app.database.query('UPDATE users SET disabled_at = now() WHERE id = $1', [ada.user.id]);
    expectRefusal(await reader.get(token), 401, 107);
  });

  it('stays valid when the user logs out everywhere', async () => {
    const token = await reader.accessToken(ada);
    await new AccountApi(app).logout({ Cookie: ada.user.cookie }).expect(204);

    await reader.get(token).expect(200);
  });

  it('is rejected at /login, and at v3 endpoints if its last character is changed', async () => {
    const token = await reader.accessToken(ada);

    const response = await new AccountApi(app).loginWith({ Authorization: `Bearer ${token}` });
    expect(response.status).toBe(401);
    expectRefusal(
      await reader.get(`${token.slice(0, -1)}${token.endsWith('0') ? '1' : '0'}`),
      401,
      107,
    );
  });

  it('stores the time of its last use at most every ten minutes', async () => {
    const token = await reader.accessToken(ada);
    const lastUsed = async () =>
      (
        await app.database.query<{ at: Date | null }>(
          'SELECT last_used_at AS at FROM grants WHERE token_hash = sha256($1)',
          [Buffer.from(token)],
        )
      )[0]?.at;

    expect(await lastUsed()).toBeNull();
    await reader.get(token);
    const first = await lastUsed();
    await reader.get(token);
    expect(first).toBeInstanceOf(Date);
    expect(await lastUsed()).toEqual(first);
    await app.database.query(`UPDATE grants SET last_used_at = now() - interval '11 minutes'`);
    await reader.get(token);
    expect((await lastUsed())!.getTime()).toBeGreaterThanOrEqual(first!.getTime());
  });

  it('is accepted even if the time of its last use cannot be stored', async () => {
    const token = await reader.accessToken(ada);
    await app.database.query(
      `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no'; END $$`,
    );
    await app.database.query(
      'CREATE TRIGGER refuse BEFORE UPDATE ON grants FOR EACH ROW EXECUTE FUNCTION refuse()',
    );

    await reader.get(token).expect(200);
    await app.database.query('DROP TRIGGER refuse ON grants');
  });
});
