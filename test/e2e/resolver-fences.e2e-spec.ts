import { type ResolutionAdministrationService } from '../../src/articles/resolver/resolution-administration.service.js';
import { Database } from '../../src/platform/database/database.js';
import { aFetcher } from '../support/a-fetcher.js';
import { NEARBY, NOT_PUBLIC } from '../support/private-hosts.js';
import { until } from '../support/processes.js';
import { ok, PUBLIC_ADDRESS, PublicHost, redirect } from '../support/public-host.js';
import { ReadingListApi } from '../support/reading-list-api.js';
import { resolverParts } from '../support/resolver-parts.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

// Tests every way in which the service fetches against every address that it must never reach. 127.0.0.1 and ::1 count
// connections.
/** Name server answers for misleading names. */
const NAMES: Readonly<Record<string, (round: number) => readonly string[]>> = {
  'four.example': () => ['127.0.0.1'],
  'six.example': () => ['::1'],
  'mapped.example': () => ['::ffff:127.0.0.1'],
  'mixed.example': () => [PUBLIC_ADDRESS, '127.0.0.1'],
  'metadata.example': () => ['169.254.169.254'],
  'crowd.example': () => [...Array<string>(999).fill(PUBLIC_ADDRESS), '10.0.0.1'],
  'rebound.example': (round) => [round % 2 === 0 ? '127.0.0.1' : '::1'],
};
const HOSTS = [...NOT_PUBLIC, ...NEARBY, ...Object.keys(NAMES)];
/** One address per class, for tests with many variants. */
const CLASSES = [
  ...['127.0.0.1', '2130706433', '127。0。0。1', '169.254.169.254', '[::1]', '[::127.0.0.1]'],
  ...['[64:ff9b::7f00:1]', '[::ffff:7f00:1]', 'user:pass@127.0.0.1', 'localhost', 'db'],
  ...['four.example', 'six.example', 'mixed.example', 'rebound.example'],
];
const PROXIES = ['HTTP_PROXY', 'HTTPS_PROXY', 'http_proxy', 'https_proxy', 'ALL_PROXY'];

let host: PublicHost;
let app: TestApp;
let api: ReadingListApi;
let pages = 0;
let rounds = 0;

beforeAll(async () => {
  host = await PublicHost.start();
  PROXIES.forEach((name) => (process.env[name] = `http://127.0.0.1:${host.port}`));
  process.env['NODE_USE_ENV_PROXY'] = '1';
  const lookup = (name: string): Promise<readonly string[]> =>
    Promise.resolve(NAMES[name]?.((rounds += 1)) ?? [PUBLIC_ADDRESS]);
  app = await aTestApp({
    config: { resolverConcurrency: 2, resolveWaitMs: 60_000 },
    fetcher: aFetcher(host, { network: { lookup } }),
  });
  api = await ReadingListApi.of(app);
});
afterAll(async () => {
  [...PROXIES, 'NODE_USE_ENV_PROXY'].forEach((name) => Reflect.deleteProperty(process.env, name));
  await app.close();
  await host.stop();
});
afterEach(() => {
  expect(host.canaryHits).toBe(0);
  expect(app.log()).not.toMatch(/"level":(?:50|60|"(?:error|fatal)")|"statusCode":5/);
});

/** The administrator's commands. */
const administration = (): ResolutionAdministrationService =>
  resolverParts(app.app.get(Database)).administration;

const aPublicUrl = (): string => host.url('/', `public${(pages += 1)}.example`);

/** Returns a new URL of a private address. */
const aPrivateUrl = (name: string): string => host.url(`/${(pages += 1)}`, name);

/** Waits until every requested page has been tried. */
const quiet = (): Promise<void> =>
  until(async () => {
    const busy = await app.app.get(Database).manager.query<unknown[]>(
      `SELECT FROM page_requests LEFT JOIN pages USING (page_key) WHERE page_requests.page_id IS NULL
         AND (pages.page_key IS NULL OR lease IS NOT NULL OR failure IS NULL)`,
    );
    return busy.length === 0;
  }, 'quiet');

const resolvedId = async (url: string): Promise<string> =>
  (await api.add({ url }).expect(200)).body.item.resolved_id;

describe('a private address', () => {
  it('is saved and never fetched by /v3/add', async () => {
    for (const name of HOSTS) {
      expect([name, await resolvedId(aPrivateUrl(name))]).toEqual([name, '0']);
    }
  });

  it('is saved and never fetched by the actions of /v3/send', async () => {
    const urls = HOSTS.map(aPrivateUrl);

    const { action_results } = await api.sent(...urls.map((url) => ({ action: 'add', url })));
    await quiet();

    expect(action_results).toHaveLength(urls.length);
    expect(action_results).not.toContain(false);
    expect((await administration().status()).read).toBe(0);
  });

  it('is never fetched by the commands retry and refresh', async () => {
    expect(await administration().retry()).toBeGreaterThan(HOSTS.length);
    await quiet();
    expect(await administration().refresh()).toBeGreaterThan(HOSTS.length);
    await quiet();

    expect((await administration().status()).read).toBe(0);
  });
});

describe('a public page', () => {
  it.each([301, 302, 303, 307, 308])('cannot redirect to a private host by %d', async (status) => {
    for (const name of CLASSES) {
      host.answer(redirect(aPrivateUrl(name), status));

      expect([name, await resolvedId(aPublicUrl())]).toEqual([name, '0']);
    }
  });

  it.each(['file:///etc/passwd', 'data:text/html,x', 'gopher://a.example/', 'javascript:alert(1)'])(
    'cannot redirect to %s',
    async (target) => {
      host.answer(redirect(target));

      expect(await resolvedId(aPublicUrl())).toBe('0');
    },
  );

  it('cannot redirect to a private host by a meta refresh', async () => {
    for (const name of HOSTS) {
      host.answer(
        ok(`<title>Here</title><meta http-equiv=refresh content="0;url=${aPrivateUrl(name)}">`),
        'HTTP/1.1 500 Not asked\r\nContent-Length: 0\r\n\r\n',
      );
      const url = aPublicUrl();

      const { item } = (await api.add({ url }).expect(200)).body;

      expect([name, item]).toEqual([name, expect.objectContaining({ title: 'Here' })]);
      expect(item.resolved_url).toBe(url);
    }
  });

  it('causes no request to the private addresses in its HTML and headers', async () => {
    for (const name of HOSTS) {
      const inner = aPrivateUrl(name);
      host.answer(ok(pageThatNames(inner), ...named(inner)));
      const url = aPublicUrl();

      const { item } = (await api.add({ url }).expect(200)).body;

      expect([name, item.resolved_url, item.title]).toEqual([name, url, 'A page of names']);
      expect(host.heads).toHaveLength(1);
    }
  });

  it('is not fetched again after its host name resolves to a private address', async () => {
    const url = aPrivateUrl('rebinding.example');
    host.answer(ok('<title>Public still</title>'));
    const itemId = await api.saved(url);
    Object.assign(NAMES, { 'rebinding.example': () => ['127.0.0.1'] });
    await administration().refresh();
    await quiet();

    expect(host.heads.filter((head) => head.includes('rebinding.example'))).toHaveLength(1);
    expect((await api.item(itemId))?.resolved_title).toBe('Public still');
  });
});

describe('a request for a page', () => {
  it('is sent to the host of the URL, even if the path contains an @', async () => {
    host.answer(ok('<title>Outside</title>'));

    expect(await resolvedId(`http://outside.example:${host.port}\\@127.0.0.1/`)).not.toBe('0');
    expect(host.heads[0]).toMatch(/^GET \/@127\.0\.0\.1\/ HTTP\/1\.1\r\nhost: outside\.example:/i);
  });

  it('keeps line breaks of the URL percent-encoded', async () => {
    host.answer(ok('<title>Split</title>'));

    await resolvedId(host.url('/%0d%0aHost:%20x?%0D%0AX: y', 'split.example'));

    expect(host.heads[0]).toMatch(/^GET \/%0d%0aHost:%20x\?%0D%0AX:%20y HTTP\/1\.1\r\n/);
    expect(host.heads[0]?.match(/^host:/gim)).toHaveLength(1);
  });

  it('contains no cookies of earlier responses and no password of the URL', async () => {
    const url = aPublicUrl();
    const cookies = ['Set-Cookie: a=b; Path=/', 'Strict-Transport-Security: max-age=99'];
    host.answer(
      redirect('/next', 302, ...cookies),
      ok('<title>Cookies</title>', ...cookies),
      'HTTP/1.1 401 No\r\nWWW-Authenticate: Basic realm=x\r\nContent-Length: 0\r\n\r\n',
    );

    expect(await resolvedId(url.replace('//', '//ada:secret@'))).not.toBe('0');
    expect(await resolvedId(`${url}locked`)).toBe('0');

    expect(host.heads).toHaveLength(3);
    expect(host.heads.join('')).not.toMatch(/cookie|authorization|secret/i);
    expect(app.log()).not.toContain('secret');
  });
});

describe('a URL that is invalid or not http', () => {
  it.each([
    ...['http://256.256.256.256/', 'http://127.0.0.1.5/', 'http://[1:2:3:4:5:6:7:8:9]/'],
    ...['http://[::1', 'http://xn--a/', 'http://[fe80::1%25eth0]/', 'http://', ''],
    ...['file:///etc/passwd', 'file://\\/\\/etc/passwd', 'data:text/html,<script>', '/x', '?x'],
    ...['javascript:alert(1)', 'JaVaScRiPt:alert(1)', 'vbscript:x', 'gopher://a.example/'],
  ])('is rejected: %s', async (url) => {
    const before = (await api.found()).list;

    const { status } = await api.add({ url });
    const { action_results } = await api.sent({ action: 'add', url });

    expect([status, action_results]).toEqual([400, [false]]);
    expect((await api.found()).list).toEqual(before);
  });
});

/** Headers must be ASCII. */
const named = (url: string): string[] => [
  `Refresh: 0;url=${encodeURI(url)}`,
  `Link: <${encodeURI(url)}>; rel=preload`,
];

function pageThatNames(url: string): string {
  const linked = JSON.stringify({ '@type': 'Article', image: url, author: { name: 'A B', url } });
  return `<html><head><title>A page of names</title>
    <base href="${url}"><link rel=canonical href="${url}"><link rel=icon href="${url}">
    <link rel=alternate type=application/rss+xml href="${url}"><link rel=stylesheet href="${url}">
    <link rel=alternate type=application/json+oembed href="${url}"><link rel=amphtml href="${url}">
    <meta property=og:image content="${url}"><meta property=og:video content="${url}">
    <meta property=og:url content="${url}"><script type=application/ld+json>${linked}</script>
    <script src="${url}"></script></head><body><h1>A page of names</h1>
    <img src="${url}" srcset="${url} 2x"><iframe src="${url}"></iframe><video src="${url}" poster="${url}"></video>
    <object data="${url}"></object><p>${'Words of a page. '.repeat(30)}</p></body></html>`;
}
