import { aFetcher } from '../support/a-fetcher.js';
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

describe('a chain of redirects', () => {
  const chain = (length: number): void => {
    host.speak((socket, _head, round) => {
      socket.end(round < length ? redirect(`/${round + 1}`) : ok(PAGE));
    });
  };

  it('of five redirects is followed', async () => {
    chain(5);

    const outcome = await aFetcher(host).fetch(host.url('/0#top'));

    expect(outcome).toMatchObject({
      kind: 'page',
      route: { finalUrl: host.url('/5#top'), isInnerDomainRedirect: true },
    });
    expect(outcome.kind === 'page' && outcome.route.redirects).toHaveLength(5);
  });

  it('of six redirects fails', async () => {
    chain(6);

    const outcome = await aFetcher(host).fetch(host.url('/0'));

    expect(outcome).toMatchObject({ kind: 'failed', reason: 'redirects', isTemporary: false });
    expect(host.heads).toHaveLength(6);
  });

  it.each([301, 302, 303, 307, 308])('is followed for status %d', async (status) => {
    host.answer(redirect(host.url('/x', 'other.example'), status), ok(PAGE));

    const outcome = await aFetcher(host).fetch(host.url());

    expect(outcome).toMatchObject({
      route: {
        redirects: [{ url: host.url('/x', 'other.example'), by: status }],
        isInnerDomainRedirect: false,
      },
    });
  });

  it.each([
    ['goes in a circle', redirect('/')],
    ['leads nowhere', 'HTTP/1.1 302 Found\r\nContent-Length: 0\r\n\r\n'],
    ['leads to an empty address', redirect('')],
  ])('fails if it %s', async (_what, answer) => {
    host.answer(answer);

    const outcome = await aFetcher(host).fetch(host.url());

    expect(outcome).toMatchObject({ kind: 'failed', reason: 'redirects' });
    expect(host.heads).toHaveLength(1);
  });

  it('sends no credentials, cookies or referrer to the next host', async () => {
    host.answer(redirect(host.url('/', 'other.example')), ok(PAGE));

    const outcome = await aFetcher(host).fetch(host.url());

    expect(outcome).toMatchObject({ route: { finalUrl: host.url('/', 'other.example') } });
    expect(host.heads.join('')).not.toMatch(/authorization|cookie|referer/i);
  });

  it.each(['a:b', 'a', ':b', 'other.example'])(
    'is not followed to an address with user information: %s',
    async (userInfo) => {
      host.answer(redirect(`http://${userInfo}@other.example:${host.port}/`), ok(PAGE));

      const outcome = await aFetcher(host).fetch(host.url());

      expect(outcome).toEqual({ kind: 'refused', reason: 'userinfo' });
      expect(host.heads).toHaveLength(1);
    },
  );

  it.each([
    ['http://reader.example:80/it', 'http://reader.example'],
    ['http://reader.example./it', 'https://reader.example/below/'],
    ['https://READER.example/it', 'http://reader.example:80/'],
  ])('is not followed to the service itself: %s', async (target, ownUrl) => {
    host.answer(redirect(target), ok(PAGE));

    const outcome = await aFetcher(host, { ownUrl: new URL(ownUrl) }).fetch(host.url());

    expect(outcome).toEqual({ kind: 'refused', reason: 'own' });
  });

  it('is followed to another port on the host of the service', async () => {
    host.answer(redirect(host.url('/', 'reader.example')), ok(PAGE));

    const outcome = await aFetcher(host, { ownUrl: new URL('https://reader.example') }).fetch(
      host.url(),
    );

    expect(outcome).toMatchObject({ kind: 'page' });
  });

  it('uses the first of two Location headers', async () => {
    host.answer(redirect('/one', 302, 'Location: /two'), ok(PAGE));

    await aFetcher(host).fetch(host.url());

    expect(host.heads[1]).toContain('GET /one ');
  });
});

describe('a meta refresh', () => {
  const refresh = (content: string): Buffer =>
    ok(`<html><head><meta http-equiv=refresh content="${content}"></head>`);

  it('counts as a redirect', async () => {
    host.answer(refresh('0; url=/next'), ok(PAGE));

    const outcome = await aFetcher(host).fetch(host.url());

    expect(outcome).toMatchObject({
      body: Buffer.from(PAGE),
      route: { redirects: [{ url: host.url('/next'), by: 'meta-refresh' }] },
    });
  });

  it.each([
    ['a private address', 'http://127.0.0.1/'],
    ['a private address behind a name', 'http://rebound.example/'],
    ['another scheme', 'javascript:alert(1)'],
    ['itself', '/'],
    ['a page that is not there', '/gone'],
  ])('is ignored if its target is %s', async (_what, target) => {
    const page = refresh(`0; url=${target}`);
    host.answer(page, 'HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n');
    const lookup = (name: string) =>
      Promise.resolve([name === 'rebound.example' ? '127.0.0.1' : PUBLIC_ADDRESS]);

    const outcome = await aFetcher(host, { network: { lookup } }).fetch(host.url());

    expect(outcome).toMatchObject({ kind: 'page', route: { finalUrl: host.url() } });
  });

  it('is ignored after five refreshes', async () => {
    host.speak((socket, _head, round) => socket.end(refresh(`0;url=/${round}`)));

    const outcome = await aFetcher(host).fetch(host.url());

    expect(outcome).toMatchObject({ kind: 'page', route: { finalUrl: host.url('/4') } });
    expect(host.heads).toHaveLength(6);
  });
});
