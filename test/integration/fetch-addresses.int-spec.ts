import { aFetcher } from '../support/a-fetcher.js';
import { NEARBY, NOT_PUBLIC } from '../support/private-hosts.js';
import { ok, PUBLIC_ADDRESS, PublicHost, redirect } from '../support/public-host.js';

let host: PublicHost;
beforeAll(async () => {
  host = await PublicHost.start();
});
afterAll(() => host.stop());
afterEach(() => {
  expect(host.canaryHits).toBe(0);
});

describe('an address that must not be fetched', () => {
  it.each(NOT_PUBLIC)('is not connected to: %s', async (name) => {
    const outcome = await aFetcher(host).fetch(host.url('/', name));

    expect(outcome).toEqual({ kind: 'refused', reason: 'not-public' });
  });

  it.each(NEARBY)('is not looked up: %s', async (name) => {
    const lookup = jest.fn().mockResolvedValue(['127.0.0.1']);

    const outcome = await aFetcher(host, { network: { lookup } }).fetch(host.url('/', name));

    expect(outcome).toEqual({ kind: 'refused', reason: 'host' });
    expect(lookup).not.toHaveBeenCalled();
  });

  it.each([
    ['http://256.256.256.256/', 'url'],
    ['http://4294967296/', 'url'],
    ['http://127.0.0.1.5/', 'url'],
    ['http://[1:2:3:4:5:6:7:8:9]/', 'url'],
    ['http://[fe80::1%25eth0]/', 'url'],
    ['http://[::1', 'url'],
    ['http://xn--a/', 'url'],
    ['http://', 'url'],
    ['', 'url'],
    ['//127.0.0.1/', 'url'],
    ['/x', 'url'],
    ['http://./', 'host'],
    ['file:///etc/passwd', 'scheme'],
    ['data:text/html,<script>', 'scheme'],
    ['JaVaScRiPt:alert(1)', 'scheme'],
    ['gopher://page.example/', 'scheme'],
    ['ftp://page.example/', 'scheme'],
    [`http://page.example/${'x'.repeat(4096)}`, 'url'],
    [`http://page.example/${'é'.repeat(1000)}`, 'url'],
    ...[22, 25, 5432, 6379, 0, 8080].map((port) => [`http://page.example:${port}/`, 'port']),
  ])('is refused: %s with the reason %s', async (url, reason) => {
    expect(await aFetcher(host).fetch(url)).toEqual({ kind: 'refused', reason });
  });

  it.each(['http:127.0.0.1', 'http:/127.0.0.1', 'http:///127.0.0.1', 'http:\\\\127.0.0.1\\'])(
    'is refused with unusual slashes: %s',
    async (start) => {
      const outcome = await aFetcher(host).fetch(`${start.replace(/\\$/, '')}:${host.port}/`);

      expect(outcome).toEqual({ kind: 'refused', reason: 'not-public' });
    },
  );
});

describe('a host name', () => {
  it.each([
    [['127.0.0.1']],
    [['::1']],
    [[PUBLIC_ADDRESS, '127.0.0.1']],
    [['127.0.0.1', PUBLIC_ADDRESS]],
    [[...Array<string>(999).fill(PUBLIC_ADDRESS), '10.0.0.1']],
    [['fe80::1%lo']],
    [['not an address']],
  ])('is refused if one of its addresses is not public', async (addresses) => {
    const lookup = () => Promise.resolve(addresses);

    const outcome = await aFetcher(host, { network: { lookup } }).fetch(host.url());

    expect(outcome).toEqual({ kind: 'refused', reason: 'not-public' });
  });

  it('with a thousand public addresses is fetched', async () => {
    host.answer(ok('<p>here'));
    const lookup = () => Promise.resolve(Array<string>(1000).fill(PUBLIC_ADDRESS));

    const outcome = await aFetcher(host, { network: { lookup } }).fetch(host.url());

    expect(outcome).toMatchObject({ kind: 'page', status: 200 });
  });

  it.each([
    ['ENOTFOUND', false],
    ['ENODATA', false],
    ['ESERVFAIL', true],
    ['ETIMEOUT', true],
    ['ECONNREFUSED', true],
  ])('whose lookup fails with %s fails, temporarily: %s', async (code, isTemporary) => {
    const lookup = () => Promise.reject(Object.assign(new Error(code), { code }));

    const outcome = await aFetcher(host, { network: { lookup } }).fetch(host.url());

    expect(outcome).toMatchObject({ kind: 'failed', reason: 'name', isTemporary });
  });

  it('without addresses fails permanently', async () => {
    const lookup = () => Promise.resolve([]);

    const outcome = await aFetcher(host, { network: { lookup } }).fetch(host.url());

    expect(outcome).toMatchObject({ kind: 'failed', reason: 'name', isTemporary: false });
  });

  it('whose lookup hangs fails with a timeout', async () => {
    const lookup = () => new Promise<never>(() => undefined);

    const outcome = await aFetcher(host, { network: { lookup } }).fetch(host.url());

    expect(outcome).toMatchObject({ kind: 'failed', reason: 'timeout', isTemporary: true });
  });

  it('with alternating addresses is only fetched from the public one, in 200 requests', async () => {
    host.answer(ok('<p>here'));
    let round = 0;
    const lookup = () => Promise.resolve([round++ % 2 === 0 ? PUBLIC_ADDRESS : '127.0.0.1']);
    const fetcher = aFetcher(host, { network: { lookup } });

    const kinds: string[] = [];
    for (let i = 0; i < 200; i += 1) {
      kinds.push((await fetcher.fetch(host.url(`/${i}`))).kind);
    }

    expect(kinds.filter((kind) => kind === 'page')).toHaveLength(100);
    expect(kinds.filter((kind) => kind === 'refused')).toHaveLength(100);
  });

  it('is refused if the socket connects to another address than the lookup returned', async () => {
    let asked = 0;
    const allow = (): boolean => asked++ === 0;

    const outcome = await aFetcher(host, { network: { allow } }).fetch(host.url());

    expect(outcome).toEqual({ kind: 'refused', reason: 'not-public' });
  });
});

describe('a redirect', () => {
  const statuses = [301, 302, 303, 307, 308];
  const targets = ['2130706433', '[::1]', '169.254.169.254', '[::127.0.0.1]', '[64:ff9b::7f00:1]'];

  it.each(statuses.flatMap((status) => targets.map((target) => [status, target] as const)))(
    'with status %d to %s is not followed',
    async (status, target) => {
      host.answer(redirect(host.url('/', target), status));

      const outcome = await aFetcher(host).fetch(host.url());

      expect(outcome).toEqual({ kind: 'refused', reason: 'not-public' });
    },
  );

  it.each([
    ['file:///etc/passwd', 'scheme'],
    ['data:text/html,x', 'scheme'],
    ['gopher://page.example/', 'scheme'],
    ['javascript:alert(1)', 'scheme'],
    ['http://page.example:22/', 'port'],
    ['http://localhost/', 'host'],
    ['http://[::1', 'url'],
    [`http://page.example/${'x'.repeat(12_000)}`, 'url'],
  ])('to %s is refused', async (location, reason) => {
    host.answer(redirect(location));

    expect(await aFetcher(host).fetch(host.url())).toEqual({ kind: 'refused', reason });
  });
});

describe('local host names, if they are allowed', () => {
  const network = { lookup: () => Promise.resolve([PUBLIC_ADDRESS]) };

  it.each(['intranet', 'wiki.internal', 'printer.local', 'wiki.home.arpa'])(
    'are fetched: %s',
    async (name) => {
      host.answer(ok('<p>here'));

      const outcome = await aFetcher(host, { network, allowsNearbyNames: true }).fetch(
        host.url('/', name),
      );

      expect(outcome).toMatchObject({ kind: 'page' });
    },
  );

  it('are refused with empty labels', async () => {
    const fetcher = aFetcher(host, { network, allowsNearbyNames: true });

    expect(await fetcher.fetch('http://..com')).toEqual({ kind: 'refused', reason: 'host' });
  });

  it('are refused with a private address that is not allowed', async () => {
    const lookup = () => Promise.resolve(['127.0.0.1']);
    const fetcher = aFetcher(host, { network: { lookup }, allowsNearbyNames: true });

    expect(await fetcher.fetch(host.url('/', 'localhost'))).toEqual({
      kind: 'refused',
      reason: 'not-public',
    });
  });
});
