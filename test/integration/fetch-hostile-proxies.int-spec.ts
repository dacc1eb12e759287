import { type AddressInfo, createServer, type Socket } from 'node:net';

import { PAGE_TLS, TestProxy } from '../support/a-proxy.js';
import { until } from '../support/processes.js';
import { PUBLIC_ADDRESS, PublicHost } from '../support/public-host.js';
import { ProxiedFetches } from '../support/through-proxy.js';

type Kind = 'http' | 'https' | 'socks5';

const SECURE_PORT = 8443;
const SECURE_URL = `https://page.example:${SECURE_PORT}/`;

let host: PublicHost;
let fetches: ProxiedFetches;
beforeAll(async () => {
  host = await PublicHost.start();
});
afterAll(() => host.stop());
beforeEach(() => {
  fetches = new ProxiedFetches(host, SECURE_PORT);
});
afterEach(() => {
  expect(host.heads).toEqual([]);
});

describe('a hostile proxy', () => {
  const SOCKS_HELLO = Buffer.from([5, 0]);

  it.each<[string, Kind, (socket: Socket) => void]>([
    ['says nothing', 'http', () => undefined],
    ['says nothing', 'https', () => undefined],
    ['says nothing', 'socks5', () => undefined],
    ['says nothing after its hello', 'socks5', (socket) => socket.write(SOCKS_HELLO)],
  ])(
    'that %s (%s) causes a timeout, and all its connections are closed',
    async (_, kind, speak) => {
      const { sockets, url, stop } = await listening(kind, speak);

      const outcome = await fetches.fetch(url, {
        ...{ url: SECURE_URL, settings: { deadlineMs: 500 } },
      });

      expect(outcome).toMatchObject({ kind: 'failed', reason: 'timeout', isTemporary: true });
      await until(() => sockets.size === 0, 'the end of the connections to the proxy');
      stop();
    },
    30_000,
  );

  it.each<[string, Kind, (socket: Socket) => void]>([
    ['closes', 'http', (socket) => socket.destroy()],
    ['closes', 'socks5', (socket) => socket.destroy()],
    ['refuses the tunnel', 'http', (socket) => socket.end('HTTP/1.1 403 Forbidden\r\n\r\n')],
    ['redirects', 'http', (socket) => socket.end('HTTP/1.1 302 Found\r\nLocation: /\r\n\r\n')],
    ['speaks another protocol', 'http', (socket) => socket.end('SSH-2.0-x\r\n')],
    ['speaks another protocol', 'socks5', (socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n')],
    ['speaks no TLS', 'https', (socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n')],
    [
      'has headers without end',
      'http',
      (socket) => socket.end(`HTTP/1.1 200 OK\r\nX: ${'x'.repeat(100_000)}`),
    ],
  ])('that %s (%s) causes a temporary failure with a reported reason', async (_, kind, speak) => {
    const { sockets, url, stop } = await listening(kind, speak);

    const outcome = await fetches.fetch(url, { url: SECURE_URL });

    expect(outcome).toMatchObject({ kind: 'failed', reason: 'connection', isTemporary: true });
    expect(fetches.reported).toEqual([expect.stringContaining(`the proxy ${url.host}`)]);
    await until(() => sockets.size === 0, 'the end of the connections to the proxy');
    stop();
  });

  it('that refuses connections causes a temporary failure', async () => {
    const { url, stop } = await listening('http', () => undefined);
    stop();

    const outcome = await fetches.fetch(url, { url: host.url() });

    expect(outcome).toMatchObject({ kind: 'failed', reason: 'connection', isTemporary: true });
    expect(fetches.reported).toEqual([expect.stringContaining('ECONNREFUSED')]);
  });

  it('with an untrusted certificate receives no request', async () => {
    const proxy = await TestProxy.start('https', { resolvesTo: PUBLIC_ADDRESS });
    const network = { certificateAuthorities: PAGE_TLS.cert };

    const outcome = await fetches.fetch(proxy.url(), { url: host.url(), network });

    expect(outcome).toMatchObject({ kind: 'failed' });
    expect(proxy.calls).toEqual([]);
    proxy.stop();
  });
});

/** Starts a proxy that answers the first bytes of each connection. */
async function listening(
  kind: string,
  speak: (socket: Socket) => void,
): Promise<{ url: URL; sockets: Set<Socket>; stop: () => void }> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    socket.once('data', () => {
      speak(socket);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(`${kind}://127.0.0.1:${(server.address() as AddressInfo).port}`);
  return { url, sockets, stop: () => server.close() };
}
