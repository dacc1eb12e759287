import request, { type Response, type Test } from 'supertest';

import { formOf, OAuthApi } from '../support/oauth-api.js';
import { ReadingListApi } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

const LIMITS = { perUser: 1000, perKey: 2000 };
const SIX = ['user', 'key'].flatMap((whose) =>
  ['limit', 'remaining', 'reset'].map((what) => `x-limit-${whose}-${what}`),
);
const PATHS = ['/v3/get', '/v3/get/', '/v1/get', '/v3/add', '/v1/add', '/v3/send', '/v3/modify'];
const FOR_NOBODY = ['/v3/guid', '/v3/send_guid'];
const OAUTH = ['/v3/oauth/request', '/v3/oauth/authorize'];

let app: TestApp;
let api: ReadingListApi;

beforeAll(async () => {
  app = await aTestApp({ config: { callLimits: LIMITS } });
  api = await ReadingListApi.of(app);
});
afterAll(() => app.close());

const raw = (path: string): Test => request(app.url).post(path);

function expectHeaders({ status, headers }: Response, expected: number): void {
  expect(status).toBe(expected);
  expect(headers['x-source']).toBe('Pocket');
  expect(SIX.filter((name) => !/^\d+$/.test(String(headers[name])))).toEqual([]);
  expect(headers).toMatchObject({
    'x-limit-user-limit': String(LIMITS.perUser),
    'x-limit-key-limit': String(LIMITS.perKey),
  });
  const error = [headers['x-error'], headers['x-error-code']];
  const isText = status === 200 ? undefined : expect.stringMatching(/^[\x20-\x7e]+$/);
  const isCode = status === 200 ? undefined : expect.stringMatching(/^\d+$/);
  expect(error).toEqual([isText, isCode]);
}

const KINDS: [kind: string, status: number, call: (path: string) => Test][] = [
  ['no consumer key', 400, (path) => raw(path).send({})],
  ['a body that is no JSON', 400, (path) => raw(path).type('json').send('{')],
  ['a method that nobody uses', 405, (path) => request(app.url).put(path)],
  [
    'another charset',
    415,
    (path) => raw(path).set('Content-Type', 'application/json; charset=utf-7').send('{}'),
  ],
  ['a body that is too large', 413, (path) => raw(path).send({ html: 'x'.repeat(9_000_000) })],
];

describe.each([...PATHS, ...FOR_NOBODY, ...OAUTH])('an error response of %s', (path) => {
  it.each(KINDS)('has all headers for %s', async (_, status, call) => {
    expectHeaders(await call(path), status);
  });
});

describe.each(PATHS)('a response of %s', (path) => {
  const members = { url: 'https://example.com/page', actions: [] };

  it('has all headers for successful POST and GET requests', async () => {
    expectHeaders(await api.post(path, members), 200);
    const query = { ...api.credentials, url: members.url, actions: '[]' };
    expectHeaders(await request(app.url).get(path).query(query), 200);
  });

  it('has all headers if the caller is rejected', async () => {
    const few = await ReadingListApi.of(app, { permissions: [] });
    expectHeaders(await api.post(path, { consumer_key: '1-x' }), 401);
    expectHeaders(await api.post(path, { access_token: 'x' }), 401);
    expectHeaders(await few.post(path), 403);
  });

  it('has all headers if the parameters are rejected', async () => {
    const wrong = { state: 'foo', url: 'mailto:ada@example.com', actions: 'none' };
    expectHeaders(await api.post(path, wrong), 400);
  });
});

describe('the OAuth responses', () => {
  it('have all headers as a form, as JSON and as an error', async () => {
    const reader = await OAuthApi.of(app);

    const form = await reader.request();
    expectHeaders(form, 200);
    expectHeaders(await reader.request().set('X-Accept', 'application/json'), 200);
    expectHeaders(await reader.authorize({ code: formOf(form)['code'] }), 403);
    expectHeaders(await reader.authorize({ code: 'none' }), 400);
  });
});

describe('the response of a path that is not an endpoint of the API', () => {
  it.each(['/v3/nothing', '/v1/nothing', '/v3/'])('has all headers at %s', async (path) => {
    expectHeaders(await raw(path).send({}), 404);
  });

  it('has no limit headers at /health', async () => {
    const { headers } = await request(app.url).get('/health');

    expect(SIX.filter((name) => name in headers)).toEqual([]);
  });
});

describe('the response for an internal error', () => {
  beforeAll(() => app.database.query('ALTER TABLE lists RENAME TO away'));

  it.each(PATHS)('has all headers at %s', async (path) => {
    expectHeaders(await api.post(path, { url: 'https://example.com/', actions: [] }), 500);
  });
});
