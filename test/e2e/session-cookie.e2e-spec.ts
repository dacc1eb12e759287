import { createHmac } from 'node:crypto';

import {
  AccountApi,
  cookieOf,
  sendRaw,
  setCookieOf,
  type SignedIn,
} from '../support/account-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

/** Long enough not to occur in random bytes by chance. */
const FIRST_USER_ID = '7390518264';
const NAME = 'session';

/** Signs a cookie as express-session does. */
const signed = (id: string, secret: string): string =>
  `s:${id}.${createHmac('sha256', secret).update(id).digest('base64').replace(/=+$/, '')}`;

const valueOf = (cookie: string): string =>
  decodeURIComponent(cookie.slice(cookie.indexOf('=') + 1));

/** Returns the encrypted session without its signature. */
const sealOf = (cookie: string): string =>
  valueOf(cookie).slice(2).split('.').slice(0, 3).join('.');

const otherLetter = (letter: string): string => (letter === 'A' ? 'B' : 'A');

const withChange = (text: string, at: number): string =>
  `${text.slice(0, at)}${otherLetter(text.charAt(at))}${text.slice(at + 1)}`;

describe('the session cookie', () => {
  let app: TestApp;
  let api: AccountApi;
  let user: SignedIn;

  const statusWith = async (cookies: string): Promise<number> =>
    (await sendRaw(app, { path: '/login', headers: { Cookie: cookies } })).status;
  const statusOf = (value: string): Promise<number> =>
    statusWith(`${NAME}=${encodeURIComponent(value)}`);

  beforeAll(async () => {
    app = await aTestApp();
    api = new AccountApi(app);
    await app.database.query(`ALTER TABLE users ALTER COLUMN id RESTART WITH ${FIRST_USER_ID}`);
    user = await api.signedIn();
  });
  afterAll(() => app.close());

  it('has the attributes Path=/, Expires, HttpOnly and SameSite=Lax', async () => {
    const response = await api.login(user);

    const [first = '', ...attributes] = setCookieOf(response).split('; ');
    expect(first).toMatch(/^session=s%3Av1\.[\w%.-]+$/);
    expect(attributes).toEqual([
      'Path=/',
      expect.stringMatching(/^Expires=.* GMT$/),
      'HttpOnly',
      'SameSite=Lax',
    ]);
  });

  it('expires in the browser after 14 days', async () => {
    const response = await api.login(user);

    const [, expires = ''] = /Expires=([^;]+)/.exec(setCookieOf(response)) ?? [];
    const days = (Date.parse(expires) - app.clock.now().getTime()) / 86_400_000;
    expect(days).toBeCloseTo(14, 2);
  });

  it('is smaller than 4096 bytes', () => {
    expect(user.cookie.length).toBeLessThan(4096);
  });

  it('is not set by a registration, a failed login or a refresh', async () => {
    const person = { name: 'Bob', email: 'bob@example.com', password: 'a long pass phrase' };

    const responses = [
      await api.post('/register', person),
      await api.login({ ...person, password: 'a wrong pass phrase' }),
      await api.refresh((await api.loggedIn(person)).refreshToken),
      await api.loginWith({ Cookie: `${NAME}=garbage` }),
    ];

    expect(responses.map(setCookieOf)).toEqual(['', '', '', '']);
  });

  it('reveals neither the user id nor that a user is logged in', () => {
    expect(user.id).toBe(FIRST_USER_ID);
    const texts = [user.cookie, ...valueOf(user.cookie).split('.')].flatMap((part) => [
      part,
      Buffer.from(part, 'base64').toString('latin1'),
      Buffer.from(part, 'hex').toString('latin1'),
    ]);
    const telling = texts.filter((text) => /7390518264|authenticated|user_id/.test(text));

    expect(telling).toEqual([]);
  });

  it('differs at each login of the same user', async () => {
    const cookies = await Promise.all([1, 2, 3].map(async () => cookieOf(await api.login(user))));

    expect(new Set(cookies.map((cookie) => sealOf(cookie).split('.')[2]!.slice(0, 16))).size).toBe(
      3,
    );
  });

  it('is rejected when any of its characters is changed', async () => {
    const value = valueOf(user.cookie);
    expect(await statusOf(value)).toBe(200);
    const accepted: number[] = [];

    for (let at = 0; at < value.length; at += 1) {
      if ((await statusOf(withChange(value, at))) !== 401) {
        accepted.push(at);
      }
    }

    expect(accepted).toEqual([]);
  });

  describe('with a valid signature from another program', () => {
    const resigned = (id: string): string => signed(id, app.config.sessionSecrets[0]);
    const bodyOf = (seal: string): string => seal.split('.')[2] ?? '';

    it('is accepted if the encrypted part is unchanged', async () => {
      expect(await statusOf(resigned(sealOf(user.cookie)))).toBe(200);
    });

    it('is rejected if a character of the encrypted part is changed', async () => {
      const seal = sealOf(user.cookie);
      const accepted: number[] = [];

      for (let at = seal.length - 1; at >= 0; at -= 3) {
        if ((await statusOf(resigned(withChange(seal, at)))) !== 401) {
          accepted.push(at);
        }
      }

      expect(accepted).toEqual([]);
    });

    it.each<[string, (seal: string) => string]>([
      ['is empty', () => ''],
      ['is plain JSON', () => '{"authenticated":true,"user_id":"7390518264","epoch":0}'],
      ['has no body', (seal) => seal.replace(bodyOf(seal), '')],
      ['has a body of one byte', (seal) => seal.replace(bodyOf(seal), 'AA')],
      ['has a nonce alone', (seal) => seal.replace(bodyOf(seal), bodyOf(seal).slice(0, 16))],
      ['lacks its last byte', (seal) => seal.slice(0, -2)],
      ['lacks its tag', (seal) => seal.slice(0, -22)],
      ['has a nonce of zeros', (seal) => seal.replace(bodyOf(seal).slice(0, 16), 'A'.repeat(16))],
      ['has a part more', (seal) => `${seal}.x`],
      ['has padding', (seal) => `${seal}=`],
      ['has a later version', (seal) => seal.replace(/^v1/, 'v2')],
      ['has an unknown key id', (seal) => seal.replace(/\.[0-9a-f]{8}\./, '.00000000.')],
      ['has __proto__ as key id', (seal) => seal.replace(/\.[0-9a-f]{8}\./, '.__proto__.')],
    ])('is rejected if the encrypted part %s', async (_, change) => {
      const seal = sealOf(user.cookie);

      expect(await statusOf(resigned(change(seal)))).toBe(401);
    });
  });

  it.each([
    ['empty', `${NAME}=`],
    ['garbage', `${NAME}=garbage`],
    ['a signature without a value', `${NAME}=s%3A`],
    ['only dots', `${NAME}=s%3A...`],
    ['a broken escape', `${NAME}=%E0%A4%A`],
    ['JSON', `${NAME}=j%3A%7B%22authenticated%22%3Atrue%7D`],
    ['an object’s name', `${NAME}=[object Object]`],
    ['of 8 KB', `${NAME}=s%3Av1.${'A'.repeat(8000)}`],
    ['one of 500', Array.from({ length: 500 }, (_, n) => `c${n}=1`).join('; ')],
    ['named __proto__', '__proto__=1; constructor=2'],
    ['without a name', '=; ;;'],
  ])('is rejected if it is %s', async (_, cookies) => {
    expect(await statusWith(cookies)).toBe(401);
  });

  it('is rejected if it is truncated', async () => {
    const value = valueOf(user.cookie);
    const lengths = [value.length - 1, value.length - 44, Math.floor(value.length / 2), 20, 5, 1];

    const statuses = await Promise.all(lengths.map((length) => statusOf(value.slice(0, length))));

    expect(new Set(statuses)).toEqual(new Set([401]));
  });

  it('is read from its first occurrence if it is sent twice', async () => {
    expect(await statusWith(`${user.cookie}; ${NAME}=garbage`)).toBe(200);
    expect(await statusWith(`${NAME}=garbage; ${user.cookie}`)).toBe(401);
  });

  it('is accepted among other cookies', async () => {
    expect(await statusWith(`theme=dark; ${user.cookie}; lang=en`)).toBe(200);
  });

  it('is refused under another name', async () => {
    expect(await statusWith(user.cookie.replace(NAME, '__Host-session'))).toBe(401);
  });

  it('is rejected after the token version was increased', async () => {
    const { id, cookie } = await api.signedIn();
    await app.database.query('UPDATE users SET session_epoch = 1 WHERE id = $1', [id]);

    expect(await statusWith(cookie)).toBe(401);
  });

  it('is accepted until it expires, and rejected after that', async () => {
    const { cookie } = await api.signedIn();

    app.clock.advance(app.config.sessionTtlSeconds - 5);
    const before = await statusWith(cookie);
    app.clock.advance(10);
    const after = await statusWith(cookie);

    expect([before, after]).toEqual([200, 401]);
  });
});
