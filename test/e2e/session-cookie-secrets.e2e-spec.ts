import { AccountApi, cookieOf, setCookieOf } from '../support/account-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

const FIRST = 'the first secret of this service, 32 bytes and more';
const SECOND = 'the second secret of this service, 32 bytes and more';

const BEHIND_TLS = { publicUrl: new URL('https://reading.example'), trustProxy: 1 } as const;
const BY_TLS = { 'X-Forwarded-Proto': 'https' };

describe('the session cookie while the secret is rotated', () => {
  let first: TestApp;
  let cookie: string;

  /** Starts another instance on the same database. It handles sessions for both, because passport is process-wide. */
  const instanceWith = (...sessionSecrets: [string, ...string[]]): Promise<TestApp> =>
    aTestApp({ beside: { ...first, config: { ...first.config, sessionSecrets } } });

  const statusAt = async (...sessionSecrets: [string, ...string[]]): Promise<number> => {
    const instance = await instanceWith(...sessionSecrets);
    try {
      return (await new AccountApi(instance).loginWith({ Cookie: cookie })).status;
    } finally {
      await instance.close();
    }
  };

  beforeAll(async () => {
    first = await aTestApp({ config: { sessionSecrets: [FIRST] } });
    ({ cookie } = await new AccountApi(first).signedIn());
  });
  afterAll(() => first.close());

  it('is accepted by another instance with the same secret', async () => {
    expect(await statusAt(FIRST)).toBe(200);
  });

  it('is accepted if its secret is the second of two', async () => {
    expect(await statusAt(SECOND, FIRST)).toBe(200);
  });

  it('is rejected if its secret is removed', async () => {
    expect(await statusAt(SECOND)).toBe(401);
  });

  it('is renewed with the new secret', async () => {
    const rotating = await instanceWith(SECOND, FIRST);
    cookie = cookieOf(await new AccountApi(rotating).loginWith({ Cookie: cookie }));
    await rotating.close();

    expect(await statusAt(SECOND)).toBe(200);
  });
});

describe('the session cookie over TLS', () => {
  let app: TestApp;
  let api: AccountApi;

  beforeAll(async () => {
    app = await aTestApp({ config: BEHIND_TLS });
    api = new AccountApi(app);
  });
  afterAll(() => app.close());

  const cookieOverTls = async (): Promise<string> =>
    setCookieOf(await api.post('/login', await api.registered(), BY_TLS));

  it('has the prefix __Host- and the attribute Secure', async () => {
    const [first = '', ...attributes] = (await cookieOverTls()).split('; ');

    expect(first).toMatch(/^__Host-session=s%3Av1\./);
    expect(attributes).toEqual([
      'Path=/',
      expect.stringMatching(/^Expires=/),
      'HttpOnly',
      'Secure',
      'SameSite=Lax',
    ]);
  });

  it('is set with Strict-Transport-Security for this host only', async () => {
    const response = await api.post('/login', await api.registered(), BY_TLS);

    expect(response.headers['strict-transport-security']).toMatch(/^max-age=\d{7,}$/);
  });

  it('is not set over a connection without TLS', async () => {
    const response = await api.login(await api.registered()).expect(200);

    expect(setCookieOf(response)).toBe('');
  });

  it('authenticates the user', async () => {
    const [cookie = ''] = (await cookieOverTls()).split(';');

    await api.loginWith({ ...BY_TLS, Cookie: cookie }).expect(200);
  });

  it.each([
    ['its own', 'https://reading.example', 200],
    ['the same host without TLS', 'http://reading.example', 401],
    ['a subdomain', 'https://evil.reading.example', 401],
    ['another site', 'https://evil.example', 401],
  ])('is accepted only from its own origin: %s', async (_, origin, status) => {
    const [cookie = ''] = (await cookieOverTls()).split(';');

    await api.loginWith({ ...BY_TLS, Cookie: cookie, Origin: origin }).expect(status);
  });

  it('is cleared with the attributes it was set with', async () => {
    const [cookie = ''] = (await cookieOverTls()).split(';');

    const response = await api.logout({ ...BY_TLS, Cookie: cookie });

    const [first, ...attributes] = setCookieOf(response).split('; ');
    expect(first).toBe('__Host-session=');
    expect(attributes).toEqual(
      expect.arrayContaining(['Path=/', 'Expires=Thu, 01 Jan 1970 00:00:00 GMT', 'Secure']),
    );
  });

  /** Must be the last test, because the new instance handles logins for both from now on. */
  it('has the prefix __Secure- if PUBLIC_URL has a path', async () => {
    const publicUrl = new URL('https://home.example/satchel/');
    const below = await aTestApp({ beside: { ...app, config: { ...app.config, publicUrl } } });
    const accounts = new AccountApi(below);
    const person = await accounts.registered();

    const login = await accounts.post('/satchel/login', person, BY_TLS).expect(200);
    const other = await accounts.post('/satchel/login', undefined, {
      ...BY_TLS,
      Cookie: cookieOf(login),
    });
    await below.close();

    expect(setCookieOf(login)).toMatch(/^__Secure-session=s%3Av1\..*; Path=\/satchel; .*; Secure;/);
    expect(other.status).toBe(200);
  });
});

describe('the session cookie of a service that has moved to TLS', () => {
  let plain: TestApp;
  let underTls: TestApp;

  beforeAll(async () => {
    plain = await aTestApp();
    underTls = await aTestApp({ beside: { ...plain, config: { ...plain.config, ...BEHIND_TLS } } });
  });
  afterAll(async () => {
    await underTls.close();
    await plain.close();
  });

  it('is rejected if it was set without TLS and then renamed', async () => {
    const { cookie } = await new AccountApi(plain).signedIn();
    const renamed = cookie.replace('session', '__Host-session');

    const response = await new AccountApi(underTls).loginWith({ ...BY_TLS, Cookie: renamed });

    expect(response.status).toBe(401);
  });
});
