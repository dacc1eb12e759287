import request, { type Response } from 'supertest';

import { ConsumerKeysService } from '../../src/auth/consumers/consumer-keys.service.js';
import { Dialect } from '../../src/auth/consumers/entities/consumer-key.entity.js';
import { ALL_PERMISSIONS, Permission } from '../../src/auth/consumers/permission.js';
import { V3_ENDPOINTS } from '../../src/pocket-api/v3-routes.js';
import { codeOf, ReadingListApi } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';
import {
  TOKEN_STATES,
  type TokensInEveryState,
  tokensInEveryState,
} from '../support/token-states.js';

const UNKNOWN_KEY = '99-0123456789abcdef01234567';

/** All sets of permissions, including the empty one. */
const SETS = [0, 1, 2, 3, 4, 5, 6, 7].map((bits) =>
  ALL_PERMISSIONS.filter((_, at) => (bits & (1 << at)) !== 0),
);
const NEEDED = {
  ...{
    fetch: Permission.Retrieve,
    suggestedTags: Permission.Retrieve,
    get: Permission.Retrieve,
    koboGet: Permission.Retrieve,
  },
  ...{ text: Permission.Retrieve, download: Permission.Retrieve, stats: Permission.Retrieve },
  ...{ add: Permission.Add, snapshot: Permission.Add, send: Permission.Modify },
} as const;
const ENDPOINTS = [
  'get',
  'koboGet',
  'fetch',
  'suggestedTags',
  'stats',
  'text',
  'download',
  'add',
  'snapshot',
  'send',
] as const;
const WRITES: ReadonlySet<string> = new Set(['add', 'send']);
/**
 * Expected answers. `text` and `download` return 404, because no user has saved the requested page. `snapshot` returns
 * 400, because the calls have no HTML.
 */
const ADMITTED = {
  ...{
    fetch: '200/undefined',
    suggestedTags: '200/undefined',
    get: '200/undefined',
    koboGet: '200/undefined',
    text: '404/198',
    download: '404/198',
    snapshot: '400/130',
  },
  ...{ add: '200/undefined', send: '200/undefined', stats: '200/undefined' },
} as const;
const REFUSED = ['401/107', '401/107', '401/107', '401/107'];
const PATHS = ENDPOINTS.flatMap((endpoint) =>
  V3_ENDPOINTS[endpoint].paths.map((path) => ({ path, endpoint })),
);
const MATRIX = PATHS.flatMap(({ path, endpoint }) =>
  SETS.map((set) => ({ path, set, needed: NEEDED[endpoint], endpoint })),
);

let app: TestApp;
let keys: ConsumerKeysService;
let people: TokensInEveryState;
let user: ReadingListApi;
let other: ReadingListApi;
let urls = 0;

beforeAll(async () => {
  app = await aTestApp();
  keys = app.app.get(ConsumerKeysService);
  people = await tokensInEveryState(app);
  user = await ReadingListApi.of(app, { user: people.user });
  other = await ReadingListApi.of(app, { user: people.other });
});
afterAll(() => app.close());

/** A call that would save a URL, if its endpoint saves. */
interface Attempt {
  readonly path: string;
  readonly endpoint: (typeof ENDPOINTS)[number];
  readonly url: string;
}

const aUrl = (): string => `https://example.com/${(urls += 1)}/end`;

function call(
  { path, endpoint, url }: Attempt,
  method: 'get' | 'post',
  credentials: object,
): Promise<Response> {
  const actions = JSON.stringify([{ action: 'add', url }]);
  const members = WRITES.has(endpoint) ? { url, actions } : { url };
  const sent = request(app.url)[method](path);
  return method === 'get'
    ? sent.query({ ...credentials, ...members })
    : sent.send({ ...credentials, ...members });
}

/** Returns the answers for a token in each state, in order. */
const answers = async (
  attempt: Attempt,
  method: 'get' | 'post',
  consumer_key: string,
): Promise<string[]> =>
  (
    await Promise.all(
      TOKEN_STATES.map((state) =>
        call(attempt, method, { consumer_key, access_token: people.tokens[state] }),
      ),
    )
  ).map(codeOf);

/** Returns how many items with the URL each user's list has. */
const savedBy = ({ url }: Attempt): Promise<number[]> =>
  Promise.all(
    [user, other].map(
      async (person) =>
        Object.keys((await person.found({ search: url, domain: 'example.com' })).list).length,
    ),
  );

describe.each(MATRIX)('$path with the permissions $set', ({ path, set, needed, endpoint }) => {
  const isAdmitted = set.includes(needed);
  let attempt: Attempt;
  let key: string;

  beforeEach(async () => {
    attempt = { path, endpoint, url: aUrl() };
    const details = { name: 'Matrix', permissions: [...set], dialect: Dialect.Standard };
    ({ key } = await keys.create(details));
  });

  it.each(['post', 'get'] as const)(
    `${isAdmitted ? 'accepts' : 'rejects'} %s requests`,
    async (method) => {
      const expected = isAdmitted
        ? [...Array.from({ length: 2 }, () => ADMITTED[endpoint]), ...REFUSED]
        : TOKEN_STATES.map(() => '403/151');
      const saved = isAdmitted && WRITES.has(endpoint) ? 1 : 0;

      expect(await answers(attempt, method, key)).toEqual(expected);

      expect(await savedBy(attempt)).toEqual([saved, saved]);
    },
  );

  it('rejects all requests after the key is disabled', async () => {
    await keys.disable(key);

    expect(await answers(attempt, 'post', key)).toEqual(TOKEN_STATES.map(() => '401/136'));

    expect(await savedBy(attempt)).toEqual([0, 0]);
  });
});

describe.each(PATHS)('$path with an unknown consumer key', ({ path, endpoint }) => {
  it('rejects all requests', async () => {
    const attempt = { path, endpoint, url: aUrl() };

    expect(await answers(attempt, 'post', UNKNOWN_KEY)).toEqual(TOKEN_STATES.map(() => '401/136'));

    expect(await savedBy(attempt)).toEqual([0, 0]);
  });
});

describe('an access token', () => {
  it('gives access only to the list of its user', async () => {
    const mine = await user.saved('https://example.com/matrix/mine');
    const theirs = await other.saved('https://example.com/matrix/theirs');

    const { list } = await user.found({ search: '/matrix/' });
    const results = await user.results({ action: 'archive', item_id: theirs });

    expect(Object.keys(list)).toEqual([mine]);
    expect(results).toEqual([false]);
    expect(await other.item(theirs)).toMatchObject({ status: '0' });
  });
});
