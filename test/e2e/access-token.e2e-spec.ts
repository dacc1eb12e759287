import { createHmac, generateKeyPair, sign as signWith } from 'node:crypto';
import { promisify } from 'node:util';

import pg from 'pg';

import { AccountApi, bearer, sendRaw, type SignedIn } from '../support/account-api.js';
import { ReadingListApi } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

const OLD = 'the old secret for access tokens, 32 bytes and more';
const NEW = 'the new secret for access tokens, 32 bytes and more';

type Members = Record<string, unknown>;

const base64url = (text: string): string => Buffer.from(text).toString('base64url');
const membersOf = (token: string, part: number): Members =>
  JSON.parse(Buffer.from(token.split('.')[part]!, 'base64url').toString());

const otherLetter = (letter: string): string => (letter === 'A' ? 'B' : 'A');

describe('the access token', () => {
  let app: TestApp;
  let api: AccountApi;
  let user: SignedIn;
  let begin: number;

  const statusOf = async (token: string): Promise<number> =>
    (await sendRaw(app, { path: '/login', headers: bearer(token) })).status;

  /** Signs a modified token with the service's secret. */
  const forged = (header: Members, payload: Members | string, digest = 'sha256'): string => {
    const claims = { ...membersOf(user.accessToken, 1), ...(payload as Members) };
    const text = [
      base64url(JSON.stringify({ ...membersOf(user.accessToken, 0), ...header })),
      base64url(typeof payload === 'string' ? payload : JSON.stringify(claims)),
    ].join('.');
    const [secret] = app.config.jwtSecrets;
    return `${text}.${createHmac(digest, secret).update(text).digest('base64url')}`;
  };

  const inSeconds = (seconds: number): number => app.clock.seconds() + seconds;

  beforeAll(async () => {
    app = await aTestApp();
    api = new AccountApi(app);
    begin = inSeconds(0);
    user = await api.signedIn();
  });
  afterAll(() => app.close());

  it('is a JWT with exactly the specified claims', () => {
    expect(membersOf(user.accessToken, 0)).toEqual({
      alg: 'HS256',
      typ: 'JWT',
      kid: expect.stringMatching(/^[0-9a-f]{8}$/),
    });
    const { iat } = membersOf(user.accessToken, 1);
    expect(membersOf(user.accessToken, 1)).toEqual({
      sub: user.id,
      typ: 'at',
      epoch: 0,
      iat,
      exp: Number(iat) + 900,
      jti: expect.any(String),
      iss: 'satchel',
      aud: 'satchel',
    });
    expect(iat).toBeGreaterThanOrEqual(begin);
    expect(iat).toBeLessThanOrEqual(inSeconds(0));
  });

  it('is accepted if it is signed again with the secret and not changed', async () => {
    expect(await statusOf(forged({}, {}))).toBe(200);
  });

  it.each<[string, Members]>([
    ['the algorithm none', { alg: 'none' }],
    ['the algorithm HS384', { alg: 'HS384' }],
    ['the algorithm HS512', { alg: 'HS512' }],
    ['the algorithm RS256', { alg: 'RS256' }],
    ['the algorithm hs256', { alg: 'hs256' }],
    ['no algorithm', { alg: undefined }],
    ['an array of algorithms', { alg: ['HS256'] }],
    ['no key id', { kid: undefined }],
    ['an unknown key id', { kid: 'deadbeef' }],
    ['an empty key id', { kid: '' }],
    ['a path as key id', { kid: '../../../../dev/null' }],
    ['SQL as key id', { kid: "' or 1=1 --" }],
    ['a key id of 10 KB', { kid: 'k'.repeat(10_000) }],
    ['__proto__ as key id', { kid: '__proto__' }],
    ['a number as key id', { kid: 1 }],
    ['an array as key id', { kid: [] }],
  ])('is rejected with %s in its header', async (_, header) => {
    expect(await statusOf(forged(header, {}))).toBe(401);
  });

  it.each([
    ['HS384', 'sha384'],
    ['HS512', 'sha512'],
  ])('is rejected if it is signed with %s and the right secret', async (alg, digest) => {
    expect(await statusOf(forged({ alg }, {}, digest))).toBe(401);
  });

  it('is rejected if it is signed with RS256 and a key of the sender', async () => {
    // Asynchronous, because a busy machine could spend longer on a synchronous key than an idle connection to this
    // process lasts.
    const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 });
    const [header, payload] = forged({ alg: 'RS256' }, {}).split('.');
    const signature = signWith('sha256', Buffer.from(`${header}.${payload}`), privateKey);

    expect(await statusOf(`${header}.${payload}.${signature.toString('base64url')}`)).toBe(401);
  });

  it.each(['none', 'None', 'NONE', 'nOnE'])(
    'is rejected with the algorithm %s and no signature',
    async (alg) => {
      const [header, payload] = forged({ alg }, {}).split('.');

      expect(await statusOf(`${header}.${payload}.`)).toBe(401);
      expect(await statusOf(`${header}.${payload}`)).toBe(401);
    },
  );

  it.each<[string, Members]>([
    ['of another audience', { aud: 'other' }],
    ['without an audience', { aud: undefined }],
    ['of two audiences', { aud: ['satchel', 'other'] }],
    ['of the audience in an array', { aud: ['satchel'] }],
    ['of another issuer', { iss: 'other' }],
    ['without an issuer', { iss: undefined }],
    ['of another type', { typ: 'rt' }],
    ['without a type', { typ: undefined }],
    ['without an expiry', { exp: undefined }],
    ['with text as expiry', { exp: '9999999999' }],
    ['with null as expiry', { exp: null }],
    ['without a time of issue', { iat: undefined }],
    ['with text as time of issue', { iat: '0' }],
    ['without an epoch', { epoch: undefined }],
    ['with an epoch of text', { epoch: '0' }],
    ['of a later epoch', { epoch: 1 }],
    ['of an earlier epoch', { epoch: -1 }],
    ['without a subject', { sub: undefined }],
    ['with a number as subject', { sub: 1 }],
    ['with an object as subject', { sub: { $gt: '' } }],
    ['with an array as subject', { sub: ['1'] }],
    ['with an empty subject', { sub: '' }],
    ['with SQL as subject', { sub: '1 or 1=1' }],
    ['with a negative subject', { sub: '-1' }],
    ['with zero as subject', { sub: '0' }],
    ['with a subject that is no user', { sub: '999999999' }],
    ['with __proto__ as subject', { sub: '__proto__' }],
  ])('is rejected %s', async (_, claims) => {
    expect(await statusOf(forged({}, claims))).toBe(401);
  });

  it.each<[string, Members]>([
    ['a subject beyond 64 bits', { sub: '9999999999999999999' }],
    ['an epoch beyond 32 bits', { epoch: 1e15 }],
    ['a broken epoch', { epoch: 0.5 }],
  ])('is rejected with %s, and concurrent calls with valid tokens succeed', async (_, claims) => {
    const token = forged({}, claims);
    const list = await ReadingListApi.of(app);
    const members = [{}, { access_token: token }, {}, { access_token: token }, {}];

    const calls = await Promise.all(members.map((one) => list.get(one)));

    expect(calls.map(({ status }) => status)).toEqual([200, 401, 200, 401, 200]);
    expect(await statusOf(token)).toBe(401);
  });

  it.each(['', '"text"', 'null', '[]', '1', '{', 'true'])(
    'is rejected with the payload %j',
    async (payload) => {
      expect(await statusOf(forged({}, payload))).toBe(401);
    },
  );

  it.each([
    ['expired a second ago', { exp: -1 }, 401],
    ['expires in half a minute', { exp: 30 }, 200],
    ['was made to live for an hour', { exp: 3600 }, 401],
    ['is issued an hour ahead', { iat: 3600 }, 401],
    ['is issued a minute ahead', { iat: 60 }, 401],
    ['is issued within the skew of two clocks', { iat: 20 }, 200],
    ['is not valid before the next minute', { nbf: 60 }, 401],
  ])('has its time claims checked if it %s', async (_, offsets, status) => {
    const claims: Members = Object.fromEntries(
      Object.entries(offsets).map(([name, by]) => [name, inSeconds(by)]),
    );

    expect(await statusOf(forged({}, claims))).toBe(status);
  });

  it('is rejected if one of its characters is changed', async () => {
    const token = user.accessToken;
    const accepted: number[] = [];

    for (let at = token.length - 1; at >= 0; at -= 2) {
      const changed = `${token.slice(0, at)}${otherLetter(token.charAt(at))}${token.slice(at + 1)}`;
      if ((await statusOf(changed)) !== 401) {
        accepted.push(at);
      }
    }

    expect(accepted).toEqual([]);
  });

  it.each<[string, (token: string) => string]>([
    ['a fourth part', (token) => `${token}.x`],
    ['an empty fourth part', (token) => `${token}.`],
    ['padding', (token) => `${token}=`],
    ['only two parts', (token) => token.split('.').slice(0, 2).join('.')],
    ['no signature', (token) => `${token.split('.').slice(0, 2).join('.')}.`],
    ['a signature cut short', (token) => token.slice(0, -1)],
    ['its parts in another order', (token) => token.split('.').reverse().join('.')],
    ['only dots', () => '..'],
    ['nested arrays as its header', (token) => token.replace(/^[^.]+/, base64url('['.repeat(900)))],
  ])('is rejected with %s', async (_, change) => {
    expect(await statusOf(change(user.accessToken))).toBe(401);
  });

  it('is rejected after the token version of the user increases', async () => {
    const { id, accessToken } = await api.signedIn();
    await app.database.query('UPDATE users SET session_epoch = 1 WHERE id = $1', [id]);

    expect(await statusOf(accessToken)).toBe(401);
  });

  it('does not work as a refresh token', async () => {
    await api.refresh(user.accessToken).expect(401);
  });

  it('expires after 15 minutes by the clock of the service', async () => {
    const { accessToken } = await api.signedIn();

    app.clock.advance(890);
    const before = await statusOf(accessToken);
    app.clock.advance(20);
    const after = await statusOf(accessToken);

    expect([before, after]).toEqual([200, 401]);
  });

  it('is validated without reading the tables sessions and second_factors', async () => {
    const reader = await ReadingListApi.of(app, { user: await api.signedIn() });
    const client = new pg.Client({ connectionString: app.database.url });
    await client.connect();
    try {
      await client.query('BEGIN; LOCK TABLE sessions, second_factors IN ACCESS EXCLUSIVE MODE');

      await reader.get().expect(200);
      await reader.get({ since: 1 }).expect(200);
    } finally {
      await client.end();
    }
  });
});

describe('the access token while the secret is rotated', () => {
  let first: TestApp;
  let token: string;

  const statusAt = async (...jwtSecrets: [string, ...string[]]): Promise<number> => {
    const beside = { ...first, config: { ...first.config, jwtSecrets } };
    const instance = await aTestApp({ beside });
    try {
      return (await new AccountApi(instance).loginWith(bearer(token))).status;
    } finally {
      await instance.close();
    }
  };

  beforeAll(async () => {
    first = await aTestApp({ config: { jwtSecrets: [OLD] } });
    ({ accessToken: token } = await new AccountApi(first).signedIn());
  });
  afterAll(() => first.close());

  it.each<[string, [string, ...string[]], number]>([
    ['accepted by another instance with the same secret', [OLD], 200],
    ['accepted where its secret is the second of two', [NEW, OLD], 200],
    ['accepted where its secret is the first of two', [OLD, NEW], 200],
    ['refused where its secret is gone', [NEW], 401],
  ])('is %s', async (_, secrets, status) => {
    expect(await statusAt(...secrets)).toBe(status);
  });
});
