import request, { type Test } from 'supertest';

import { V3_ENDPOINTS } from '../../src/pocket-api/v3-routes.js';
import { expectRefusal, ReadingListApi } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

const PAGE = 'https://example.com/page';
const ACTIONS = JSON.stringify([{ action: 'add', url: PAGE, title: 'é & ü' }]);
const MEMBERS = {
  export: { format: 'netscape' },
  koboGet: { state: 'unread', count: '1' },
  stats: {},
  suggestedTags: { url: PAGE },
  snapshot: { url: PAGE, html: '<p>Text' },
  guid: {},
  sendGuid: { guid: 'a', actions: '[{"action":"pv"}]' },
  fetch: {},
  text: { url: PAGE },
  download: { url: PAGE },
  get: { state: 'unread', count: '1' },
  add: { url: PAGE, title: 'é & ü' },
  send: { actions: ACTIONS },
} as const;
const PATHS = [
  ['get', '/v3/get'],
  ['get', '/v1/get'],
  ['add', '/v3/add'],
  ['add', '/v3/add.php'],
  ['add', '/v1/add'],
  ['koboGet', '/api/kobo/get'],
  ['export', '/v3/export'],
  ['fetch', '/v3/fetch'],
  ['suggestedTags', '/v3/suggested_tags'],
  ['snapshot', '/v3/snapshot'],
  ['send', '/v3/send'],
  ['send', '/v3/modify'],
  ['send', '/v1/send'],
  ['send', '/api/kobo/send'],
  ['stats', '/v3/stats'],
  ['guid', '/v3/guid'],
  ['sendGuid', '/v3/send_guid'],
  ['text', '/v3/text'],
  ['download', '/v3beta/text'],
  ['download', '/api/kobo/download'],
] as const;

/** Endpoints that change nothing. */
const READS: ReadonlySet<string> = new Set([
  'get',
  'koboGet',
  'export',
  'suggestedTags',
  'snapshot',
  'fetch',
  'stats',
  'guid',
  'sendGuid',
  'text',
  'download',
]);

let app: TestApp;
let api: ReadingListApi;

beforeAll(async () => {
  app = await aTestApp();
});
afterAll(() => app.close());

const anEmptyList = async (): Promise<void> => {
  api = await ReadingListApi.of(app);
};

describe('the paths of the v3 API', () => {
  beforeAll(anEmptyList);

  it('match the expected list', () => {
    const paths = Object.values(V3_ENDPOINTS).flatMap((endpoint) => [...endpoint.paths]);

    expect([...paths].sort()).toEqual(PATHS.map(([, path]) => path).sort());
  });

  it.each(['/v1/modify', '/v3/get.php', '/v2/get', '/v3', '/v3/get/x', '/get', '/V3X/get'])(
    'do not include %s, which returns 404',
    async (path) => {
      const { body } = await api.post(path).expect(404);

      expect(body).not.toHaveProperty('list');
    },
  );
});

describe.each(PATHS)('the endpoint %s at %s', (endpoint, path) => {
  const members = (): Record<string, string> => ({ ...api.credentials, ...MEMBERS[endpoint] });
  const text = (): string => new URLSearchParams(members()).toString();
  const post = (type: string, at = path as string): Test =>
    request(app.url).post(at).set('Content-Type', type);

  const WAYS: [string, () => Test][] = [
    ['JSON', () => post('application/json').send(members())],
    ['JSON with charset=UTF8', () => post('application/json; charset=UTF8').send(members())],
    ['JSON behind a slash', () => post('application/json', `${path}/`).send(members())],
    ['a form', () => post('application/x-www-form-urlencoded').send(text())],
    [
      'a form with charset',
      () => post('application/x-www-form-urlencoded; charset=UTF8').send(text()),
    ],
    [
      'JSON by the name of a form',
      () => post('application/x-www-form-urlencoded').send(JSON.stringify(members())),
    ],
    ['a query', () => request(app.url).post(path).query(text())],
    ['a query of GET', () => request(app.url).get(path).query(text())],
    ['a query of GET behind a slash', () => request(app.url).get(`${path}/`).query(text())],
    [
      'multipart fields',
      () =>
        Object.entries(members()).reduce(
          (sent, [name, value]) => sent.field(name, value),
          request(app.url).post(path),
        ),
    ],
    [
      'credentials in the query and the rest as JSON',
      () => request(app.url).post(path).query(api.credentials).send(MEMBERS[endpoint]),
    ],
  ];

  describe('called in a way that clients use', () => {
    if (READS.has(endpoint)) {
      beforeAll(async () => {
        await anEmptyList();
        await api.saved(PAGE, { title: 'é & ü' });
      });
    } else {
      beforeEach(anEmptyList);
    }

    it.each(WAYS)('accepts %s', async (_, call) => {
      if (endpoint === 'text' || endpoint === 'download') {
        expectRefusal(await call(), 503, 199);
        return;
      }
      if (endpoint === 'export') {
        const answer = await call().expect(200);

        expect(answer.text).toContain(`<A HREF="${PAGE}"`);
        return;
      }

      const { body, headers } = await call().expect(200);

      const [item] = await api.items();
      expect(item).toMatchObject({ given_url: PAGE, given_title: 'é & ü' });
      expect(body.status).toBe(endpoint === 'guid' ? undefined : 1);
      expect(body).toHaveProperty(
        {
          get: 'list',
          koboGet: 'list',
          fetch: 'list',
          suggestedTags: 'suggested_tags',
          snapshot: 'snapshot_id',
          stats: 'count_list',
          add: 'item',
          send: 'action_results',
          guid: 'guid',
          sendGuid: 'action_results',
        }[endpoint],
      );
      expect(headers).toMatchObject({ 'content-type': 'application/json', 'x-source': 'Pocket' });
    });
  });

  describe('called with another method', () => {
    beforeAll(anEmptyList);

    it('returns 405 for HEAD and changes nothing', async () => {
      const { status, headers } = await request(app.url).head(path).query(text());

      expect([status, headers.allow, headers['x-error-code']]).toEqual([405, 'GET, POST', '130']);
      expect(await api.items()).toEqual([]);
    });

    it.each(['PUT', 'DELETE', 'PATCH'] as const)('changes nothing for %s', async (method) => {
      const verb = method.toLowerCase() as 'put' | 'delete' | 'patch';

      const { status } = await request(app.url)[verb](path).send(members());

      expect([404, 405]).toContain(status);
      expect(await api.items()).toEqual([]);
    });
  });
});
