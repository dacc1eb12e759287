import { readFileSync } from 'node:fs';
import {
  createServer as createHttpServer,
  type IncomingMessage,
  request,
  type Server,
} from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import {
  type AddressInfo,
  connect,
  createServer,
  type Server as NetServer,
  type Socket,
} from 'node:net';

const tlsFile = (name: string): string => readFileSync(`test/fixtures/tls/${name}.pem`, 'utf8');

/** A self-signed certificate for 127.0.0.1. */
const PROXY_TLS = { key: tlsFile('proxy-key'), cert: tlsFile('proxy-cert') };
/** A self-signed certificate for page.example. */
export const PAGE_TLS = { key: tlsFile('key'), cert: tlsFile('cert') };
export const TEST_AUTHORITIES = `${PROXY_TLS.cert}${PAGE_TLS.cert}`;

/** One request that the proxy received. */
interface ProxyCall {
  readonly kind: 'forward' | 'connect' | 'socks5';
  /** `host:port`. */
  readonly target: string;
  /** `user:password` if the client sent both. */
  readonly credentials: string | undefined;
}

interface ProxyOptions {
  /** The address that the proxy returns for every name. */
  readonly resolvesTo: string;
  /** The `user:password` that the proxy requires. */
  readonly credentials?: string;
}

type Kind = 'http' | 'https' | 'socks5';

/** A forward proxy on this machine that records its calls. */
export class TestProxy {
  readonly calls: ProxyCall[] = [];
  readonly sockets = new Set<Socket>();

  private constructor(
    private readonly kind: Kind,
    private readonly options: ProxyOptions,
    private readonly server: NetServer,
  ) {}

  static async start(kind: Kind, options: ProxyOptions): Promise<TestProxy> {
    const server =
      kind === 'socks5'
        ? createServer()
        : kind === 'https'
          ? createHttpsServer(PROXY_TLS)
          : createHttpServer();
    const proxy = new TestProxy(kind, options, server);
    server.on('connection', (socket: Socket) => {
      proxy.sockets.add(socket);
      socket.on('error', () => undefined).on('close', () => proxy.sockets.delete(socket));
      if (kind === 'socks5') {
        void proxy.speakSocks(socket);
      }
    });
    if (kind !== 'socks5') {
      proxy.speakHttp(server as Server);
    }
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  /** Returns the address of the proxy, including credentials. */
  url(credentials = this.options.credentials): URL {
    const { port } = this.server.address() as AddressInfo;
    return new URL(
      `${this.kind}://${credentials === undefined ? '' : `${credentials}@`}127.0.0.1:${port}`,
    );
  }

  stop(): void {
    this.sockets.forEach((socket) => socket.destroy());
    this.server.close();
  }

  private speakHttp(server: Server): void {
    server.on('request', (incoming, response) => {
      const url = new URL(incoming.url ?? '');
      if (!this.admits('forward', url.host, incoming)) {
        response.writeHead(407).end();
        return;
      }
      const headers = { ...incoming.headers };
      delete headers['proxy-authorization'];
      request(
        {
          ...{ host: this.options.resolvesTo, port: url.port, method: incoming.method },
          ...{ path: `${url.pathname}${url.search}`, headers },
        },
        (answer) => {
          response.writeHead(answer.statusCode ?? 0, answer.rawHeaders);
          answer.pipe(response);
        },
      )
        .on('error', () => response.destroy())
        .end();
    });
    server.on('connect', (incoming: IncomingMessage, socket: Socket) => {
      if (!this.admits('connect', incoming.url ?? '', incoming)) {
        socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
        return;
      }
      const port = Number(/:(\d+)$/.exec(incoming.url ?? '')?.[1]);
      this.join(socket, port, 'HTTP/1.1 200 Connection established\r\n\r\n');
    });
  }

  private admits(kind: ProxyCall['kind'], target: string, { headers }: IncomingMessage): boolean {
    const [, encoded] = (headers['proxy-authorization'] ?? '').split(' ');
    const credentials = encoded && Buffer.from(encoded, 'base64').toString();
    this.calls.push({ kind, target, credentials: credentials === '' ? undefined : credentials });
    return this.options.credentials === undefined || credentials === this.options.credentials;
  }

  private async speakSocks(socket: Socket): Promise<void> {
    const bytes = new Bytes(socket);
    const [, count = 0] = await bytes.read(2);
    const methods = [...(await bytes.read(count))];
    let credentials: string | undefined;
    if (methods.includes(2)) {
      socket.write(Buffer.from([5, 2]));
      await bytes.read(1);
      const user = await bytes.readText();
      credentials = `${user}:${await bytes.readText()}`;
      const isRight = [undefined, credentials].includes(this.options.credentials);
      socket.write(Buffer.from([1, isRight ? 0 : 1]));
    } else {
      socket.write(Buffer.from([5, this.options.credentials === undefined ? 0 : 255]));
    }
    const [, , , type] = await bytes.read(4);
    const host =
      type === 3
        ? await bytes.readText()
        : [...(await bytes.read(type === 1 ? 4 : 16))].join(type === 1 ? '.' : ',');
    const port = (await bytes.read(2)).readUInt16BE();
    this.calls.push({ kind: 'socks5', target: `${host}:${port}`, credentials });
    bytes.release();
    this.join(socket, port, Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0]));
  }

  private join(socket: Socket, port: number, greeting: string | Buffer): void {
    const onward = connect({ host: this.options.resolvesTo, port }, () => {
      socket.write(greeting);
      socket.pipe(onward).pipe(socket);
    });
    onward.on('error', () => socket.destroy()).on('close', () => socket.destroy());
    socket.on('close', () => onward.destroy());
  }
}

/** Reads a given number of bytes at a time from a socket. */
class Bytes {
  private buffer = Buffer.alloc(0);
  private wake: () => void = () => undefined;
  private readonly take = (chunk: Buffer): void => {
    this.buffer = Buffer.concat([this.buffer, chunk]);
    this.wake();
  };

  constructor(private readonly socket: Socket) {
    socket.on('data', this.take);
  }

  async read(count: number): Promise<Buffer> {
    while (this.buffer.length < count) {
      await new Promise<void>((resolve) => (this.wake = resolve));
    }
    const bytes = this.buffer.subarray(0, count);
    this.buffer = this.buffer.subarray(count);
    return bytes;
  }

  /** Reads a string that is prefixed with one byte for its length. */
  async readText(): Promise<string> {
    const [length = 0] = await this.read(1);
    return (await this.read(length)).toString();
  }

  release(): void {
    this.socket.off('data', this.take);
  }
}
