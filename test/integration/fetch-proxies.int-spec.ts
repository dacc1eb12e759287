import { createServer as createHttpsServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';

import { PAGE_TLS, TestProxy } from '../support/a-proxy.js';
import { until } from '../support/processes.js';
import { ok, PUBLIC_ADDRESS, PublicHost, redirect } from '../support/public-host.js';
import { ProxiedFetches } from '../support/through-proxy.js';

const KINDS = ['http', 'https', 'socks5'] as const;
const PATIENCE_MS = 8000;

let host: PublicHost;
/** The same host with TLS, as page.example. */
let secureHost: Server;
let securePort: number;
const proxies: TestProxy[] = [];
let fetches: ProxiedFetches;

beforeAll(async () => {
  host = await PublicHost.start();
  secureHost = createHttpsServer(PAGE_TLS, (_request, response) => {
    response.setHeader('Content-Type', 'text/html').end('<p>secure');
  });
  await new Promise<void>((resolve) => secureHost.listen(0, PUBLIC_ADDRESS, resolve));
  securePort = (secureHost.address() as AddressInfo).port;
});
afterAll(async () => {
  secureHost.closeAllConnections();
  secureHost.close();
  await host.stop();
});
beforeEach(() => {
  fetches = new ProxiedFetches(host, securePort);
});
afterEach(async () => {
  await until(() => proxies.every(({ sockets }) => sockets.size === 0), 'the end of all tunnels');
  proxies.splice(0).forEach((proxy) => {
    proxy.stop();
  });
  expect(host.canaryHits).toBe(0);
});

async function aProxy(
  kind: (typeof KINDS)[number],
  options: { credentials?: string } = {},
): Promise<TestProxy> {
  const proxy = await TestProxy.start(kind, { resolvesTo: PUBLIC_ADDRESS, ...options });
  proxies.push(proxy);
  return proxy;
}

describe.each(KINDS)('a proxy of type %s', (kind) => {
  it('receives requests for http pages, with their host names', async () => {
    host.answer(ok('<p>here'));
    const proxy = await aProxy(kind);

    const outcome = await fetches.fetch(proxy.url(), { url: host.url('/a?b=c') });

    expect(outcome).toMatchObject({ kind: 'page', status: 200 });
    expect(proxy.calls).toEqual([
      {
        kind: kind === 'socks5' ? 'socks5' : 'forward',
        target: `page.example:${host.port}`,
        credentials: undefined,
      },
    ]);
    expect(host.heads).toEqual([expect.stringMatching(/^GET \/a\?b=c HTTP\/1\.1\r\n/)]);
    expect(host.heads[0]).not.toMatch(/^(?:proxy-|via|x-forwarded)/im);
  });

  it('tunnels requests for https pages, whose certificates are checked', async () => {
    const proxy = await aProxy(kind);
    const url = `https://page.example:${securePort}/`;

    const outcome = await fetches.fetch(proxy.url(), { url });
    const other = await fetches.fetch(proxy.url(), { url: url.replace('page', 'other') });

    expect(outcome).toMatchObject({ kind: 'page', status: 200 });
    expect(other).toMatchObject({ kind: 'failed', reason: 'tls' });
    expect(proxy.calls.map(({ target }) => target)).toEqual([
      `page.example:${securePort}`,
      `other.example:${securePort}`,
    ]);
  });

  it('receives the credentials of its address', async () => {
    host.answer(ok('<p>here'));
    const proxy = await aProxy(kind, { credentials: 'ada:p@ss:word' });
    const address = proxy.url('ada:p%40ss:word');

    const plain = await fetches.fetch(address, { url: host.url() });
    const secure = await fetches.fetch(address, { url: `https://page.example:${securePort}/` });

    expect([plain, secure]).toMatchObject([{ kind: 'page' }, { kind: 'page' }]);
    expect(proxy.calls.map(({ credentials }) => credentials)).toEqual([
      ...['ada:p@ss:word', 'ada:p@ss:word'],
    ]);
    expect(host.heads.join()).not.toMatch(/authorization/i);
  });

  it('that rejects the credentials causes a temporary failure, reported without them', async () => {
    const proxy = await aProxy(kind, { credentials: 'ada:right' });
    const address = proxy.url('ada:hunter2');

    const plain = await fetches.fetch(address, { url: host.url() });
    const secure = await fetches.fetch(address, { url: `https://page.example:${securePort}/` });

    const failure = { kind: 'failed', reason: 'connection', isTemporary: true };
    expect([plain, secure]).toMatchObject([failure, failure]);
    expect(fetches.reported).toHaveLength(2);
    expect(fetches.reported.join()).toContain(`the proxy ${proxy.url().host} `);
    expect(fetches.reported.join()).not.toMatch(/hunter2|ada/);
  });

  it.each([
    '127.0.0.1',
    '10.0.0.1',
    '169.254.169.254',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '2130706433',
  ])('receives no requests for %s', async (address) => {
    const proxy = await aProxy(kind);

    const plain = await fetches.fetch(proxy.url(), { url: host.url('/', address) });
    const secure = await fetches.fetch(proxy.url(), { url: `https://${address}/` });

    expect([plain, secure]).toEqual([
      { kind: 'refused', reason: 'not-public' },
      { kind: 'refused', reason: 'not-public' },
    ]);
    expect(proxy.calls).toEqual([]);
  });

  it('receives no requests for a name with a private address', async () => {
    const proxy = await aProxy(kind);
    const lookup = () => Promise.resolve([PUBLIC_ADDRESS, '10.0.0.1']);

    const outcome = await fetches.fetch(proxy.url(), { url: host.url(), network: { lookup } });

    expect(outcome).toEqual({ kind: 'refused', reason: 'not-public' });
    expect(proxy.calls).toEqual([]);
  });

  it('receives requests for a public name that does not resolve locally', async () => {
    host.answer(ok('<p>here'));
    const proxy = await aProxy(kind);
    const lookup = () => Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' }));

    const outcome = await fetches.fetch(proxy.url(), { url: host.url(), network: { lookup } });

    expect(outcome).toMatchObject({ kind: 'page' });
  });

  it.each(['localhost', 'intranet', 'wiki.internal', 'printer.local'])(
    'receives no requests for %s if it does not resolve locally, even if local names are allowed',
    async (name) => {
      const proxy = await aProxy(kind);
      const lookup = () => Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' }));

      const outcome = await fetches.fetch(proxy.url(), {
        ...{ url: host.url('/', name), network: { lookup } },
        settings: { allowsNearbyNames: true },
      });

      expect(outcome).toEqual({ kind: 'refused', reason: 'not-public' });
      expect(proxy.calls).toEqual([]);
    },
  );

  it('receives requests for a private address that the operator allows', async () => {
    host.answer(ok('<p>here'));
    const proxy = await aProxy(kind);
    const allow = (address: string) => address === '10.0.0.1';

    const outcome = await fetches.fetch(proxy.url(), {
      ...{ url: host.url('/', '10.0.0.1'), network: { allow } },
    });

    expect(outcome).toMatchObject({ kind: 'page' });
  });

  it.each(['http://127.0.0.1/', 'http://169.254.169.254/', 'http://inside.example/', 'file:///x'])(
    'receives no requests for the target of a redirect to %s',
    async (location) => {
      host.answer(redirect(location));
      const proxy = await aProxy(kind);
      const lookup = (name: string) =>
        Promise.resolve([name === 'inside.example' ? '10.0.0.1' : PUBLIC_ADDRESS]);

      const outcome = await fetches.fetch(proxy.url(), { url: host.url(), network: { lookup } });

      expect(outcome).toMatchObject({ kind: 'refused' });
      expect(proxy.calls).toHaveLength(1);
    },
  );

  it('receives a request for each redirect', async () => {
    host.answer(redirect(host.url('/next', 'other.example')), ok('<p>here'));
    const proxy = await aProxy(kind);

    const outcome = await fetches.fetch(proxy.url(), { url: host.url() });

    expect(outcome).toMatchObject({
      kind: 'page',
      route: { finalUrl: host.url('/next', 'other.example') },
    });
    expect(proxy.calls.map(({ target }) => target)).toEqual([
      `page.example:${host.port}`,
      `other.example:${host.port}`,
    ]);
  });

  it('receives no requests for its exceptions, which have the limits of direct connections', async () => {
    host.answer(ok('<p>here'));
    const proxy = await aProxy(kind);
    const exceptions = ['.example', '127.0.0.1'];

    const direct = await fetches.fetch(proxy.url(), { url: host.url(), exceptions });
    const canary = await fetches.fetch(proxy.url(), {
      url: host.url('/', '127.0.0.1'),
      exceptions,
    });

    expect(direct).toMatchObject({ kind: 'page' });
    expect(canary).toEqual({ kind: 'refused', reason: 'not-public' });
    expect(proxy.calls).toEqual([]);
  });

  it('does not raise the limit of decoded bytes', async () => {
    const body = gzipSync(Buffer.alloc(50_000_000, '<p>'), { level: 1 });
    host.answer(ok(body, 'Content-Type: text/html', 'Content-Encoding: gzip'));
    const proxy = await aProxy(kind);

    const outcome = await fetches.fetch(proxy.url(), {
      ...{ url: host.url(), settings: { maxHtmlBytes: 1_000_000 } },
    });

    expect(outcome).toMatchObject({ kind: 'page', isTruncated: true });
    expect(outcome.kind === 'page' && outcome.body.length).toBeLessThanOrEqual(1_000_000);
  });

  it('does not extend the deadline of a host that does not respond', async () => {
    host.speak(() => undefined);
    const proxy = await aProxy(kind);
    const start = Date.now();

    const outcome = await fetches.fetch(proxy.url(), {
      ...{ url: host.url(), settings: { deadlineMs: 500 } },
    });

    expect(outcome).toMatchObject({ kind: 'failed', reason: 'timeout', isTemporary: true });
    expect(Date.now() - start).toBeLessThan(PATIENCE_MS);
  });
});
