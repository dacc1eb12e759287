import request, { type Response } from 'supertest';

import { Callers } from '../../src/auth/consumers/callers.js';
import { ConsumerKeyRepository } from '../../src/auth/consumers/consumer-key.repository.js';
import { ConsumerKeysService } from '../../src/auth/consumers/consumer-keys.service.js';
import { Dialect } from '../../src/auth/consumers/entities/consumer-key.entity.js';
import { ALL_PERMISSIONS, Permission } from '../../src/auth/consumers/permission.js';
import { AccountApi, bearer, type SignedIn } from '../support/account-api.js';
import { ProbeController, readBodies } from '../support/probe.controller.js';
import { aTestApp, type TestApp } from '../support/test-app.js';
import {
  TOKEN_STATES,
  type TokensInEveryState,
  tokensInEveryState,
} from '../support/token-states.js';

const { Retrieve, Add, Modify } = Permission;

interface Credentials {
  readonly consumer_key?: unknown;
  readonly access_token?: unknown;
}

let app: TestApp;
let keys: ConsumerKeysService;
let user: SignedIn;
let tokens: TokensInEveryState['tokens'];
/** A key with all permissions. */
let key: string;

const aKey = async (permissions: readonly Permission[] = ALL_PERMISSIONS): Promise<string> =>
  (await keys.create({ name: 'Probe', permissions: [...permissions], dialect: Dialect.Standard }))
    .key;

const call = (path: string, members: object, query: object = {}): Promise<Response> =>
  request(app.url).post(`/v3/probe/${path}`).query(query).send(members);

const credentials = (facts: Credentials = {}): Credentials => ({
  consumer_key: key,
  access_token: user.accessToken,
  ...facts,
});

const codeOf = ({ status, body }: Response): string => `${status}/${body.code}`;

beforeAll(async () => {
  app = await aTestApp({ controllers: [ProbeController] });
  readBodies(app);
  keys = app.app.get(ConsumerKeysService);
  ({ user, tokens } = await tokensInEveryState(app));
  key = await aKey();
});
afterAll(() => app.close());

const expectRefusal = (response: Response, status: number, code: number): void => {
  const { error } = response.body;
  expect(response.status).toBe(status);
  expect(response.body).toEqual({ status: 0, error: expect.stringMatching(/^[A-Z].*\.$/), code });
  expect(response.headers).toMatchObject({
    'x-error': error,
    'x-error-code': String(code),
    'content-type': 'application/json',
  });
};

it('a consumer key is not stored if it cannot be read back', async () => {
  const before = await keys.list();
  const lost = jest.spyOn(ConsumerKeyRepository.prototype, 'findOneBy');
  lost.mockRejectedValueOnce(new Error('connection terminated'));

  await expect(aKey()).rejects.toThrow('connection terminated');
  lost.mockRestore();

  expect(await keys.list()).toEqual(before);
});

describe('a route that requires a permission', () => {
  it('passes the consumer, its dialect and the user to the handler', async () => {
    const { key: classic, stored } = await keys.create({
      name: 'Classic',
      permissions: [Add],
      dialect: Dialect.Classic,
    });

    const { body } = await call('add', credentials({ consumer_key: classic }));

    expect(body).toMatchObject({
      consumerKeyId: stored.id,
      dialect: 'classic',
      userId: user.id,
    });
  });

  it.each(['get', 'post'] as const)(
    'accepts the credentials in the query string of a %s request',
    async (verb) => {
      const { status } = await request(app.url)[verb]('/v3/probe/retrieve').query(credentials());

      expect(status).toBe(200);
    },
  );

  it('prefers credentials in the body to credentials in the query', async () => {
    const unknown = { consumer_key: '1-000000000000000000000000', access_token: 'x' };

    expect((await call('retrieve', credentials(), unknown)).status).toBe(200);
    expect(codeOf(await call('retrieve', unknown, credentials()))).toBe('401/136');
  });

  it.each([null, '', undefined])('treats the body parameter %j as missing', async (nothing) => {
    const members = { consumer_key: nothing, access_token: nothing };

    expect((await call('retrieve', members, credentials())).status).toBe(200);
  });
});

describe('the error of the guard', () => {
  it('is 400/138 without a consumer key and 401/136 for an unknown key', async () => {
    const unknown = '99-0123456789abcdef01234567';

    expectRefusal(await call('retrieve', credentials({ consumer_key: undefined })), 400, 138);
    expectRefusal(await call('retrieve', credentials({ consumer_key: unknown })), 401, 136);
  });

  it('is 403/151 for a missing permission, and names the permission', async () => {
    const response = await call('modify', credentials({ consumer_key: await aKey([Retrieve]) }));

    expectRefusal(response, 403, 151);
    expect(response.body.error).toContain('"modify"');
  });

  it.each(TOKEN_STATES.slice(2))('is 401/107 for an access token that is %s', async (state) => {
    expectRefusal(await call('add', credentials({ access_token: tokens[state] })), 401, 107);
  });

  it('is the same for unknown and disabled keys', async () => {
    const disabled = await aKey();
    await keys.disable(disabled);

    const answers = await Promise.all(
      [disabled, '99-0123456789abcdef01234567', 'nonsense'].map((text) =>
        call('retrieve', credentials({ consumer_key: text })),
      ),
    );

    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
  });

  it('reports an invalid key first, then a missing permission, then an invalid token', async () => {
    const poor = await aKey([]);
    const bad = '1-000000000000000000000000';

    const codes = [
      codeOf(await call('add', {})),
      codeOf(await call('add', { access_token: 'bad' })),
      codeOf(await call('add', { consumer_key: bad, access_token: 'bad' })),
      codeOf(await call('add', { consumer_key: poor, access_token: 'bad' })),
      codeOf(await call('add', { consumer_key: key, access_token: 'bad' })),
    ];

    expect(codes).toEqual(['400/138', '400/138', '401/136', '403/151', '401/107']);
  });
});

describe('a consumer key', () => {
  const CHANGES: [string, (text: string) => string][] = [
    ['with something before it', (text) => `x${text}`],
    ['with a zero before it', (text) => `0${text}`],
    ['with something behind it', (text) => `${text}0`],
    ['without its id', (text) => text.replace(/^\d+-/, '')],
    ['under another id', (text) => text.replace(/^\d+/, '1234')],
    ['in capitals', (text) => text.toUpperCase().replace(/-\d+$/, '-A')],
    ['with a space before it', (text) => ` ${text}`],
    ['with a space behind it', (text) => `${text} `],
    ['with a line feed behind it', (text) => `${text}\n`],
    ['with NUL behind it', (text) => `${text}\u0000`],
    ['with NUL in it', (text) => text.replace('-', '\u0000-')],
    ['with digits of another script', (text) => text.replace(/^\d/, '１')],
    ['as SQL', () => "' OR 1=1 --"],
    ['of 10,000 characters', () => '1'.repeat(10_000)],
  ];

  it.each(CHANGES)('is unknown %s', async (_, change) => {
    const members = credentials({ consumer_key: change(key) });

    expect(codeOf(await call('retrieve', {}, members))).toBe('401/136');
  });

  it('with NUL or a lone surrogate returns error 130 for the body', async () => {
    const codes = await Promise.all(
      [`${key}\u0000`, `${key}\ud800`].map(async (text) =>
        codeOf(await call('retrieve', credentials({ consumer_key: text }))),
      ),
    );

    expect(codes).toEqual(['400/130', '400/130']);
  });

  it('is checked in its current state on each call', async () => {
    const changing = await aKey([Retrieve]);
    const look = async (): Promise<string> =>
      codeOf(await call('modify', credentials({ consumer_key: changing })));

    const codes = [await look()];
    for (const change of [
      () => keys.update(changing, { permissions: [Modify] }),
      () => keys.disable(changing),
      () => keys.enable(changing),
      () => keys.update(changing, { permissions: [Add, Retrieve] }),
      () => keys.delete(changing),
    ]) {
      await change();
      codes.push(await look());
    }

    const [admitted, refused, unknown] = ['200/undefined', '403/151', '401/136'];
    expect(codes).toEqual([refused, admitted, unknown, admitted, refused, unknown]);
  });
});

describe('a credential', () => {
  const ODD = ['[]', '["x"]', '{}', '{"$gt":""}', '{"toString":"x"}', '{"length":3}', '1', 'true'];

  it.each(ODD)('is invalid if its value is %s', async (json) => {
    const odd: unknown = JSON.parse(json);

    expect(codeOf(await call('add', credentials({ consumer_key: odd })))).toBe('400/138');
    expect(codeOf(await call('add', credentials({ access_token: odd })))).toBe('401/107');
  });

  it('is invalid if it is sent twice in the query', async () => {
    const twice = { ...credentials(), consumer_key: [key, key] };

    expect(codeOf(await call('add', {}, twice))).toBe('400/138');
  });

  it.each(['__proto__', 'constructor'])('is not read from a member %s', async (name) => {
    const body = `{"${name}":${JSON.stringify(credentials())}}`;

    const response = await request(app.url).post('/v3/probe/add').type('json').send(body);

    expect(codeOf(response)).toBe('400/138');
  });

  it('of another kind is rejected as an access token', async () => {
    const { accessToken, refreshToken, cookie } = user;
    const others = [refreshToken, cookie, `Bearer ${accessToken}`, `${accessToken} `, key, user.id];

    const codes = await Promise.all(
      others.map(async (text) => codeOf(await call('add', credentials({ access_token: text })))),
    );

    expect(codes).toEqual(others.map(() => '401/107'));
  });

  it('is not read from a header or a cookie', async () => {
    const response = await request(app.url)
      .post('/v3/probe/add')
      .set({ ...bearer(user.accessToken), Cookie: user.cookie, consumer_key: key })
      .send({ consumer_key: key });

    expect(codeOf(response)).toBe('401/107');
  });

  it('is never logged', async () => {
    await call('add', credentials(), credentials());

    expect(app.log()).toContain('/v3/probe/add');
    expect(app.log()).not.toContain(key);
    expect(app.log()).not.toContain(user.accessToken);
  });
});

describe('concurrent lookups of callers', () => {
  it('return the right caller for each credential', async () => {
    const other = await new AccountApi(app).signedIn();
    const callers = app.app.get(Callers);
    const asked = [
      { consumerKey: key, accessToken: user.accessToken, found: user.id },
      { consumerKey: key, accessToken: other.accessToken, found: other.id },
      { consumerKey: key, accessToken: 'of nobody', found: undefined },
      { consumerKey: '9-unknown', accessToken: user.accessToken, found: 'no caller' },
    ];

    const found = await Promise.all(
      asked.map((one) => callers.find(one.consumerKey, one.accessToken)),
    );

    expect(found.map((caller) => (caller === undefined ? 'no caller' : caller.user?.id))).toEqual(
      asked.map((one) => one.found),
    );
  });
});

describe('a route that declares no access rule', () => {
  it('rejects every caller', async () => {
    expectRefusal(await call('undeclared', {}), 403, 150);
    expectRefusal(await call('undeclared', credentials()), 403, 150);
  });
});
