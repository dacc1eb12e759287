import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';

import { isPublicAddress } from '../../src/platform/fetching/public-address.js';

/**
 * 127.0.0.2 represents the public internet. The canaries on 127.0.0.1 and ::1 count connections, which must never
 * happen.
 */
export const PUBLIC_ADDRESS = '127.0.0.2';
const CANARIES = ['127.0.0.1', '::1'];

type Speaker = (socket: Socket, head: string, round: number) => void;

/** Allows the test address in addition to the real internet. */
export const allowPlayed = (address: string): boolean =>
  address === PUBLIC_ADDRESS || isPublicAddress(address);

/** A server that sends raw bytes, and so can break the protocol. Each of its ports is a canary on other addresses. */
export class PublicHost {
  readonly heads: string[] = [];
  readonly sockets = new Set<Socket>();
  canaryHits = 0;
  #rounds = 0;
  #speaker: Speaker = (socket) => socket.destroy();

  private constructor(
    readonly port: number,
    private readonly servers: readonly Server[],
  ) {}

  static async start(): Promise<PublicHost> {
    for (;;) {
      const server = createServer();
      const port = await listening(server, PUBLIC_ADDRESS, 0);
      const canaries = CANARIES.map(() => createServer());
      try {
        await Promise.all(canaries.map((canary, i) => listening(canary, CANARIES[i]!, port)));
      } catch {
        [server, ...canaries].forEach((each) => each.close());
        continue;
      }
      const host = new PublicHost(port, [server, ...canaries]);
      host.#open(server, canaries);
      return host;
    }
  }

  speak(speaker: Speaker): void {
    this.#speaker = speaker;
    this.heads.length = 0;
    this.#rounds = 0;
  }

  /** Answers each request with the next text (head and body), then closes the connection. */
  answer(...answers: (string | Buffer)[]): void {
    this.speak((socket, _head, round) =>
      socket.end(answers[Math.min(round, answers.length - 1)] ?? ''),
    );
  }

  url(path = '/', name = 'page.example'): string {
    return `http://${name}:${this.port}${path}`;
  }

  async stop(): Promise<void> {
    this.sockets.forEach((socket) => socket.destroy());
    await Promise.all(this.servers.map((server) => new Promise((done) => server.close(done))));
  }

  #open(server: Server, canaries: readonly Server[]): void {
    canaries.forEach((canary) =>
      canary.on('connection', (socket) => {
        this.canaryHits += 1;
        socket.destroy();
      }),
    );
    server.on('connection', (socket) => {
      this.sockets.add(socket);
      socket.on('error', () => undefined).on('close', () => this.sockets.delete(socket));
      let head = '';
      socket.on('data', (chunk) => {
        const isFirst = !head.includes('\r\n\r\n');
        head += chunk.toString('latin1');
        if (isFirst && head.includes('\r\n\r\n')) {
          this.heads.push(head);
          this.#speaker(socket, head, this.#rounds++);
        }
      });
    });
  }
}

function listening(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port, ipv6Only: true }, () => {
      resolve((server.address() as AddressInfo).port);
    });
  });
}

/** Returns a complete answer with a correct Content-Length. */
export function ok(body: string | Buffer, ...headers: string[]): Buffer {
  const bytes = Buffer.from(body);
  const type = headers.some((header) => /^content-type:/i.test(header))
    ? []
    : ['Content-Type: text/html'];
  const head = ['HTTP/1.1 200 OK', ...type, `Content-Length: ${bytes.length}`, ...headers];
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`, 'latin1'), bytes]);
}

export const redirect = (location: string, status = 302, ...headers: string[]): string =>
  [
    `HTTP/1.1 ${status} Found`,
    `Location: ${location}`,
    'Content-Length: 0',
    ...headers,
    '',
    '',
  ].join('\r\n');
