import request, { type Test } from 'supertest';

import { ConsumerKeysService } from '../../src/auth/consumers/consumer-keys.service.js';
import { Dialect } from '../../src/auth/consumers/entities/consumer-key.entity.js';
import { expectRefusal, ReadingListApi } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

const REFUSED = (name: string): object => ({
  message: `Invalid Action: '${name}'`,
  type: 'Bad request',
  code: 130,
});
const NAMELESS = { message: 'Action must have action field', type: 'Bad request', code: 130 };
const PATHS = ['/v3/guid', '/v3/send_guid'];
const UNKNOWN_KEY = '99-0123456789abcdef01234567';

let app: TestApp;
let key: string;

const aKey = async (dialect = Dialect.Standard): Promise<string> =>
  (await app.app.get(ConsumerKeysService).create({ name: 'App', permissions: [], dialect })).key;

beforeAll(async () => {
  app = await aTestApp({ config: { callLimits: { perUser: 2, perKey: 2 } } });
});
afterAll(() => app.close());
beforeEach(async () => {
  key = await aKey();
});

const post = (path: string, members: object = {}): Test =>
  request(app.url)
    .post(path)
    .send({ consumer_key: key, ...members });

const report = (actions: unknown, members: object = {}): Test =>
  post('/v3/send_guid', { guid: 'a', actions, ...members });

/** Returns each row's position and last writing transaction, for every table. */
const rows = (): Promise<unknown> =>
  app.database.query(
    `SELECT relname, query_to_xml(format('SELECT xmin, ctid FROM %I ORDER BY ctid', relname), true, true, '')::text
     FROM pg_stat_user_tables ORDER BY relname`,
  );

describe('POST /v3/guid', () => {
  it('returns 32 random hexadecimal digits and needs no permission', async () => {
    const guids = await Promise.all(
      Array.from({ length: 20 }, async () => (await post('/v3/guid', { abt: 1 }).expect(200)).body),
    );

    expect(guids).toEqual(guids.map(() => ({ guid: expect.stringMatching(/^[0-9a-f]{32}$/) })));
    expect(new Set(guids.map(({ guid }) => guid)).size).toBe(20);
  });
});

describe('POST /v3/send_guid', () => {
  it('accepts report actions and rejects all other actions', async () => {
    const actions = [
      ...[{ action: 'pv', guid: 'b' }, { action: 'pv_wt' }, { action: 'pv_ab', time: 'never' }],
      ...[{ action: 'opened_app' }, { action: 'notification_shown' }],
      ...[{ action: 'archive', item_id: '1' }, { action: 'add' }, { action: 'constructor' }],
      ...[{}, null, 'pv', ['pv'], { action: 1 }, { action: '' }],
    ];

    const { body } = await report(actions).expect(200);

    const done = Array<boolean>(5).fill(true);
    const errors = [
      ...['archive', 'add', 'constructor'].map(REFUSED),
      ...Array<object>(6).fill(NAMELESS),
    ];
    expect(body).toEqual({
      status: 0,
      action_results: [...done, ...errors.map(() => false)],
      action_errors: [...done.map(() => null), ...errors],
    });
  });

  it('returns status 1 if all actions succeed, and always in the classic dialect', async () => {
    const classic = { consumer_key: await aKey(Dialect.Classic) };

    const done = await report('[{"action":"pv"}]').expect(200);
    const nothing = await report([]).expect(200);
    const refused = await report([{ action: 'archive' }], classic).expect(200);

    expect(done.body).toEqual({ status: 1, action_results: [true], action_errors: [null] });
    expect(nothing.body).toEqual({ status: 1, action_results: [], action_errors: [] });
    expect(refused.body).toMatchObject({ status: 1, action_results: [false] });
  });

  it('changes no list, even with the credentials of a user', async () => {
    const ada = await ReadingListApi.of(app);
    const actions = [{ action: 'add', url: 'https://example.com/' }, { action: 'pv' }];

    const { body } = await report(actions, ada.credentials).expect(200);

    expect(body.action_results).toEqual([false, true]);
    expect(await ada.items()).toEqual([]);
  });

  it.each([
    ['no guid', { guid: '' }],
    ['a guid that is no text', { guid: ['a'] }],
    ['a guid that is too long', { guid: 'x'.repeat(201) }],
    ['no actions', { actions: null }],
    ['actions that are no array', { actions: '{}' }],
  ])('returns 400 with %s', async (_, members) => {
    expectRefusal(await report([{ action: 'pv' }], members), 400, 130);
  });

  it('returns 413 with too many actions', async () => {
    expectRefusal(await report(Array<object>(5001).fill({ action: 'pv' })), 413, 130);
  });
});

describe.each(PATHS)('POST %s without a user', (path) => {
  const members = { guid: 'a', actions: [{ action: 'pv' }] };

  it('accepts only enabled consumer keys', async () => {
    const disabled = await aKey();
    await app.app.get(ConsumerKeysService).disable(disabled);

    expectRefusal(await post(path, { ...members, consumer_key: '' }), 400, 138);
    expectRefusal(await post(path, { ...members, consumer_key: UNKNOWN_KEY }), 401, 136);
    expectRefusal(await post(path, { ...members, consumer_key: disabled }), 401, 136);
    expectRefusal(await post(path, { consumer_key: UNKNOWN_KEY, guid: 1 }), 401, 136);
  });

  it('writes nothing, counts toward no limit, and returns the headers of every v3 response', async () => {
    const ada = await ReadingListApi.of(app);
    const before = await rows();

    for (let n = 0; n < 3; n += 1) {
      const { headers } = await post(path, { ...members, ...ada.credentials }).expect(200);

      expect(headers).toMatchObject({
        ...{ 'x-source': 'Pocket', 'content-type': 'application/json' },
        ...{ 'x-limit-user-limit': '2', 'x-limit-user-remaining': '2' },
        ...{ 'x-limit-key-limit': '2', 'x-limit-key-remaining': '2' },
        ...{ 'x-limit-user-reset': '3600', 'x-limit-key-reset': '3600' },
      });
    }

    expect(await rows()).toEqual(before);
    expect((await ada.get()).headers).toMatchObject({ 'x-limit-key-remaining': '1' });
    expect(await rows()).not.toEqual(before);
  });
});
