import request from 'supertest';

import { AccountApi, type Person } from '../support/account-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';
import { TOKEN_PATH, tokensIn, WallabagApi } from '../support/wallabag-api.js';

const TEXT = /^[A-Za-z0-9_-]{43}$/;

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

const passwordGrant = (person: Person): Record<string, string> => ({
  ...api.credentials,
  ...{ grant_type: 'password', username: person.email, password: person.password },
});

describe('the password grant of the wallabag API', () => {
  it('returns tokens for the user, with parameters from JSON, a form, the query or HTTP Basic', async () => {
    const { client_id: id, client_secret: secret, ...grant } = passwordGrant(ada);
    const answers = await Promise.all([
      request(app.url).post(TOKEN_PATH).send(passwordGrant(ada)),
      request(app.url).post(`${TOKEN_PATH}.json`).type('form').send(passwordGrant(ada)),
      request(app.url).get(TOKEN_PATH).query(passwordGrant(ada)),
      request(app.url)
        .post(TOKEN_PATH)
        .auth(id ?? '', secret ?? '')
        .send(grant),
      api.logIn({ ...ada, email: ` ${ada.email.toUpperCase()} ` }),
    ]);

    for (const answer of answers) {
      expect([answer.status, answer.headers['content-type']]).toEqual([200, 'application/json']);
      expect(answer.headers['cache-control']).toBe('no-store');
      expect(answer.body).toEqual({
        access_token: expect.stringMatching(TEXT),
        expires_in: 3600,
        token_type: 'bearer',
        scope: null,
        refresh_token: expect.stringMatching(TEXT),
      });
      const { body } = await api.user(tokensIn(answer).access_token).expect(200);
      expect(body).toMatchObject({ id: Number(ada.id), username: ada.email, name: ada.name });
    }
  });

  it('stores only hashes, and logs no password, secret or token', async () => {
    await request(app.url).get(TOKEN_PATH).query(passwordGrant(ada)).expect(200);
    await request(app.url)
      .get(TOKEN_PATH)
      .query({ ...passwordGrant(ada), password: 'wrong horse' });
    const tokens = await api.tokens(ada);
    await request(app.url)
      .get('/wallabag/api/user')
      .query({ access_token: tokens.access_token })
      .expect(200);

    const rows = await app.database.query('SELECT * FROM wallabag_tokens t, consumer_keys');
    const everywhere = app.log() + JSON.stringify(rows);
    const { access_token: access, refresh_token: refresh } = tokens;
    const secrets = [access, refresh, api.client.clientSecret, 'wrong horse'];
    for (const secret of [...secrets, ada.password, encodeURIComponent(ada.password)]) {
      expect(everywhere).not.toContain(secret);
    }
    expect(app.log()).toContain(TOKEN_PATH);
  });

  it.each([
    ['no grant type', {}, 'invalid_request', /grant_type/],
    ['another grant type', { grant_type: 'code' }, 'unsupported_grant_type', /not supported/],
    ['no user', { grant_type: 'client_credentials' }, 'unauthorized_client', /password/],
    ['no password', { grant_type: 'password', username: 'a' }, 'invalid_request', /password/],
    [
      'blank password',
      { grant_type: 'password', username: 'a', password: '' },
      'invalid_request',
      /password/,
    ],
    [
      'a wrong password',
      { grant_type: 'password', username: 'a@example.com', password: 'b' },
      'invalid_grant',
      /^Invalid username and password/,
    ],
    [
      'an object',
      { grant_type: 'password', username: {}, password: 'b' },
      'invalid_request',
      /username/,
    ],
    ['no refresh token', { grant_type: 'refresh_token' }, 'invalid_request', /refresh_token/],
    [
      'an unknown refresh token',
      { grant_type: 'refresh_token', refresh_token: 'x' },
      'invalid_grant',
      /refresh token/i,
    ],
    [
      'a wrong secret',
      { grant_type: 'password', client_secret: 'x' },
      'invalid_client',
      /credentials are invalid/,
    ],
    ['no client', { grant_type: 'password', client_id: null }, 'invalid_client', /was not found/],
  ])('returns 400 for %s', async (_, fields, error, description) => {
    const { status, body, headers } = await api.token(fields);

    expect(status).toBe(400);
    expect(headers['content-type']).toBe('application/json');
    expect(body).toMatchObject({
      code: 400,
      error,
      error_description: expect.stringMatching(description),
    });
    expect(body.message).toBe(body.error_description);
  });

  it('keeps older tokens valid up to a limit, and deletes the oldest ones over it', async () => {
    const first = await api.tokens(ada);
    await app.database.query(
      `INSERT INTO wallabag_tokens (grant_id, access_hash, access_expires_at, refresh_hash, refresh_expires_at)
       SELECT max(t.grant_id), sha256(n::text::bytea), now() + interval '1 hour', sha256(n::text::bytea), now() + interval '1 hour'
       FROM wallabag_tokens t JOIN grants g ON g.id = t.grant_id AND g.user_id = ${ada.id},
         generate_series(${ada.id} * 1000, ${ada.id} * 1000 + 497) n GROUP BY n`,
    );
    const second = await api.tokens(ada);
    await api.user(first.access_token).expect(200);

    const third = await api.tokens(ada);

    await api.user(first.access_token).expect(401);
    await api.user(second.access_token).expect(200);
    await api.user(third.access_token).expect(200);
  });

  it('creates one grant for concurrent first logins', async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, () => api.logIn(ada)));

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    const grants = await app.database.query('SELECT 1 FROM grants WHERE user_id = $1', [ada.id]);
    expect(grants).toHaveLength(1);
  });
});

describe('a refresh token of the wallabag API', () => {
  it('is exchanged for new tokens, and older access tokens stay valid', async () => {
    const first = await api.tokens(ada);

    const second = tokensIn(await api.refresh(first.refresh_token).expect(200));

    expect(second.refresh_token).not.toBe(first.refresh_token);
    await api.user(first.access_token).expect(200);
    await api.user(second.access_token).expect(200);
    await api.refresh(second.refresh_token).expect(200);
  });

  it('can be exchanged by two concurrent calls, but not by a third one', async () => {
    const { refresh_token: token } = await api.tokens(ada);

    const answers = await Promise.all([api.refresh(token), api.refresh(token), api.refresh(token)]);

    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 400]);
    const given = answers.filter(({ status }) => status === 200).map(tokensIn);
    for (const { access_token: accessToken } of given) {
      await api.user(accessToken).expect(200);
    }
  });

  it('is rejected a minute after its first use', async () => {
    const { refresh_token: token } = await api.tokens(ada);
    await api.refresh(token).expect(200);
    await app.database.query(
      `UPDATE wallabag_tokens SET refreshed_at = now() - interval '61 seconds'`,
    );

    const { body } = await api.refresh(token).expect(400);

    expect(body).toMatchObject({
      error: 'invalid_grant',
      error_description: 'Invalid refresh token',
    });
  });

  it('expires, and is valid only for its client', async () => {
    const { refresh_token: token } = await api.tokens(ada);
    const other = await WallabagApi.of(app);
    expect((await other.refresh(token).expect(400)).body.error).toBe('invalid_grant');
    await api.refresh(token).expect(200);
    await app.database.query('UPDATE wallabag_tokens SET refresh_expires_at = now()');

    const { body } = await api.refresh(token).expect(400);

    expect(body.error_description).toBe('Refresh token has expired');
  });
});
