import { LinkProber, type ProbeResult } from '../../src/articles/link-checks/link-prober.js';
import type { FetchSettings } from '../../src/platform/fetching/fetch-settings.js';
import type { Network } from '../../src/platform/fetching/guarded-agent.js';
import { aFetcher } from '../support/a-fetcher.js';
import { status } from '../support/link-checks.js';
import { until } from '../support/processes.js';
import { PUBLIC_ADDRESS, PublicHost, redirect } from '../support/public-host.js';

let host: PublicHost;
beforeAll(async () => {
  host = await PublicHost.start();
});
afterAll(() => host.stop());
afterEach(() => {
  expect(host.canaryHits).toBe(0);
});

type Options = Partial<FetchSettings> & { network?: Partial<Network> };

async function probed(url: string, options: Options = {}): Promise<ProbeResult> {
  const prober = new LinkProber(aFetcher(host, options));
  return (await prober.probe(url, new AbortController().signal)).result;
}

const methods = (): string[] => host.heads.map((head) => head.split(' ', 1).join(''));

/** The answers before the answer to the request that a test is about. */
const REQUESTS = [
  ['HEAD', []],
  ['GET', [status(405)]],
] as const;

describe.each(REQUESTS)('a redirect of a %s request', (method, before) => {
  it.each([
    ['127.0.0.1', (port: number): string => `http://127.0.0.1:${port}/`],
    ['[::1]', (port: number): string => `http://[::1]:${port}/`],
    ['a number', (port: number): string => `http://2130706433:${port}/`],
    ['a mapped address', (port: number): string => `http://[::ffff:127.0.0.1]:${port}/`],
    ['localhost', (port: number): string => `http://localhost:${port}/`],
    ['a local name', (port: number): string => `http://printer.local:${port}/`],
    ['another port', (): string => 'http://page.example:1/'],
    ['another scheme', (): string => 'ftp://page.example/'],
    ['a file', (): string => 'file:///etc/passwd'],
    ['credentials', (port: number): string => `http://ada:secret@page.example:${port}/x`],
    [
      'an address that is too long',
      (port: number): string => `http://page.example:${port}/${'x'.repeat(4096)}`,
    ],
  ])('to %s is refused', async (_name, target) => {
    host.answer(...before, redirect(target(host.port)), status(200));

    expect(await probed(host.url())).toBe('refused');

    expect(methods()).toEqual([...(before.length > 0 ? ['HEAD'] : []), method]);
  });

  it('to a name with a private address is refused', async () => {
    host.answer(...before, redirect(host.url('/', 'inside.example')), status(200));
    const lookup = (name: string): Promise<string[]> =>
      Promise.resolve(name === 'inside.example' ? [PUBLIC_ADDRESS, '127.0.0.1'] : [PUBLIC_ADDRESS]);

    expect(await probed(host.url(), { network: { lookup } })).toBe('refused');
  });

  it('is followed at most five times', async () => {
    host.speak((socket, _head, round) => {
      socket.end(before[round] ?? (round < 10 ? redirect(`/${round}`) : status(200)));
    });

    expect(await probed(host.url())).toBe('unclear');

    expect(host.heads).toHaveLength(before.length + 6);
  });
});

describe('a check', () => {
  it('connects to no private address that replaces the address of a name', async () => {
    host.answer(status(405), status(200));
    const answers = [[PUBLIC_ADDRESS], ['127.0.0.1']];
    const lookup = (): Promise<string[]> => Promise.resolve(answers.shift() ?? ['127.0.0.1']);

    expect(await probed(host.url(), { network: { lookup } })).toBe('refused');

    expect(methods()).toEqual(['HEAD']);
  });

  it.each(REQUESTS)('waits for no body of the answer to a %s request', async (method, before) => {
    host.speak((socket, _head, round) => {
      const text = before[round];
      if (text !== undefined) {
        socket.end(text);
        return;
      }
      socket.write(`HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n${'x'.repeat(65_536)}`);
    });

    expect(await probed(host.url())).toBe('found');

    expect(methods().at(-1)).toBe(method);
    await until(() => host.sockets.size === 0, 'the end of the connection');
  });

  it.each(REQUESTS)('ends if a %s request is never answered', async (method, before) => {
    host.speak((socket, _head, round) => {
      if (before[round] !== undefined) {
        socket.end(before[round]);
      }
    });

    expect(await probed(host.url(), { deadlineMs: 2000 })).toBe('unreachable');

    expect(methods().at(-1)).toBe(method);
    await until(() => host.sockets.size === 0, 'the end of the connection');
  });
});
