import { connect } from 'node:net';

import { AccountApi, aPerson, type RawResponse, sendRaw } from '../support/account-api.js';
import { aVisitor } from '../support/oauth-api.js';
import { formIn, headingOf, PageVisitor, shownText } from '../support/page-visitor.js';
import { ReadingListApi } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

const EVIL = 'evil.example.com:3000';
const HTML = { Accept: 'text/html' };
const JSON_TYPE = { 'Content-Type': 'application/json' };
const ACCOUNT = ['/register', '/login', '/refresh', '/logout', '/login/', '/REGISTER'];
const PAGES = [
  ...['/', '/auth/login', '/auth/register', '/auth/forgot', '/list', '/save', '/account', '/admin'],
  ...['/welcome', '/shared/x', '/shared/lists/x', '/unsubscribe/x', '/wallabag', '/wallabag/login'],
  ...['/service-worker.js', '/offline', '/docs', '/openapi.json', '/nothing', '/v3', '/opdsx'],
];

let app: TestApp;
let api: AccountApi;

beforeAll(async () => {
  app = await aTestApp({ config: { host: '0.0.0.0' } });
  api = new AccountApi(app);
});
afterAll(() => app.close());
afterEach(() => Object.assign(app.config, { publicUrl: undefined, host: '0.0.0.0' }));

const set = (settings: object): unknown => Object.assign(app.config, settings);
const get = (path: string, headers: Record<string, string>): Promise<RawResponse> =>
  sendRaw(app, { method: 'GET', path, headers });
const codeOf = ({ status, text }: RawResponse): unknown[] => [status, JSON.parse(text).code];
const statusAt = async (Host: string): Promise<number> =>
  (await get('/auth/login', { ...HTML, Host })).status;
const countOfUsers = async (): Promise<number> =>
  (await app.database.query<{ n: number }>('SELECT count(*)::int AS n FROM users'))[0]?.n ?? -1;

describe('a request with the host of another website', () => {
  it.each(PAGES)('is rejected at %s', async (path) => {
    expect((await get(path, { ...HTML, Host: EVIL })).status).toBe(421);
  });

  it.each(ACCOUNT)('is rejected at %s, with a code', async (path) => {
    const body = JSON.stringify(aPerson());

    const answer = await sendRaw(app, { path, headers: { ...JSON_TYPE, Host: EVIL }, body });

    expect(codeOf(answer)).toEqual([421, 'unknown_host']);
    expect(answer.text).toContain('check that PUBLIC_URL is the address');
  });

  it('creates no account, by JSON or by the form', async () => {
    const before = await countOfUsers();
    const visitor = new PageVisitor(app);
    const form = formIn(await visitor.open('/auth/register').expect(200), '/auth/register');
    const { name, email, password } = aPerson();

    await api.post('/register', aPerson()).set('Host', EVIL).expect(421);
    await visitor.submit(form, { name, email, password }).set('Host', EVIL).expect(421);

    expect(await countOfUsers()).toBe(before);
  });

  it('shows a page that names the setting, but not the host', async () => {
    const page = await new PageVisitor(app).open('/').set({ ...HTML, Host: EVIL });

    expect(page.status).toBe(421);
    expect(headingOf(page)).toBe('Misdirected Request');
    expect(shownText(page)).toContain('check that PUBLIC_URL is the address that people use');
    expect(page.text).not.toContain('evil');
    expect(page.headers['set-cookie']).toBeUndefined();
  });

  it('is reported in the log once, without the host', async () => {
    await get('/', { Host: EVIL });
    await get('/list', { Host: EVIL });

    const warnings = app.log().match(/The host name of the request is not a host name/g);
    expect(warnings).toHaveLength(1);
  });

  it('is rejected although the session is valid', async () => {
    const ada = await aVisitor(app);

    await ada.open('/account').set('Host', EVIL).expect(421);
    await ada.open('/account').expect(200);
  });

  it.each([
    ...['evil.com', 'EVIL.COM:80', 'evil.com.', 'localhost.evil.com', '127.0.0.1.nip.io'],
    ...['localhost@evil.com', '<script>', 'a"b', '1.2.3.4.5'],
  ])('is rejected for the host %j', async (host) => {
    const answer = await get('/auth/login', { ...HTML, Host: host });

    expect(answer.status).toBe(421);
    expect(answer.text).not.toMatch(/evil|<script>|a"b/i);
  });

  it.each(['evil.com', 'localhost, evil.com', 'evil.com, localhost', 'localhost,'])(
    'is rejected if a proxy has replaced the host and forwards %j',
    async (forwarded) => {
      const headers = { ...HTML, Host: '127.0.0.1:3000', 'X-Forwarded-Host': forwarded };

      expect((await get('/auth/login', headers)).status).toBe(421);
    },
  );
});

describe('a request with a host of the service', () => {
  it.each([
    ...[
      '127.0.0.1',
      '127.0.0.1:3000',
      '192.168.1.5:3000',
      '203.0.113.7',
      '[::1]:3000',
      '[FE80::1]',
    ],
    ...['localhost', 'LocalHost:3000', 'localhost.', 'satchel.localhost', 'satchel', 'my_nas:80'],
    ...['nas.local', 'nas.lan:3000', 'nas.home.arpa', 'nas.internal', 'nas.home', 'satchel.test'],
  ])('opens a page at %s, also if a proxy forwards the host', async (host) => {
    const forwarded = { ...HTML, Host: '127.0.0.1:3000', 'X-Forwarded-Host': host };

    expect(await statusAt(host)).toBe(200);
    expect((await get('/auth/login', forwarded)).status).toBe(200);
  });

  it('opens a page at the host of PUBLIC_URL, at any port and below any path', async () => {
    set({ publicUrl: new URL('https://satchel.example.org/satchel') });

    expect(await statusAt('satchel.example.org')).toBe(200);
    expect(await statusAt('SATCHEL.example.org.:8080')).toBe(200);
    expect(await statusAt('127.0.0.1')).toBe(200);
    expect(await statusAt('example.org')).toBe(421);
  });

  it('is not a name of the local network if only this machine can reach the service', async () => {
    set({ host: '127.0.0.1' });

    expect(await statusAt('localhost:3000')).toBe(200);
    expect(await statusAt('192.168.1.5:3000')).toBe(200);
    expect(await statusAt('x.lan:3000')).toBe(421);
    expect(await statusAt('nas:3000')).toBe(421);
  });

  it('opens a page if a proxy forwards no host', async () => {
    const headers = { ...HTML, Host: 'localhost', 'X-Forwarded-Host': '' };

    expect((await get('/auth/login', headers)).status).toBe(200);
  });

  it('opens a page at the name in HOST', async () => {
    set({ host: 'nas.example.org' });

    expect(await statusAt('nas.example.org:3000')).toBe(200);
    expect(await statusAt('example.org')).toBe(421);
  });

  it('needs no Host header in HTTP/1.0', async () => {
    const { hostname, port } = new URL(app.url);
    const socket = connect(Number(port), hostname);
    socket.write('GET /auth/login HTTP/1.0\r\n\r\n');
    const chunks = await socket.toArray();

    expect(Buffer.concat(chunks).toString()).toMatch(/^HTTP\/1\.1 200 /);
  });
});

describe('a path that needs no session', () => {
  it.each([
    ...([
      ['/health', 200],
      ['/ready', 200],
      ['/ready/', 200],
      ['/pages/style.css', 200],
      ['/opds', 401],
      ['/feeds/x/unread.atom', 404],
      ['/images/1/1/x', 404],
      ['/wallabag/api/entries', 401],
      ['/wallabag/api/version', 200],
      ['/v3/nothing', 404],
    ] as const),
  ])('is open to any host: %s', async (path, status) => {
    expect((await get(path, { Host: EVIL })).status).toBe(status);
  });

  it('is open to clients that call the host of Pocket', async () => {
    const list = await ReadingListApi.of(app);
    const pocket = { Host: 'getpocket.com', 'X-Forwarded-Host': 'getpocket.com' };

    await list.post('/v3/add', { url: 'https://example.com/' }).set(pocket).expect(200);
    await list.post('/v3/get', {}).set(pocket).expect(200);
  });
});

describe('a page at the host of Pocket, which a program for Pocket opens', () => {
  const PAGE = '/auth/authorize?request_token=x&redirect_uri=https://evil.com/';
  const POCKET = { ...HTML, Host: 'getpocket.com' };
  const isSet = (): unknown => set({ publicUrl: new URL('https://satchel.example.org/satchel') });

  it.each(['getpocket.com', 'www.getpocket.com', 'GetPocket.com.:443'])(
    'redirects from %s to PUBLIC_URL',
    async (host) => {
      isSet();
      const forwarded = { ...HTML, Host: '127.0.0.1:3000', 'X-Forwarded-Host': host };

      for (const headers of [{ ...HTML, Host: host }, forwarded]) {
        const { status, headers: answered } = await get(PAGE, headers);

        expect(status).toBe(303);
        expect(answered.location).toBe(`https://satchel.example.org/satchel${PAGE}`);
      }
    },
  );

  it('stays at PUBLIC_URL, whatever the path is', async () => {
    set({ publicUrl: new URL('https://satchel.example.org') });

    for (const path of ['//evil.com/', '.evil.com/', '@evil.com/', 'http://evil.com/', '*']) {
      const { headers } = await get(path, POCKET);

      const { origin } = new URL(headers.location ?? 'https://satchel.example.org');
      expect(origin).toBe('https://satchel.example.org');
    }
  });

  it('is rejected without PUBLIC_URL', async () => {
    expect((await get(PAGE, POCKET)).status).toBe(421);
  });

  it.each(['getpocket.com.evil.com', 'evil-getpocket.com', 'a.b.getpocket.com'])(
    'is rejected at %s',
    async (host) => {
      isSet();

      expect(await statusAt(host)).toBe(421);
      expect((await get(PAGE, { ...POCKET, 'X-Forwarded-Host': host })).status).toBe(421);
    },
  );

  it('accepts no form', async () => {
    isSet();

    await api.post('/register', aPerson()).set('Host', 'getpocket.com').expect(421);
  });
});

describe('a service with a proxy that logs users in', () => {
  it('ignores the user in a request of a rebound website, which can forge the header', async () => {
    const config = { trustProxy: ['127.0.0.1'], forwardAuthHeader: 'remote-email' };
    const behindProxy = await aTestApp({ config });
    const ada = await new AccountApi(behindProxy).verified();
    const forged = {
      ...{ Host: EVIL, 'Remote-Email': ada.email, 'X-Forwarded-Host': 'localhost' },
      'X-Forwarded-For': '127.0.0.1',
    };

    const answer = await sendRaw(behindProxy, { method: 'GET', path: '/account', headers: forged });

    expect(answer.status).toBe(421);
    expect(answer.text).not.toContain(ada.email);
    await behindProxy.close();
  });
});
