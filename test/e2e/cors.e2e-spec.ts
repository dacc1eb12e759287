import { Controller, Post } from '@nestjs/common';

import { Permission } from '../../src/auth/consumers/permission.js';
import { ServiceBusyError } from '../../src/platform/common/common.errors.js';
import { Public } from '../../src/platform/http/public.js';
import { AccountApi, type RawRequest, sendRaw } from '../support/account-api.js';
import { ReadingListApi } from '../support/reading-list-api.js';
import { aTestApp, NO_LIMITS, type TestApp } from '../support/test-app.js';

@Public()
@Controller('v3/busy')
class BusyController {
  @Post()
  busy(): never {
    throw new ServiceBusyError();
  }
}

const READER = 'https://reader.example';
const JSON_TYPE = { 'Content-Type': 'application/json' };
const CALLED = [
  ...['/v3/get', '/v3/add', '/v3/oauth/request', '/v3/import', '/v1/send', '/v3beta/text'],
  ...['/api/kobo/get', '/register', '/login', '/refresh', '/logout', '/login/'],
];
const PAGES = [
  ...['/', '/list', '/account', '/admin', '/auth/login', '/save', '/pages/list.js', '/docs'],
  ...['/openapi.json', '/health', '/ready', '/service-worker.js', '/register/x', '/v3', '/loginx'],
];

let app: TestApp;

beforeAll(async () => {
  app = await aTestApp({ controllers: [BusyController] });
});
afterAll(() => app.close());

const corsOf = (headers: Record<string, unknown>): string[] =>
  Object.keys(headers).filter((name) => name.startsWith('access-control'));

const preflight = (path: string, origin = READER, at = app) =>
  sendRaw(at, {
    ...{ method: 'OPTIONS', path },
    headers: {
      ...{ Origin: origin, 'Access-Control-Request-Method': 'POST' },
      'Access-Control-Request-Headers': 'content-type,authorization',
    },
  });

const from = (origin: string, request: RawRequest, at = app) =>
  sendRaw(at, { ...request, headers: { ...request.headers, Origin: origin } });

describe('a script from another origin', () => {
  it.each(CALLED)('may call %s', async (path) => {
    const { status, headers, text } = await preflight(path);

    expect([status, text]).toEqual([204, '']);
    expect(headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET,POST',
      'access-control-allow-headers': 'content-type,authorization',
      'access-control-max-age': '7200',
      vary: expect.stringContaining('Origin'),
    });
    expect(headers).not.toHaveProperty('access-control-allow-credentials');
  });

  it.each(PAGES)('may not read %s', async (path) => {
    const asked = await preflight(path);
    const answer = await from(READER, { method: 'GET', path });

    expect([asked.status, corsOf(asked.headers)]).toEqual([405, []]);
    expect(corsOf(answer.headers)).toEqual([]);
  });

  it('can read responses and the headers for limits and errors', async () => {
    const api = await ReadingListApi.of(app);

    const { headers } = await api.get().set('Origin', READER).expect(200);

    expect(headers['access-control-allow-origin']).toBe('*');
    const exposed = String(headers['access-control-expose-headers']).toLowerCase().split(',');
    const limits = Object.keys(headers).filter((name) => name.startsWith('x-limit-'));
    expect(limits).toHaveLength(6);
    expect(exposed).toEqual(
      expect.arrayContaining([...limits, 'x-error', 'x-error-code', 'retry-after']),
    );
  });

  it.each<[number, RawRequest]>([
    [400, { path: '/v3/get', headers: JSON_TYPE, body: '{' }],
    [400, { path: '/register', headers: JSON_TYPE, body: '{}' }],
    [401, { path: '/login' }],
    [404, { path: '/v3/nothing' }],
    [405, { path: '/v3/get', method: 'DELETE' }],
    [413, { path: '/login', headers: JSON_TYPE, body: `"${'x'.repeat(5000)}"` }],
    [415, { path: '/login', headers: { 'Content-Type': 'text/plain' }, body: 'x' }],
    [503, { path: '/v3/busy' }],
  ])('can read errors with status %i', async (status, request) => {
    const response = await from(READER, request);

    expect(response.status).toBe(status);
    expect(response.headers['access-control-allow-origin']).toBe('*');
    expect(response.headers.vary).toContain('Origin');
  });

  it('can read the error for a missing permission', async () => {
    const api = await ReadingListApi.of(app, { permissions: [Permission.Retrieve] });

    const refused = await api.post('/v3/add', { url: 'a.example' }).set('Origin', READER);

    expect(refused.status).toBe(403);
    expect(refused.headers['access-control-allow-origin']).toBe('*');
  });

  it('is not logged in by a session cookie, even from another port of the same host', async () => {
    const api = new AccountApi(app);
    const { cookie, refreshToken } = await api.signedIn();

    for (const origin of [READER, 'http://127.0.0.1:1', 'null']) {
      const answer = await from(origin, { path: '/login', headers: { Cookie: cookie } });
      expect([origin, answer.status]).toEqual([origin, 401]);
      expect(answer.headers).not.toHaveProperty('access-control-allow-credentials');
      const out = await from(origin, { path: '/logout', headers: { Cookie: cookie } });
      expect([origin, out.status]).toEqual([origin, 401]);
    }
    await api.refresh(refreshToken).expect(200);
  });
});

describe('a request that is not a CORS request', () => {
  it('gets no CORS headers, but Vary contains Origin', async () => {
    const { headers } = await sendRaw(app, { path: '/login' });

    expect(corsOf(headers)).toEqual([]);
    expect(headers.vary).toContain('Origin');
  });

  it.each([{ Origin: READER }, { 'Access-Control-Request-Method': 'POST' }, {}])(
    'gets status 405 for OPTIONS with %j',
    async (headers) => {
      const { status, headers: answered } = await sendRaw(app, {
        ...{ method: 'OPTIONS', path: '/v3/get', headers },
      });

      expect([status, answered.allow]).toEqual([405, 'GET, POST']);
    },
  );
});

/** Starts more instances on the database. The last one handles logins for all, because passport is process-wide. */
describe('CORS_ORIGINS', () => {
  const limitedTo = (...corsOrigins: string[]): Promise<TestApp> =>
    aTestApp({ beside: { ...app, config: { ...app.config, corsOrigins } } });

  it('allows only the listed origins', async () => {
    const narrow = await limitedTo(READER, 'http://localhost:8080');
    const origins = ['http://localhost:8080', 'https://evil.example', `${READER}.evil.example`];
    const answers = [];
    for (const origin of origins) {
      const asked = await preflight('/v3/get', origin, narrow);
      const answer = await from(origin, { path: '/v3/get' }, narrow);
      answers.push([asked, answer].map((one) => one.headers['access-control-allow-origin']));
      expect(answer.headers.vary).toContain('Origin');
    }
    await narrow.close();

    expect(answers).toEqual([
      ['http://localhost:8080', 'http://localhost:8080'],
      [undefined, undefined],
      [undefined, undefined],
    ]);
  });

  it('allows no origin if it is empty', async () => {
    const closed = await limitedTo();
    const asked = await preflight('/v3/get', READER, closed);
    const answer = await from(READER, { path: '/login' }, closed);
    await closed.close();

    expect([asked.status, corsOf(asked.headers), corsOf(answer.headers)]).toEqual([405, [], []]);
  });
});

describe('a script from another origin over the login limit', () => {
  it('can read status 429 and Retry-After', async () => {
    const limits = { ...NO_LIMITS, loginPerAddress: 1 };
    const strict = await aTestApp({ beside: { ...app, config: { ...app.config, limits } } });
    await from(READER, { path: '/login' }, strict);
    const refused = await from(READER, { path: '/login' }, strict);
    await strict.close();

    expect(refused.status).toBe(429);
    expect(refused.headers['access-control-allow-origin']).toBe('*');
    expect(refused.headers['access-control-expose-headers']).toContain('Retry-After');
    expect(refused.headers).toHaveProperty('retry-after');
  });
});
