import request, { type Test } from 'supertest';

import { sendRaw } from '../support/account-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';
import { aWallabagUser, TOKEN_PATH, WallabagApi } from '../support/wallabag-api.js';

const ORIGIN = 'https://app.example.org';

let app: TestApp;
let token: string;
let user: { id: string; email: string };

beforeAll(async () => {
  app = await aTestApp();
  const made = await aWallabagUser(app);
  token = made.access_token;
  user = made.user;
});
afterAll(() => app.close());

const call = (method: 'get' | 'post' | 'put' | 'patch' | 'delete', path: string): Test =>
  request(app.url)[method](`/wallabag${path}`).set('Authorization', `Bearer ${token}`);

describe('information calls of the wallabag API', () => {
  it.each(['/api/version', '/api/version.json', '/api/version.json?x=1', '/api/version/'])(
    'return the version at %s without a token',
    async (path) => {
      const { text, headers } = await request(app.url).get(`/wallabag${path}`).expect(200);

      expect(text).toBe('"2.6.14"');
      expect(headers['content-type']).toBe('application/json');
      expect(headers['cache-control']).toBe('private, no-cache');
    },
  );

  it('return the application, the user and the settings', async () => {
    const info = await request(app.url).get('/wallabag/api/info').expect(200);
    const about = await call('get', '/api/user').expect(200);
    const config = await call('get', '/api/config.json').expect(200);

    expect(info.body).toEqual({
      appname: 'wallabag',
      version: '2.6.14',
      allowed_registration: false,
    });
    const date = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+0000$/);
    expect(about.body).toEqual({
      ...{ id: Number(user.id), username: user.email, email: user.email, name: 'Ada' },
      ...{ created_at: date, updated_at: date },
    });
    expect(config.body).toEqual({
      ...{ id: Number(user.id), items_per_page: 30, language: 'en', feed_limit: 50 },
      ...{ reading_speed: 200, action_mark_as_read: 1, list_mode: 0, display_thumbnails: true },
    });
  });

  it('return 403 for a registration', async () => {
    const { body } = await request(app.url).put('/wallabag/api/user.json').send({}).expect(403);

    expect(body).toMatchObject({ code: 403, error: 'forbidden' });
  });
});

describe('request bodies of the wallabag API', () => {
  it.each(['{}', ''])('can be %j with a JSON type on a GET', async (sent) => {
    const { status } = await sendRaw(app, {
      method: 'GET',
      path: '/wallabag/api/user',
      headers: ['Content-Type', 'application/json', 'Authorization', `Bearer ${token}`],
      body: sent,
    });

    expect(status).toBe(200);
  });

  it('can be JSON, a form or multipart, or be replaced by the query', async () => {
    const calls = [
      request(app.url).get('/wallabag/api/user').query({ access_token: token }),
      request(app.url).get('/wallabag/api/user').send({ access_token: token }),
      request(app.url).get('/wallabag/api/user').type('form').send({ access_token: token }),
      request(app.url).get('/wallabag/api/user').field('access_token', token),
      request(app.url)
        .get('/wallabag/api/user')
        .set('Content-Type', 'application/json; charset=utf-8')
        .send(JSON.stringify({ access_token: token })),
    ];

    expect((await Promise.all(calls)).map(({ status }) => status)).toEqual([
      200, 200, 200, 200, 200,
    ]);
  });

  it.each([
    ['is no JSON', '{', 400, /not valid JSON/],
    ['is no object', '[1]', 400, /one JSON object/],
    ['is too large', JSON.stringify({ x: 'x'.repeat(70_000) }), 413, /too large/],
    ['has U+0000', '{"x":"\\u0000"}', 400, /U\+0000/],
  ])('return a JSON error if one %s', async (_, sent, status, description) => {
    const { body, headers } = await request(app.url)
      .post(TOKEN_PATH)
      .set('Content-Type', 'application/json')
      .send(sent)
      .expect(status);

    expect(headers['content-type']).toBe('application/json');
    expect(body).toMatchObject({
      code: status,
      error_description: expect.stringMatching(description),
    });
  });

  it('can have 5 MB only if the call accepts a page', async () => {
    const text = JSON.stringify({ content: 'x'.repeat(5_000_000) });
    const send = (path: string): Test =>
      call('post', path).set('Content-Type', 'application/json').send(text);

    const [entries, tags] = [await send('/api/entries.json'), await send('/api/tags.json')];

    expect(entries.status).not.toBe(413);
    expect(tags.status).toBe(413);
  });
});

describe('error responses of the wallabag API', () => {
  it.each(['/api/nothing.json', '/api', '/oauth/v2/auth', '/nothing', '/api/version/1'])(
    'are JSON for the unknown path %s',
    async (path) => {
      const { body, headers } = await call('get', path).expect(404);

      expect(headers['content-type']).toBe('application/json');
      expect(body).toEqual({
        ...{ code: 404, message: 'Not Found' },
        ...{ error: 'not_found', error_description: 'Not Found' },
      });
    },
  );

  it('are JSON for unsupported methods, and other routes support fewer methods', async () => {
    const trace = await sendRaw(app, { method: 'TRACE', path: '/wallabag/api/version' });
    const page = await request(app.url).delete('/wallabag/login').expect(405);
    const elsewhere = await request(app.url).patch('/v3/get').expect(405);

    expect(trace.status).toBe(405);
    expect(JSON.parse(trace.text)).toMatchObject({ code: 405, error: 'method_not_allowed' });
    expect(trace.headers.allow).toBe('OPTIONS, GET, HEAD, POST, PUT, PATCH, DELETE');
    expect(page.body).toMatchObject({ code: 405 });
    expect(elsewhere.headers['allow']).toBe('GET, POST');
    for (const method of ['put', 'patch', 'delete'] as const) {
      await request(app.url)[method]('/list').expect(405);
      await request(app.url)[method]('/wallabagger/api/version').expect(405);
    }
  });

  it('are JSON if the database fails', async () => {
    await app.database.query('ALTER TABLE wallabag_tokens RENAME TO gone');
    const { body, headers } = await call('get', '/api/user').expect(500);
    await app.database.query('ALTER TABLE gone RENAME TO wallabag_tokens');

    expect(headers['content-type']).toBe('application/json');
    expect(body).toMatchObject({ code: 500, message: 'Internal Server Error' });
    await call('get', '/api/user').expect(200);
  });

  it('do not occur for HEAD, which returns 200', async () => {
    const { status, headers } = await request(app.url).head('/wallabag/api/version.json');

    expect([status, headers['content-type']]).toEqual([200, 'application/json']);
  });
});

describe('wallabag API calls from other origins', () => {
  it('are allowed with the methods and headers of clients, and without cookies', async () => {
    for (const path of ['/api/entries/5.json', '/oauth/v2/token']) {
      const { status, headers } = await request(app.url)
        .options(`/wallabag${path}`)
        .set('Origin', ORIGIN)
        .set('Access-Control-Request-Method', 'PATCH')
        .set('Access-Control-Request-Headers', 'authorization,content-type');

      expect(status).toBe(204);
      expect(headers).toMatchObject({
        'access-control-allow-origin': '*',
        'access-control-allow-methods': 'OPTIONS,GET,HEAD,POST,PUT,PATCH,DELETE',
        'access-control-allow-headers': 'authorization,content-type',
      });
      expect(headers).not.toHaveProperty('access-control-allow-credentials');
    }
    const answer = await call('get', '/api/user').set('Origin', ORIGIN).expect(200);
    expect(answer.headers['access-control-allow-origin']).toBe('*');
  });

  it('are limited to CORS_ORIGINS, and are never allowed for pages', async () => {
    const narrow = await aTestApp({ config: { corsOrigins: [ORIGIN] } });
    const from = (origin: string, path: string): Test =>
      request(narrow.url).get(path).set('Origin', origin);

    const allowed = await from(ORIGIN, '/wallabag/api/version');
    const other = await from('https://evil.example', '/wallabag/api/version');
    const page = await from(ORIGIN, '/wallabag/login');
    await narrow.close();

    expect(allowed.headers['access-control-allow-origin']).toBe(ORIGIN);
    expect(['*', 'https://evil.example']).not.toContain(
      other.headers['access-control-allow-origin'],
    );
    expect(page.headers).not.toHaveProperty('access-control-allow-origin');
  });

  it('receive the allowed methods from OPTIONS without an origin', async () => {
    const { status, headers } = await request(app.url).options('/wallabag/api/entries');

    expect([status, headers['allow']]).toEqual([
      204,
      'OPTIONS, GET, HEAD, POST, PUT, PATCH, DELETE',
    ]);
  });
});

describe('a service under a sub-path', () => {
  it('serves the wallabag API and the pages there', async () => {
    const below = await aTestApp({ config: { publicUrl: new URL('https://example.org/reader') } });
    const api = await WallabagApi.of(below);

    const version = await request(below.url).get('/reader/wallabag/api/version.json').expect(200);
    const home = await request(below.url).get('/reader/wallabag/').expect(302);
    const missing = await request(below.url).get('/reader/wallabag/api/user.json').expect(401);
    const login = await request(below.url).get('/reader/wallabag/login').expect(200);
    await below.close();

    expect(version.text).toBe('"2.6.14"');
    expect(home.headers['location']).toBe('/reader/wallabag/login');
    expect(missing.body.error).toBe('access_denied');
    expect(login.text).toContain(
      '<form action="/reader/wallabag/login_check" method="post" name="loginform">',
    );
    expect(api.client.clientId).toMatch(/^\d+-/);
  });
});
