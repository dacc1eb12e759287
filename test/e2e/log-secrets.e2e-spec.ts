import { FeedsService } from '../../src/apis/feeds/feeds.service.js';
import { AccountApi, bearer, sendRaw, type SignedIn } from '../support/account-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

const JWT_SECRET = 'the secret of the access tokens, 32 bytes and more';
const SESSION_SECRET = 'the secret of the session cookies, 32 bytes and more';
const PASSWORD = 'Tr0ub4dor and three more';
const WRONG = 'hunter2 hunter2';
const JSON_TYPE = { 'Content-Type': 'application/json' };

/** Everything that a client does in a session, including mistakes and attacks. */
async function session(api: AccountApi, app: TestApp): Promise<SignedIn[]> {
  const user = await api.signedIn({ password: PASSWORD });
  const { cookie, accessToken, refreshToken, email } = user;
  const byCookie = await api.loginWith({ Cookie: cookie });
  const byToken = await api.loginWith(bearer(accessToken));
  await api.login({ email, password: WRONG });
  await api.post('/register', { name: 'Ada', email, password: PASSWORD });
  await api.post('/register', { name: 1, email: 2, password: 'P'.repeat(80) });
  await api.refresh(refreshToken);
  await api.refresh(`${refreshToken}x`);
  await api.post(`/login?password=${PASSWORD}&access_token=${accessToken}`, {});
  await sendRaw(app, { path: '/login', headers: JSON_TYPE, body: `{"password":"${PASSWORD}"` });
  await sendRaw(app, {
    path: '/login',
    headers: JSON_TYPE,
    body: `{"password":"${PASSWORD}\\u0000"}`,
  });
  await sendRaw(app, { path: '/login', body: `password=${PASSWORD}`, headers: {} });
  await api.loginWith({ Cookie: `${cookie.slice(0, -1)}x`, ...bearer(`${accessToken}x`) });
  const again = await api.loggedIn(user);
  const { body } = await api.refresh(again.refreshToken);
  await app.database.query(
    `UPDATE rotated_refresh_tokens SET rotated_at = now() - interval '1 day'`,
  );
  await api.refresh(again.refreshToken);
  const last = await api.loggedIn(user);
  await api.logout({ Cookie: last.cookie });
  const pairs = [byCookie.body, byToken.body, body].map((pair) => ({
    ...user,
    accessToken: String(pair.access_token),
    refreshToken: String(pair.refresh_token),
  }));
  return [user, again, last, ...pairs];
}

/** Requests a user's feeds at valid and nearly valid addresses. Returns the feed token. */
async function feedsRead(app: TestApp, { id }: SignedIn): Promise<string> {
  const feeds = app.app.get(FeedsService);
  await feeds.issue({ id });
  const start = (await feeds.pathsOf(id))!.tags.replace(/tag\/$/, '');
  const token = start.split('/')[2]!;
  const paths = [
    ...[`${start}unread.atom`, `${start}tag/x.json`, `${start}nothing`, start, `/feeds/${token}`],
    ...[`//feeds//${token}/unread.atom`, `/FEEDS/${token}/unread.atom`, `/x/feeds/${token}`],
  ];
  for (const path of paths) {
    await sendRaw(app, { method: 'GET', path });
  }
  await sendRaw(app, { method: 'DELETE', path: `${start}unread.atom` });
  await app.database.query('ALTER TABLE items RENAME TO hidden_items');
  await sendRaw(app, { method: 'GET', path: `${start}unread.atom` });
  await app.database.query('ALTER TABLE hidden_items RENAME TO items');
  return token;
}

/** Encodings in which a secret could occur in the log. */
const formsOf = (secret: string): string[] => [
  secret,
  encodeURIComponent(secret),
  Buffer.from(secret).toString('base64'),
  Buffer.from(secret).toString('hex'),
];

describe('the log at the level trace', () => {
  let app: TestApp;
  let api: AccountApi;

  beforeAll(async () => {
    app = await aTestApp({
      config: { logLevel: 'trace', jwtSecrets: [JWT_SECRET], sessionSecrets: [SESSION_SECRET] },
    });
    api = new AccountApi(app);
  });
  afterAll(() => app.close());

  const hashes = async (): Promise<string[]> => {
    const rows = await app.database.query<{ hash: string }>(
      'SELECT password_hash AS hash FROM users',
    );
    return rows.map(({ hash }) => hash);
  };

  it('contains a line for each request of a session', async () => {
    await session(api, app);

    const lines = app
      .log()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const requests = lines.filter(({ msg }) => msg === 'request');
    expect(requests.length).toBeGreaterThan(15);
    expect(requests[0]).toEqual({
      level: 30,
      time: expect.any(String),
      reqId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      req: { method: 'POST', path: '/register', route: '/register', from: '127.0.0.1' },
      res: { status: 201 },
      responseTime: expect.any(Number),
      msg: 'request',
    });
  });

  it('contains no password, token, cookie or secret of a session', async () => {
    const users = await session(api, app);

    const secrets = [
      ...[PASSWORD, WRONG, 'PPPPPPPP', JWT_SECRET, SESSION_SECRET, ...(await hashes())],
      ...users.flatMap(({ accessToken, refreshToken, cookie }) => [
        accessToken,
        accessToken.split('.')[1]!,
        accessToken.split('.')[2]!,
        refreshToken,
        cookie,
        decodeURIComponent(cookie).split('.')[2]!,
      ]),
    ];
    const log = app.log();
    expect(secrets.flatMap(formsOf).filter((secret) => log.includes(secret))).toEqual([]);
  });

  it('contains no feed token', async () => {
    const token = await feedsRead(app, await api.signedIn());

    expect(app.log()).toContain('"path":"/feeds/…/unread.atom"');
    expect(app.log()).toContain('"code":"internal_error"');
    expect(formsOf(token).filter((secret) => app.log().includes(secret))).toEqual([]);
  });

  it('contains no values of a failed query', async () => {
    await app.database.query(`ALTER TABLE users ADD CONSTRAINT no_log CHECK (name <> 'Log')`);
    const person = { name: 'Log', email: 'log@example.com', password: PASSWORD };

    await api.post('/register', person).expect(500);

    expect(app.log()).toContain('no_log');
    expect(app.log()).not.toMatch(/\$2b\$04\$|log@example\.com/);
  });

  it('contains no token hash of a failed query', async () => {
    const { refreshToken, email } = await api.signedIn();
    await app.database.query(
      'ALTER TABLE refresh_tokens ADD CONSTRAINT no_more CHECK (user_id < 0) NOT VALID',
    );

    await api.login({ email, password: 'a long pass phrase' }).expect(500);
    await api.refresh(refreshToken).expect(500);

    await app.database.query('ALTER TABLE refresh_tokens DROP CONSTRAINT no_more');
    expect(app.log()).toContain('no_more');
    expect(app.log()).not.toMatch(/\\\\x[0-9a-f]{64}|"type":"Buffer"|"parameters"/);
  });

  it.each([
    ['a line break', '/%0d%0a{"level":60}'],
    ['a terminal escape', '/%1b[2J'],
    ['a raw terminal escape in a header', '/x'],
    ['quotes', '/"},"level":60,"x":"'],
  ])('contains one JSON object per line after %s', async (_, path) => {
    await sendRaw(app, { path, headers: { 'User-Agent': 'a\u009b2J', 'X-Request-Id': '"}\t{' } });

    const lines = app.log().trim().split('\n');
    expect(lines.map((line) => typeof JSON.parse(line))).not.toContain('string');
    expect(app.log()).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
  });
});
