import { request as requestHttp } from 'node:http';
import { connect, isIP, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect as connectTls } from 'node:tls';

import { codeOf, ProxyError } from './fetch-errors.js';
import { proxyAuthorization } from './proxy-rules.js';
import { bareHost } from './redirect-chain.js';

const MAX_HEADER_BYTES = 16_384;
const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };
const SOCKS_PORT = 1080;
export const PROXY_AUTHENTICATION_REQUIRED = 407;

interface ProxyOptions {
  /**
   * The timeout in milliseconds for the connection to the proxy, and again for the connection from the proxy to the
   * host.
   */
  readonly timeoutMs: number;
  /** The CA certificates in PEM format. If undefined, the system's certificates are used. */
  readonly ca?: string | undefined;
}

/** The host and port to connect to, in the notation of URLs. */
interface Target {
  readonly hostname: string;
  readonly port: number;
}

/**
 * Opens a connection to a host through a proxy. The proxy looks up the name of the host.
 *
 * @throws ProxyError, whose message has no credentials
 */
export async function openTunnel(
  proxy: URL,
  target: Target,
  options: ProxyOptions,
): Promise<Socket> {
  const socket = await connectToProxy(proxy, options);
  const open = proxy.protocol.startsWith('http') ? openHttpTunnel : openSocksTunnel;
  return withinLimits(proxy, options.timeoutMs, socket, () => open(proxy, target, socket));
}

/**
 * Connects to a proxy, but opens no tunnel to a host.
 *
 * @throws ProxyError, whose message has no credentials
 */
export function connectToProxy(proxy: URL, { timeoutMs, ca }: ProxyOptions): Promise<Socket> {
  const { host, port } = addressOf(proxy);
  const isTls = proxy.protocol === 'https:';
  const socket = isTls
    ? connectTls({
        host,
        port,
        servername: isIP(host) === 0 ? host : '',
        ...(ca !== undefined && { ca }),
      })
    : connect({ host, port });
  return withinLimits(proxy, timeoutMs, socket, async () => {
    await new Promise((resolve) => socket.once(isTls ? 'secureConnect' : 'connect', resolve));
    return socket;
  });
}

/** Opens a tunnel through an HTTP proxy with the method CONNECT (RFC 9110, section 9.3.6). */
function openHttpTunnel(
  proxy: URL,
  { hostname, port }: Target,
  connection: Socket,
): Promise<Socket> {
  const host = `${hostname}:${port}`;
  const authorization = proxyAuthorization(proxy);
  const headers = { host, ...(authorization && { 'proxy-authorization': authorization }) };
  return new Promise((resolve, reject) => {
    requestHttp({
      method: 'CONNECT',
      path: host,
      maxHeaderSize: MAX_HEADER_BYTES,
      createConnection: () => connection,
      headers,
    })
      .once('connect', ({ statusCode = 0 }, _socket: Duplex, head: Buffer) => {
        if (statusCode < 200 || statusCode > 299) {
          reject(refusalOf(proxy, statusCode));
          return;
        }
        if (head.length > 0) {
          connection.unshift(head);
        }
        resolve(connection);
      })
      .on('error', reject)
      .end();
  });
}

/** Opens a tunnel through a SOCKS5 proxy (RFC 1928, RFC 1929). The first SOCKS5 tunnel loads the library `socks`. */
async function openSocksTunnel(
  proxy: URL,
  { hostname, port }: Target,
  connection: Socket,
): Promise<Socket> {
  const { SocksClient } = await import('socks');
  const [userId = '', password = ''] = [proxy.username, proxy.password].map(decodeURIComponent);
  const hasCredentials = userId !== '' || password !== '';
  await SocksClient.createConnection({
    command: 'connect',
    proxy: { ...addressOf(proxy), type: 5, ...(hasCredentials && { userId, password }) },
    destination: { host: bareHost(hostname), port },
    existing_socket: connection,
  });
  return connection;
}

/** Runs one step of opening a tunnel. After an error or a timeout, destroys the connection to the proxy. */
async function withinLimits(
  proxy: URL,
  timeoutMs: number,
  connection: Socket,
  work: () => Promise<Socket>,
): Promise<Socket> {
  const ended = new AbortController();
  const failure = new Promise<never>((_resolve, reject) => {
    const timer = setTimeout(() => {
      reject(new ProxyError(`the proxy ${proxy.host} does not answer`, 'ETIMEDOUT'));
    }, timeoutMs);
    const close = (): void => {
      reject(new ProxyError(`the proxy ${proxy.host} closes the connection`));
    };
    // The error listener stays on the connection. After this step, its `reject` is a no-op.
    connection.on('error', reject).once('close', close);
    ended.signal.addEventListener('abort', () => {
      clearTimeout(timer);
      connection.off('close', close);
    });
  });
  try {
    return await Promise.race([work(), failure]);
  } catch (error) {
    connection.destroy();
    throw error instanceof ProxyError ? error : failureOf(proxy, error);
  } finally {
    ended.abort();
  }
}

/**
 * Converts an error to a ProxyError. The message never contains the credentials of the proxy,
 * unlike the messages of some libraries.
 */
function failureOf(proxy: URL, error: unknown): ProxyError {
  const code = codeOf(error);
  const reason = code === '' && error instanceof Error ? error.message : code;
  return new ProxyError(`the proxy ${proxy.host} fails: ${reason}`);
}

/** Returns the error for a proxy that responds with an HTTP error status. */
export const refusalOf = (proxy: URL, status: number): ProxyError =>
  new ProxyError(
    status === PROXY_AUTHENTICATION_REQUIRED
      ? `the proxy ${proxy.host} rejects the user or the password (${status})`
      : `the proxy ${proxy.host} opens no tunnel (${status})`,
  );

function addressOf({ hostname, port, protocol }: URL): { host: string; port: number } {
  const defaultPort = DEFAULT_PORTS[protocol] ?? SOCKS_PORT;
  return { host: bareHost(hostname), port: port === '' ? defaultPort : Number(port) };
}
