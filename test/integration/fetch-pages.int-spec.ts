import { readFileSync } from 'node:fs';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo } from 'node:net';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';

import { aFetcher, NOW } from '../support/a-fetcher.js';
import { ok, PUBLIC_ADDRESS, PublicHost, redirect } from '../support/public-host.js';

const PAGE = '<!doctype html><title>Été</title><p>text';

let host: PublicHost;
beforeAll(async () => {
  host = await PublicHost.start();
});
afterAll(() => host.stop());
afterEach(() => {
  expect(host.canaryHits).toBe(0);
});

describe('a fetched page', () => {
  it('is returned with its headers, route and body', async () => {
    const headers = ['ETag: "v1"', 'Last-Modified: Sun, 01 Mar 2026 10:00:00 GMT'];
    host.answer(ok(PAGE, 'Content-Type: Text/HTML; charset=UTF-8', ...headers));

    const outcome = await aFetcher(host).fetch(host.url('/a?b=1#c'));

    expect(outcome).toEqual({
      kind: 'page',
      route: { finalUrl: host.url('/a?b=1#c'), redirects: [], isInnerDomainRedirect: false },
      status: 200,
      headers: {
        contentType: 'Text/HTML; charset=UTF-8',
        contentLanguage: undefined,
        etag: '"v1"',
        lastModified: 'Sun, 01 Mar 2026 10:00:00 GMT',
      },
      mimeType: 'text/html',
      contentLength: Buffer.byteLength(PAGE),
      body: Buffer.from(PAGE),
      isTruncated: false,
      fetchedAtMs: NOW.getTime(),
    });
  });

  it.each([
    ['gzip', gzipSync(PAGE)],
    ['GZIP', gzipSync(PAGE)],
    ['x-gzip', gzipSync(PAGE)],
    ['gzip', gzipSync(PAGE).subarray(0, -8)],
    ['deflate', deflateSync(PAGE)],
    ['deflate', deflateRawSync(PAGE)],
    ['br', brotliCompressSync(PAGE)],
    ['identity', Buffer.from(PAGE)],
  ])('is decoded by its content encoding: %s', async (encoding, bytes) => {
    host.answer(ok(bytes, `Content-Encoding: ${encoding}`));

    const outcome = await aFetcher(host).fetch(host.url());

    expect(outcome).toMatchObject({ body: Buffer.from(PAGE), isTruncated: false });
  });

  it('is requested without cookies, credentials or other personal data', async () => {
    host.answer(ok(PAGE, 'Set-Cookie: a=b', 'Strict-Transport-Security: max-age=9'), ok(PAGE));
    const fetcher = aFetcher(host);

    await fetcher.fetch(host.url('/', 'someone:secret@page.example'));
    await fetcher.fetch(host.url('/'));

    const [first = '', second = ''] = host.heads;
    expect(second).toBe(first);
    expect(first.split('\r\n').filter((line) => line !== '')).toEqual([
      'GET / HTTP/1.1',
      `host: page.example:${host.port}`,
      'connection: close',
      'user-agent: Satchel/test',
      expect.stringMatching(/^accept: text\/html/),
      expect.stringMatching(/^accept-encoding: gzip, deflate, br(, zstd)?$/),
    ]);
  });

  it('is requested with encoded line breaks unchanged and raw line breaks removed', async () => {
    host.answer(ok(PAGE));

    await aFetcher(host).fetch(host.url('/%0d%0aHost:%20x?a=%0d%0aX:%20y'));
    await aFetcher(host).fetch(host.url('/a\r\nHost: x'));

    expect(host.heads[0]).toContain('GET /%0d%0aHost:%20x?a=%0d%0aX:%20y HTTP/1.1\r\n');
    expect(host.heads[1]).toContain('GET /aHost:%20x HTTP/1.1\r\n');
  });

  it('is requested by its ASCII host name without a final dot', async () => {
    host.answer(ok(PAGE));

    await aFetcher(host).fetch(host.url('/', 'faß.example.'));

    expect(host.heads[0]).toContain(`host: xn--fa-hia.example:${host.port}\r\n`);
  });

  it('is requested from the host before a backslash, as in a browser', async () => {
    host.answer(ok(PAGE));

    const url = `http://page.example:${host.port}\\@127.0.0.1/`;
    const outcome = await aFetcher(host).fetch(url);

    expect(outcome).toMatchObject({ route: { finalUrl: host.url('/@127.0.0.1/') } });
  });

  it('is requested without the proxy of the environment variables', async () => {
    const proxy = `http://127.0.0.1:${host.port}`;
    const names = ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'ALL_PROXY', 'NODE_USE_ENV_PROXY'];
    names.forEach((name) => (process.env[name] = proxy));
    host.answer(ok(PAGE));

    const outcome = await aFetcher(host).fetch(host.url());

    names.forEach((name) => Reflect.deleteProperty(process.env, name));
    expect(outcome.kind).toBe('page');
  });

  it('does not cause requests for other resources', async () => {
    const to = (path: string): string => host.url(path, '127.0.0.1');
    host.answer(
      ok(
        `<base href="${to('/')}"><link rel=canonical href="${to('/c')}"><link rel=icon href="${to('/i')}">` +
          `<meta property=og:image content="${to('/o')}"><iframe src="${to('/f')}"></iframe><img srcset="${to('/s')} 2x">`,
        `Refresh: 0; url=${to('/r')}`,
        `Link: <${to('/l')}>; rel=preload`,
      ),
    );

    const outcome = await aFetcher(host).fetch(host.url());

    expect(outcome.kind).toBe('page');
    expect(host.heads).toHaveLength(1);
  });
});

describe('a page over TLS', () => {
  const certificate = readFileSync('test/fixtures/tls/cert.pem', 'utf8');
  const key = readFileSync('test/fixtures/tls/key.pem');
  const server = createTlsServer({ cert: certificate, key }, (_request, response) => {
    response.end(PAGE);
  });
  let port = 0;
  beforeAll(async () => {
    await new Promise<void>((done) => server.listen(0, PUBLIC_ADDRESS, done));
    port = (server.address() as AddressInfo).port;
  });
  afterAll(() => server.close());

  it.each([
    ['is fetched from a server that proves its name', 'page.example', certificate, 'page'],
    ['has failed when the name is another', 'other.example', certificate, 'tls'],
    ['has failed when nobody vouches for the server', 'page.example', undefined, 'tls'],
    ['has failed when the address has no name', PUBLIC_ADDRESS, certificate, 'tls'],
  ])('%s', async (_what, name, certificateAuthorities, expected) => {
    const network = certificateAuthorities === undefined ? {} : { certificateAuthorities };
    const fetcher = aFetcher(host, { ports: new Set([port]), network });

    const outcome = await fetcher.fetch(`https://${name}:${port}/`);

    expect(outcome.kind === 'failed' ? outcome.reason : outcome.kind).toBe(expected);
  });
});

describe('a page that was fetched before', () => {
  const NOT_MODIFIED = 'HTTP/1.1 304 Not Modified\r\nETag: "v1"\r\n\r\n';
  const lastModified = 'Sun, 01 Mar 2026 10:00:00 GMT';

  it('is not transferred again if it is unchanged', async () => {
    host.answer(NOT_MODIFIED);
    const previous = { finalUrl: host.url(), etag: '"v1"', lastModified };

    const outcome = await aFetcher(host).fetch(host.url(), { previous });

    expect(outcome).toMatchObject({ kind: 'not-modified', headers: { etag: '"v1"' } });
    expect(host.heads[0]).toContain(
      `if-none-match: "v1"\r\nif-modified-since: ${lastModified}\r\n`,
    );
  });

  it('is revalidated only at the address where it was found', async () => {
    host.answer(redirect('/b'), NOT_MODIFIED);
    const previous = { finalUrl: host.url('/b'), etag: '"v1"' };

    const outcome = await aFetcher(host).fetch(host.url('/a'), { previous });

    expect(outcome.kind).toBe('not-modified');
    expect(host.heads[0]).not.toContain('if-none-match');
    expect(host.heads[1]).toContain('if-none-match: "v1"');
  });

  it.each([undefined, { finalUrl: 'http://other.example/', etag: '"v1"' }])(
    'fails if the server returns 304 for an unconditional request',
    async (previous) => {
      host.answer(NOT_MODIFIED);

      const outcome = await aFetcher(host).fetch(host.url(), previous && { previous });

      expect(outcome).toMatchObject({ kind: 'failed', reason: 'status', status: 304 });
    },
  );

  it('is requested unconditionally if its validators are invalid', async () => {
    host.answer(ok(PAGE));
    const previous = { finalUrl: host.url(), etag: '"a"\r\nX-Evil: 1', lastModified: 'é' };

    await aFetcher(host).fetch(host.url(), { previous });

    expect(host.heads[0]).not.toMatch(/evil|if-/i);
  });
});

describe('an error response', () => {
  it.each([
    [400, false],
    [401, false],
    [403, false],
    [404, false],
    [410, false],
    [451, false],
    [408, true],
    [429, true],
    [500, true],
    [501, false],
    [502, true],
    [503, true],
    [504, true],
    [522, true],
    [300, false],
    [999, false],
  ])('is a temporary or a permanent failure: %d', async (status, isTemporary) => {
    host.answer(`HTTP/1.1 ${status} X\r\nWWW-Authenticate: Basic\r\nContent-Length: 4\r\n\r\nbody`);

    const outcome = await aFetcher(host).fetch(host.url());

    expect(outcome).toMatchObject({ kind: 'failed', reason: 'status', status, isTemporary });
    expect(host.heads).toHaveLength(1);
  });

  it.each([
    ['120', 120],
    ['Sun, 01 Mar 2026 12:01:30 GMT', 90],
  ])('is returned with its Retry-After time: %s', async (value, seconds) => {
    host.answer(`HTTP/1.1 503 Busy\r\nRetry-After: ${value}\r\nContent-Length: 0\r\n\r\n`);

    const outcome = await aFetcher(host).fetch(host.url());

    expect(outcome).toMatchObject({ isTemporary: true, retryAfterSeconds: seconds });
  });
});
