import { readFileSync } from 'node:fs';

import type { OpenAPIObject, ResponseObject } from 'openapi3-ts/oas31';
import request, { type Response } from 'supertest';

import { Dialect } from '../../src/auth/consumers/entities/consumer-key.entity.js';
import type { Permission } from '../../src/auth/consumers/permission.js';
import { bearer } from '../support/account-api.js';
import { ApiDescription, type DocumentedCall } from '../support/api-document.js';
import { bodyOf, DocumentedWorld, steady } from '../support/documented-world.js';
import { aTestApp, type TestApp } from '../support/test-app.js';
import { aDatabase } from '../support/test-database.js';

const document = JSON.parse(readFileSync('docs/openapi.json', 'utf8')) as OpenAPIObject;
const description = new ApiDescription(document);

/** General HTTP headers, which no API document describes. */
const OF_HTTP = [
  ...['accept-ranges', 'connection', 'content-length', 'content-type', 'date', 'etag'],
  ...['content-encoding', 'keep-alive', 'transfer-encoding', 'vary'],
];

const CALLS = description
  .calls()
  .map((call): [string, DocumentedCall] => [`${call.path} ${call.example}`, call]);
const V3_CALLS = CALLS.filter(([, { path }]) => /^\/(?:v[13]|v3beta|api)\//.test(path));

/** Validates an answer against the operation's documentation. Returns the name of the documented answer. */
function expectDocumented(response: Response, method: 'get' | 'post', path: string): string {
  const name = description.answerName(path, method, response.status) ?? '';
  const answer = document.components?.responses?.[name] as ResponseObject | undefined;
  expect({ status: response.status, isDocumented: answer !== undefined }).toEqual({
    status: response.status,
    isDocumented: true,
  });
  if (answer?.content !== undefined) {
    const place = ['responses', name, 'content', response.type, 'schema'];
    expect(Object.keys(answer.content)).toContain(response.type);
    expect(description.faults(place, bodyOf(response))).toEqual([]);
  } else {
    expect(response.text).toBe('');
  }
  expectHeaders(response, name, answer?.headers ?? {});
  return name;
}

function expectHeaders({ headers }: Response, name: string, described: object): void {
  const ofAll = document.info.description?.toLowerCase() ?? '';
  const names = Object.keys(described).map((header) => header.toLowerCase());
  const silent = Object.keys(headers).filter(
    (header) =>
      !names.includes(header) && !OF_HTTP.includes(header) && !ofAll.includes(`\`${header}\``),
  );
  expect(silent).toEqual([]);
  for (const [header, thing] of Object.entries(described as Record<string, { $ref?: string }>)) {
    const value: unknown = (headers as Record<string, unknown>)[header.toLowerCase()];
    const component = thing.$ref?.split('/').at(-1);
    expect({ [header]: typeof value }).not.toEqual({ [header]: 'undefined' });
    if (component !== undefined) {
      expect(description.faults(['headers', component, 'schema'], value)).toEqual([]);
    }
  }
  expect(name).not.toBe('');
}

/** Returns the documented body of a call. */
const shown = (answer: string, example: string): unknown =>
  (
    document.components?.responses?.[answer] as {
      content: Record<string, { examples?: Record<string, { value: unknown }> }>;
    }
  ).content['application/json']?.examples?.[example]?.value;

describe('calls in the API document', () => {
  let app: TestApp;
  let world: DocumentedWorld;

  beforeAll(async () => {
    app = await aTestApp();
    world = await DocumentedWorld.with(app);
  });
  afterAll(() => app.close());

  it.each(CALLS)('%s returns the documented response', async (_, call) => {
    const { path, example, body, status } = call;
    await world.prepareFor(call);
    const response = await world.send(path, body);

    const answer = expectDocumented(response, 'post', path);
    expect(response.status).toBe(status);
    if (status < 400) {
      expect(steady(response.body)).toEqual(steady(shown(answer, example)));
    }
  });

  describe.each([
    ['a form', 'sendForm', 'post'],
    ['fields', 'sendMultipart', 'post'],
    ['GET', 'sendQuery', 'get'],
  ] as const)('sent as %s', (_, send, method) => {
    it.each(V3_CALLS)('%s returns a documented response', async (_name, call) => {
      await world.prepareFor(call);
      const response = await world[send](call.path, call.body);

      expectDocumented(response, method, call.path);
      expect(response.status).toBe(call.status);
    });
  });

  it.each(['/health', '/ready', '/openapi.json', '/docs'])('GET %s is documented', async (path) => {
    const response = await request(app.url).get(path);

    const answer = expectDocumented(response, 'get', path);
    expect(response.status).toBe(200);
    if (path === '/ready') {
      expect(response.body).toEqual(shown(answer, 'ready'));
    }
    if (path === '/health') {
      // The example shows one kind of background work. The service has more.
      const work = { status: 'up', last_success_at: expect.any(String) };
      expect(shown(answer, 'health')).toMatchObject({ details: { ImportWorkers: work } });
      expect(response.body).toMatchObject({ status: 'ok', error: {} });
      expect(response.body.details).toHaveProperty('ImportWorkers.last_success_at');
    }
  });

  it('GET /docs/{asset} is documented for each asset, and returns 404 for other names', async () => {
    const parameter = document.paths?.['/docs/{asset}']?.get?.parameters?.[0] as {
      schema: { enum: string[] };
    };

    for (const name of [...parameter.schema.enum, 'package.json']) {
      const response = await request(app.url).get(`/docs/${name}`);

      expectDocumented(response, 'get', '/docs/{asset}');
      expect(response.status).toBe(name === 'package.json' ? 404 : 200);
    }
  });

  it('login and logout return documented responses to cookies and bearer tokens', async () => {
    await world.begin();
    const { cookie, accessToken } = world.person;
    const proofs = [{ Cookie: cookie }, bearer(accessToken)];

    for (const path of ['/login', '/logout']) {
      for (const proof of proofs) {
        const response = await request(app.url).post(path).set(proof);

        expectDocumented(response, 'post', path);
        expect(response.status).toBeLessThan(path === '/login' ? 201 : 402);
      }
    }
  });
});

describe('calls in the API document in the classic dialect', () => {
  let app: TestApp;
  let world: DocumentedWorld;

  beforeAll(async () => {
    app = await aTestApp();
    world = await DocumentedWorld.with(app, { dialect: Dialect.Classic });
  });
  afterAll(() => app.close());

  it.each(V3_CALLS)('%s returns a documented response', async (_, call) => {
    const { path, body, status } = call;
    await world.prepareFor(call);
    const response = await world.send(path, body);

    expectDocumented(response, 'post', path);
    expect(response.status).toBe(status);
  });
});

describe('errors in the API document', () => {
  let app: TestApp;
  let world: DocumentedWorld;

  beforeAll(async () => {
    app = await aTestApp();
    world = await DocumentedWorld.with(app);
    await world.begin();
  });
  afterAll(() => app.close());

  const V3_PATHS = [
    ...['/v3/get', '/v3/add', '/v3/send', '/v1/get', '/v1/add', '/v3/modify'],
    ...['/v3/text', '/v3beta/text', '/api/kobo/get', '/api/kobo/send', '/api/kobo/download'],
    ...['/v3/stats', '/v3/fetch', '/v3/suggested_tags', '/v3/export'],
  ];

  it.each(V3_PATHS)('match %s, which needs a consumer key and an access token', async (path) => {
    const mute = await DocumentedWorld.with(app, { permissions: [] as Permission[] });
    const tooMany = 'x'.repeat(9 * 1024 * 1024);
    const refused: [number, Response][] = [
      [400, await request(app.url).post(path).type('json').send('{')],
      [400, await world.post(path, { consumer_key: null })],
      [401, await world.post(path, { consumer_key: '1-000000000000000000000000' })],
      [401, await world.post(path, { access_token: 'none' })],
      [403, await mute.post(path, { access_token: world.person.accessToken })],
      [413, await world.post(path, { url: tooMany })],
      [415, await request(app.url).post(path).type('image/png').send('x')],
    ];

    for (const [status, response] of refused) {
      expectDocumented(response, 'post', path);
      expect(response.status).toBe(status);
    }
  });

  it.each(['/v3/guid', '/v3/send_guid'])('match %s, which needs a consumer key', async (path) => {
    const refused: [number, Response][] = [
      [400, await request(app.url).post(path).type('json').send('{')],
      [400, await world.post(path, { consumer_key: null })],
      [401, await world.post(path, { consumer_key: '1-000000000000000000000000' })],
      [413, await world.post(path, { url: 'x'.repeat(2 * 1024 * 1024) })],
      [415, await request(app.url).post(path).type('image/png').send('x')],
    ];

    for (const [status, response] of refused) {
      expectDocumented(response, 'post', path);
      expect(response.status).toBe(status);
    }
  });

  it.each(['/register', '/login', '/refresh', '/logout'])('match those of %s', async (path) => {
    const refused: [number, Response][] = [
      [400, await request(app.url).post(path).type('json').send('{')],
      [
        413,
        await request(app.url)
          .post(path)
          .send({ name: 'x'.repeat(5000) }),
      ],
      [415, await request(app.url).post(path).type('text/plain').send('x')],
    ];

    for (const [status, response] of refused) {
      expectDocumented(response, 'post', path);
      expect(response.status).toBe(status);
    }
  });

  it('match the responses to a taken email address and to a logout without credentials', async () => {
    const { name, email, password } = world.person;

    const taken = await request(app.url).post('/register').send({ name, email, password });
    const unproven = await request(app.url).post('/logout');

    expectDocumented(taken, 'post', '/register');
    expectDocumented(unproven, 'post', '/logout');
    expect([taken.status, unproven.status]).toEqual([409, 401]);
  });

  it('match the response when a rate limit is exceeded', async () => {
    const limits = { ...app.config.limits, refreshPerAddress: 1 };
    const strict = await aTestApp({ config: { limits } });
    const refresh = () => request(strict.url).post('/refresh').send({ refresh_token: 'x' });

    await refresh();
    const response = await refresh();

    await strict.close();
    expectDocumented(response, 'post', '/refresh');
    expect(response.status).toBe(429);
  });

  it('match the responses while the database is unavailable', async () => {
    const lonely = await aTestApp();
    const outside = await aDatabase({ isEmpty: true });
    const name = new URL(lonely.database.url).pathname.slice(1);
    await outside.query(`ALTER DATABASE ${name} WITH ALLOW_CONNECTIONS false`);
    await outside.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`,
    );

    const ready = await request(lonely.url).get('/ready');
    const refresh = await request(lonely.url)
      .post('/refresh')
      .send({ refresh_token: 'r'.repeat(43) });
    const key = { consumer_key: '1-000000000000000000000000' };
    const list = await request(lonely.url).post('/v3/get').send(key);
    const code = await request(lonely.url).post('/v3/oauth/request').send(key);

    await lonely.close();
    await outside.drop();
    expectDocumented(ready, 'get', '/ready');
    expectDocumented(refresh, 'post', '/refresh');
    expectDocumented(list, 'post', '/v3/get');
    expectDocumented(code, 'post', '/v3/oauth/request');
    const statuses = [ready, refresh, list, code].map(({ status }) => status);
    expect(statuses).toEqual([503, 503, 503, 503]);
    expect(code.headers['x-error-code']).toBe('199');
  });
});
