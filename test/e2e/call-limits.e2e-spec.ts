import type { Response, Test } from 'supertest';

import { V3_ENDPOINTS } from '../../src/pocket-api/v3-routes.js';
import { expectRefusal, ReadingListApi } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

const PER_USER = 5;
const PER_KEY = 8;

const FOR_NOBODY: ReadonlySet<object> = new Set([V3_ENDPOINTS.guid, V3_ENDPOINTS.sendGuid]);
const isOfPerson = (endpoint: object): boolean => !FOR_NOBODY.has(endpoint);
const pathsOf = ({ paths }: { readonly paths: readonly string[] }): string[] => [...paths];

const statusesOf = (responses: readonly Response[]): number[] =>
  responses.map(({ status }) => status);
const passed = (responses: readonly Response[]): number =>
  statusesOf(responses).filter((status) => status === 200).length;

async function inTurn(times: number, call: () => Test): Promise<Response[]> {
  const responses: Response[] = [];
  for (let n = 0; n < times; n += 1) {
    responses.push(await call());
  }
  return responses;
}

/** Ends every window, in the database and for the instances' clock. */
async function endWindows({ database, clock }: TestApp): Promise<void> {
  await database.query('UPDATE call_counters SET ends_at = now()');
  clock.advance(3600);
}

let app: TestApp;
let ada: ReadingListApi;

beforeAll(async () => {
  app = await aTestApp({
    config: { callLimits: { perUser: PER_USER, perKey: PER_KEY }, accessTokenTtlSeconds: 86_400 },
  });
});
afterAll(() => app.close());
beforeEach(async () => {
  ada = await ReadingListApi.of(app);
});

/** Another user of the same application. */
const another = (): Promise<ReadingListApi> => ReadingListApi.of(app, { key: ada.consumerKey });

describe('the call limit of a user', () => {
  it('rejects the next call with status 429, error code 199 and the limit headers', async () => {
    const responses = await inTurn(PER_USER + 1, () => ada.get());

    const refused = responses.at(-1)!;
    expect(statusesOf(responses)).toEqual([200, 200, 200, 200, 200, 429]);
    expectRefusal(refused, 429, 199);
    expect(refused.headers).toMatchObject({
      'x-limit-user-limit': String(PER_USER),
      'x-limit-user-remaining': '0',
      'retry-after': refused.headers['x-limit-user-reset'],
    });
  });

  it('counts down to 0 in the header X-Limit-User-Remaining', async () => {
    const responses = await inTurn(PER_USER, () => ada.get());

    const remaining = responses.map(({ headers }) => headers['x-limit-user-remaining']);
    expect(remaining).toEqual(['4', '3', '2', '1', '0']);
    expect(Number(responses[0]!.headers['x-limit-user-reset'])).toBeGreaterThan(3590);
    expect(Number(responses[0]!.headers['x-limit-user-reset'])).toBeLessThanOrEqual(3600);
  });

  it('counts calls of all endpoints and applications, including calls with invalid parameters', async () => {
    const elsewhere = await ReadingListApi.of(app, { user: ada.user });
    await ada.get({ state: 'foo' }).expect(400);
    await ada.send([]).expect(200);
    await elsewhere.add({ url: 'https://example.com/' }).expect(200);
    await inTurn(2, () => elsewhere.get());

    expectRefusal(await ada.get(), 429, 199);
  });

  it('does not limit other users of the same application', async () => {
    const bob = await another();
    await inTurn(PER_USER + 20, () => ada.get());

    expect((await bob.get()).headers).toMatchObject({
      'x-limit-user-remaining': String(PER_USER - 1),
      'x-limit-key-remaining': String(PER_KEY - PER_USER - 1),
    });
  });

  it('does not change the list when it rejects a call', async () => {
    await inTurn(PER_USER, () => ada.get());
    await ada.add({ url: 'https://example.com/late' }).expect(429);
    await endWindows(app);

    expect(await ada.names()).toEqual([]);
  });

  it('is reset when its window ends', async () => {
    await inTurn(PER_USER + 1, () => ada.get());
    await endWindows(app);

    expect(statusesOf(await inTurn(PER_USER + 1, () => ada.get()))).toEqual([
      ...[200, 200, 200, 200, 200, 429],
    ]);
  });
});

describe('the call limit of a consumer key', () => {
  it('counts the calls of all its users, but no calls with other keys', async () => {
    const [bob, stranger] = [await another(), await ReadingListApi.of(app)];
    await inTurn(4, () => ada.get());

    const responses = await inTurn(5, () => bob.get());

    expect(statusesOf(responses)).toEqual([200, 200, 200, 200, 429]);
    expect(responses.at(-1)!.headers).toMatchObject({
      'x-limit-key-limit': String(PER_KEY),
      'x-limit-key-remaining': '0',
      'x-limit-user-remaining': '1',
    });
    await stranger.get().expect(200);
  });
});

describe('v3 endpoints that act for a user', () => {
  it.each(Object.values(V3_ENDPOINTS).filter(isOfPerson).flatMap(pathsOf))(
    'count toward both limits and return 429 over a limit: %s',
    async (path) => {
      const [first] = await inTurn(PER_USER, () => ada.post(path, { actions: [] }));
      const refused = await ada.post(path, { actions: [] });

      expect(first?.headers).toMatchObject({
        'x-limit-user-remaining': String(PER_USER - 1),
        'x-limit-key-remaining': String(PER_KEY - 1),
      });
      expectRefusal(refused, 429, 199);
      expect(refused.headers).toMatchObject({
        'x-limit-user-limit': String(PER_USER),
        'x-limit-user-remaining': '0',
        'x-limit-key-limit': String(PER_KEY),
        'x-limit-key-remaining': String(PER_KEY - PER_USER),
        'retry-after': refused.headers['x-limit-user-reset'],
      });
    },
  );
});

describe('v3 calls without a user', () => {
  it.each(['/v3/guid', '/v3/send_guid', '/v3/oauth/request_meta', '/v3/oauth/authorize'])(
    'count toward no limit: %s',
    async (path) => {
      const members = { guid: 'a', actions: [], request_token: 'none', code: 'none' };

      const responses = await inTurn(PER_KEY + 2, () => ada.post(path, members));

      expect(statusesOf(responses)).not.toContain(429);
      expect((await ada.get().expect(200)).headers).toMatchObject({
        'x-limit-user-remaining': String(PER_USER - 1),
        'x-limit-key-remaining': String(PER_KEY - 1),
      });
    },
  );

  it('succeed even if the user is over the limit', async () => {
    await inTurn(PER_USER + 1, () => ada.get());

    const { headers } = await ada.post('/v3/guid').expect(200);

    expect(headers).toMatchObject({ 'x-limit-user-remaining': String(PER_USER) });
  });
});

describe('a call with an invalid key or token', () => {
  it.each([
    ['an unknown key', { consumer_key: '1-0123456789abcdef01234567' }],
    ['a key whose number is that of another', { consumer_key: '0' }],
    ['a bad token', { access_token: 'nonsense' }],
    ['no token', { access_token: '' }],
  ])('counts toward no limit with %s', async (_, members) => {
    const spoilt = await inTurn(PER_KEY + 2, () => ada.get(members));
    const byQuery = await inTurn(PER_KEY + 2, () =>
      ada.post('/v3/get?consumer_key=1-x', { ...members }),
    );

    expect(new Set(statusesOf([...spoilt, ...byQuery]))).toEqual(new Set([401]));
    expect(spoilt.at(-1)!.headers).toMatchObject({
      'x-limit-user-remaining': String(PER_USER),
      'x-limit-key-remaining': String(PER_KEY),
    });
    expect((await ada.get()).headers).toMatchObject({
      'x-limit-user-remaining': String(PER_USER - 1),
      'x-limit-key-remaining': String(PER_KEY - 1),
    });
  });

  it('stores no counter', async () => {
    const count = async (): Promise<unknown> =>
      (await app.database.query('SELECT count(*) FROM call_counters'))[0];
    const before = await count();

    await inTurn(3, () => ada.get({ access_token: 'nonsense' }));

    expect(await count()).toEqual(before);
  });
});

describe('two instances', () => {
  let beside: TestApp;

  beforeAll(async () => {
    beside = await aTestApp({ beside: app });
  });
  afterAll(() => beside.close());

  it('share one limit for concurrent calls', async () => {
    const there = ada.at(beside);

    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, n) => (n % 2 === 0 ? ada : there).get()),
    );

    expect(passed(responses)).toBe(PER_USER);
  });
});
