import request, { type Response, type Test } from 'supertest';

import { expectRefusal, ReadingListApi } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

const URL_WITH_SIGNS = 'https://example.com/page?a=1&b=2+3%20#x';

let app: TestApp;
let api: ReadingListApi;

beforeAll(async () => {
  app = await aTestApp();
});
afterAll(() => app.close());

beforeEach(async () => {
  api = await ReadingListApi.of(app);
});

const ACTIONS = [
  { action: 'add', url: URL_WITH_SIGNS, tags: 'a,b', time: 1_700_000_000 },
  { action: 'favorite', url: URL_WITH_SIGNS },
];
const JSON_OF_ACTIONS = JSON.stringify(ACTIONS);
const encoded = encodeURIComponent(JSON_OF_ACTIONS);
const BRACKETS: [string, string][] = ACTIONS.flatMap((action, at) =>
  Object.entries(action).map(([name, value]): [string, string] => [
    `actions[${at}][${name}]`,
    String(value),
  ]),
);

const post = (): Test => request(app.url).post('/v3/send');
const form = (fields: Record<string, string>): Test =>
  post()
    .type('form')
    .send({ ...api.credentials, ...fields });
const inQuery = (test: Test, query: string): Test =>
  test.query(new URLSearchParams(api.credentials).toString()).query(query);
const fields = (test: Test): Test =>
  [...Object.entries(api.credentials), ...BRACKETS].reduce(
    (sent, [name, value]) => sent.field(name, value),
    test,
  );

describe('the parameter actions', () => {
  const SPELLINGS: [string, () => Test][] = [
    ['an array of a JSON body', () => api.send(ACTIONS)],
    ['the JSON text of an array in a JSON body', () => api.send(JSON_OF_ACTIONS)],
    ['a form', () => form({ actions: JSON_OF_ACTIONS })],
    ['a form, encoded twice', () => form({ actions: encoded })],
    ['brackets of a form', () => form(Object.fromEntries(BRACKETS))],
    ['multipart fields', () => fields(post())],
    ['the query of a GET', () => inQuery(request(app.url).get('/v3/send'), `actions=${encoded}`)],
    ['the query of a POST', () => inQuery(post(), `actions=${encoded}`)],
    [
      'the query, encoded twice',
      () => inQuery(request(app.url).get('/v3/send'), `actions=${encodeURIComponent(encoded)}`),
    ],
    [
      'brackets of the query of a POST without a body',
      () =>
        inQuery(
          post().type('json'),
          BRACKETS.map((pair) => pair.map((text) => encodeURIComponent(text)).join('=')).join('&'),
        ),
    ],
    ['a query beside credentials in the body', () => api.post(`/v3/send?actions=${encoded}`)],
  ];

  it.each(SPELLINGS)('is accepted as %s', async (_, send) => {
    const { body } = await send().expect(200);

    expect(body).toEqual({ status: 1, action_results: [true, true], action_errors: [null, null] });
    const [item] = await api.items();
    expect(item).toMatchObject({ given_url: URL_WITH_SIGNS, favorite: '1' });
    expect(item).toMatchObject({ time_added: '1700000000' });
  });

  it.each([undefined, null, '', ' '])('is treated as missing if it is %j', async (actions) => {
    const response = await api.send(actions);

    expectRefusal(response, 400, 130);
    expect(response.body.error).toBe('actions is missing');
  });

  it.each([1, true, {}, { 0: { action: 'pv' }, length: 1 }, 'x', '{}', 'null', '[', '%5B'])(
    'is rejected if it is not an array: %j',
    async (actions) => {
      const response = await api.send(actions);

      expectRefusal(response, 400, 130);
      expect(response.body.error).toBe('actions must be an array');
    },
  );

  it('has at most 5,000 elements', async () => {
    const url = 'https://example.com/';
    const actions = Array.from({ length: 5001 }, (_, at) => ({
      action: 'add',
      url: `${url}${at}`,
    }));

    const refused: Response = await api.send(actions);
    const left = await api.items();
    const { body } = await api.send(actions.slice(1)).expect(200);

    expectRefusal(refused, 413, 130);
    expect(refused.body.error).toContain('5000');
    expect(left).toEqual([]);
    expect(body.status).toBe(1);
    expect(body.action_results).toHaveLength(5000);
    expect((await api.found({ total: 1, search: 'example' })).total).toBe('5000');
  });
});

describe('other parameters of /v3/send', () => {
  it('are ignored', async () => {
    const others = { item_id: '1', action: 'delete', send: 'x', guid: 'x', locale_lang: 'en' };

    const { body } = await api.send(ACTIONS, others).expect(200);

    expect(body.action_results).toEqual([true, true]);
    expect(await api.items()).toHaveLength(1);
  });
});
