import { connect } from 'node:net';

import { Controller, Post } from '@nestjs/common';

import { Public } from '../../src/platform/http/public.js';
import { AccountApi, type RawRequest, sendRaw } from '../support/account-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

const SECRET_DETAIL = 'SELECT secret FROM /etc/passwd';

@Public()
@Controller('broken')
class BrokenController {
  @Post('error')
  error(): never {
    throw new Error(SECRET_DETAIL);
  }

  @Post('text')
  text(): never {
    // eslint-disable-next-line @typescript-eslint/only-throw-error -- that is the case under test
    throw SECRET_DETAIL;
  }

  @Post('status')
  status(): never {
    throw Object.assign(new Error(SECRET_DETAIL), { status: 503 });
  }
}

const OF_ALL = {
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'content-security-policy': `default-src 'none';frame-ancestors 'none'`,
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'x-frame-options': 'DENY',
};
const JSON_TYPE = { 'Content-Type': 'application/json' };

describe('the HTTP response', () => {
  let app: TestApp;
  let api: AccountApi;

  const send = (request: RawRequest) => sendRaw(app, request);

  beforeAll(async () => {
    app = await aTestApp({ controllers: [BrokenController] });
    api = new AccountApi(app);
  });
  afterAll(() => app.close());

  const ANSWERS: [number, RawRequest][] = [
    [400, { path: '/register', headers: JSON_TYPE, body: '{}' }],
    [400, { path: '/register', headers: JSON_TYPE, body: '{' }],
    [401, { path: '/login' }],
    [404, { path: '/nothing' }],
    [404, { path: '/login', method: 'GET' }],
    [405, { path: '/login', method: 'PUT' }],
    [413, { path: '/login', headers: JSON_TYPE, body: `"${'x'.repeat(5000)}"` }],
    [415, { path: '/login', headers: { 'Content-Type': 'text/plain' }, body: 'x' }],
    [500, { path: '/broken/error' }],
  ];

  it.each(ANSWERS)('with status %i has the common headers', async (status, request) => {
    const response = await send(request);

    expect(response.status).toBe(status);
    expect(response.headers).toMatchObject(OF_ALL);
  });

  it('with status 200 has the common headers', async () => {
    const person = await api.registered();

    const response = await api.login(person).expect(200);

    expect(response.headers).toMatchObject(OF_ALL);
  });

  it.each(ANSWERS)('with status %i does not reveal the server software', async (_, request) => {
    const { headers } = await send(request);

    const telling = ['x-powered-by', 'server', 'etag', 'via', 'access-control-allow-origin'];
    expect(telling.filter((name) => name in headers)).toEqual([]);
    expect(headers['strict-transport-security']).toBeUndefined();
  });

  it.each(ANSWERS)('with status %i has the common error format', async (status, request) => {
    const { text } = await send(request);

    expect(JSON.parse(text)).toEqual({
      statusCode: status,
      error: expect.stringMatching(/^[A-Z][A-Za-z ]+$/),
      message: expect.anything(),
      code: expect.stringMatching(/^[a-z_]+$/),
    });
  });

  it('has a new request id, even if the client sends one', async () => {
    const headers = { 'X-Request-Id': 'mine' };
    const ids = [
      (await send({ path: '/login', headers })).headers['x-request-id'],
      (await send({ path: '/login', headers })).headers['x-request-id'],
    ];

    expect(ids[0]).toMatch(/^[0-9a-f-]{36}$/);
    expect(ids[1]).not.toBe(ids[0]);
  });

  describe('for an internal error', () => {
    it.each(['error', 'text', 'status'])('hides the details of a thrown %s', async (kind) => {
      const response = await send({ path: `/broken/${kind}` });

      expect(JSON.parse(response.text)).toEqual({
        statusCode: 500,
        error: 'Internal Server Error',
        message: 'The service failed; the log has the details under this request id.',
        code: 'internal_error',
      });
    });

    it('has its details in the log with the same request id', async () => {
      const { headers } = await send({ path: '/broken/error' });

      const lines = app.log().split('\n');
      const ofRequest = lines.filter((line) => line.includes(String(headers['x-request-id'])));
      expect(ofRequest.join('\n')).toContain(SECRET_DETAIL);
    });
  });

  it.each([
    ['a path that does not exist', '/nothing'],
    ['the root', '/'],
    ['another case', '/Login'],
    ['upper case', '/LOGIN'],
    ['a double slash', '//login'],
    ['a double slash at the end', '/login//'],
    ['a dot segment', '/./login'],
    ['a dot segment that leads out', '/x/../login'],
    ['an escaped dot segment', '/%2e/login'],
    ['an escaped letter', '/%6cogin'],
    ['an escaped slash', '/%2flogin'],
    ['an escaped NUL', '/login%00'],
    ['a matrix parameter', '/login;v=1'],
    ['a broken escape', '/%E0%A4%A'],
    ['a path below', '/login/x'],
    ['an extension', '/login.json'],
    ['a backslash', '/\\login'],
    ['a path traversal', '/../../etc/passwd'],
  ])('is a JSON 404 for %s', async (_, path) => {
    const response = await send({ path, headers: JSON_TYPE, body: '{}' });

    expect(response.status).toBe(404);
    expect(JSON.parse(response.text).code).toBe('not_found');
  });

  it.each(['/register', '/login', '/refresh', '/logout'])(
    'has the same status for POST %s/ as without the slash',
    async (path) => {
      const { cookie } = await api.signedIn();
      const headers = { ...JSON_TYPE, Cookie: cookie };

      const response = await send({ path: `${path}/`, headers, body: '{}' });

      const expected = { '/login': 200, '/logout': 204 }[path] ?? 400;
      expect(response.status).toBe(expected);
    },
  );

  it('sets a session cookie for a login at /login/', async () => {
    const person = await api.registered();

    const response = await api.post('/login/', { email: person.email, password: person.password });

    expect(response.status).toBe(200);
    expect(response.headers['set-cookie']).toHaveLength(1);
  });

  it.each([
    ...['PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'LINK', 'SEARCH', 'PURGE'],
  ])('is 405 for the method %s and lists the allowed methods', async (method) => {
    const response = await send({ method, path: '/login' });

    expect(response.status).toBe(405);
    expect(JSON.parse(response.text).code).toBe('method_not_allowed');
    expect(response.headers.allow).toBe('GET, HEAD, POST');
  });

  it('ignores headers and parameters that override the method', async () => {
    const headers = { 'X-HTTP-Method-Override': 'POST', 'X-HTTP-Method': 'POST' };

    const response = await send({ method: 'GET', path: '/logout?_method=POST', headers });

    expect(response.status).toBe(404);
  });

  it('does not contain a forged host', async () => {
    const headers = { Host: 'evil.example', 'X-Forwarded-Host': 'evil.example' };

    const response = await send({ path: '/nothing', headers });

    expect(JSON.stringify(response)).not.toContain('evil');
  });

  it('uses the path of a request target in absolute form', async () => {
    const person = await api.registered();

    const response = await send({
      path: 'http://evil.example/login',
      headers: JSON_TYPE,
      body: JSON.stringify(person),
    });

    expect(response.status).toBe(200);
  });

  it.each(['foo://a', 'http://evil.example', 'foo://a?b=c', 'foo://a/nothing'])(
    'has the common headers for a request target in absolute form: %s',
    async (path) => {
      const { headers, text } = await send({ path });

      expect(headers).toMatchObject(OF_ALL);
      expect(headers).toHaveProperty('x-request-id');
      expect(text).not.toContain('Cannot ');
    },
  );

  it.each([
    ['headers of 20 KB', { path: '/login', headers: { 'X-Long': 'x'.repeat(20_000) } }],
    ['a target of 100 KB', { path: `/login?${'x'.repeat(100_000)}` }],
  ])('is 431 for %s', async (_, request) => {
    const { status, headers, text } = await send(request);

    expect([status, JSON.parse(text).code]).toEqual([431, 'headers_too_large']);
    expect(headers).toMatchObject(OF_ALL);
    expect(headers).toMatchObject({ 'x-source': 'Pocket', 'x-error-code': '130' });
  });

  it.each([
    ['no HTTP', 'EHLO localhost\r\n\r\n'],
    ['an unknown method', 'BREW /login HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['no host', 'POST /login HTTP/1.1\r\nContent-Length: 0\r\n\r\n'],
    ['two hosts', 'POST /login HTTP/1.1\r\nHost: x\r\nHost: y\r\nContent-Length: 0\r\n\r\n'],
    [
      'two lengths',
      'POST /login HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n{',
    ],
    [
      'a length and chunks',
      'POST /login HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['a line break in a header', 'POST /login HTTP/1.1\r\nHost: x\r\nA: b\rC: d\r\n\r\n'],
    ['a space before the colon', 'POST /login HTTP/1.1\r\nHost: x\r\nContent-Length : 0\r\n\r\n'],
  ])('is 400 and closes the connection for %s', async (_, text) => {
    const [head = '', body = ''] = (await answerTo(text)).split('\r\n\r\n');

    expect(head).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(JSON.parse(body)).toMatchObject({ statusCode: 400, code: 'bad_request' });
  });

  /** Sends text on a connection. Returns everything received until the service closes it. */
  function answerTo(text: string): Promise<string> {
    return new Promise((resolve, reject) => {
      const chunks: Buffer[] = [];
      const socket = connect(Number(new URL(app.url).port), '127.0.0.1', () => socket.write(text));
      socket.on('data', (chunk) => chunks.push(chunk));
      socket.on('end', () => socket.end());
      socket.on('close', () => {
        resolve(Buffer.concat(chunks).toString());
      });
      socket.on('error', reject);
    });
  }
});
