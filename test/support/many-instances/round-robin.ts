import {
  createServer,
  type IncomingMessage,
  request as httpRequest,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';

/** An instance of the service, as the proxy sees it. */
export interface Upstream {
  readonly name: string;
  readonly port: string;
}

/** A request whose answer was incomplete. */
export interface CutOff {
  readonly instance: string;
  readonly at: number;
  readonly why: string;
  /** True if part of the answer had arrived. */
  readonly hasBegun: boolean;
}

/** Names the client. The proxy rotates instances per client. */
export const CLIENT_HEADER = 'x-test-client';

/**
 * A proxy that sends each request of a client to the next instance. If a connection is refused, it tries another
 * instance. It never repeats a request that an instance may have started.
 */
export class RoundRobin {
  readonly cutOff: CutOff[] = [];
  /** Number of answers of each instance. */
  readonly answers = new Map<string, number>();
  private readonly turns = new Map<string, number>();
  private readonly server: Server;

  private constructor(private readonly upstreams: readonly Upstream[]) {
    this.server = createServer((request, response) => {
      const client = String(request.headers[CLIENT_HEADER] ?? '');
      const turn = (this.turns.get(client) ?? 0) + 1;
      this.turns.set(client, turn);
      this.pass(request, response, { turn, tried: 0 });
    });
  }

  static async before(upstreams: readonly Upstream[], port: string): Promise<RoundRobin> {
    const proxy = new RoundRobin(upstreams);
    await new Promise<void>((resolve) =>
      proxy.server.listen(Number(port), '127.0.0.1', () => {
        resolve();
      }),
    );
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((done) => this.server.close(done));
  }

  private pass(
    request: IncomingMessage,
    response: ServerResponse,
    { turn, tried }: { readonly turn: number; readonly tried: number },
  ): void {
    const upstream = this.upstreams[(turn + tried) % this.upstreams.length];
    if (upstream === undefined || tried === this.upstreams.length) {
      refuse(response, 503);
      return;
    }
    const { method, url: path, headers } = request;
    const sent = httpRequest({
      ...{ host: '127.0.0.1', port: upstream.port, method, path, agent: false },
      headers: { ...headers, connection: 'close', 'x-forwarded-for': '127.0.0.1' },
    });
    let hasBegun = false;
    const broken = ({ message }: Error): void => {
      if (!response.writableEnded && !response.destroyed) {
        const why = `${method} ${path}: ${message}`;
        this.cutOff.push({ instance: upstream.name, at: Date.now(), why, hasBegun });
        refuse(response, 502);
      }
    };
    response.once('close', () => {
      // The client has stopped waiting.
      sent.destroy();
    });
    sent.once('socket', (socket) => {
      socket.once('connect', () => request.pipe(sent));
    });
    sent.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED') {
        this.pass(request, response, { turn, tried: tried + 1 });
      } else {
        broken(error);
      }
    });
    sent.once('response', (answer) => {
      hasBegun = true;
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.once('error', broken);
      answer.once('end', () => {
        this.answers.set(upstream.name, (this.answers.get(upstream.name) ?? 0) + 1);
        response.writeHead(answer.statusCode ?? 502, answer.headers).end(Buffer.concat(chunks));
      });
    });
  }
}

/** Sends an answer that the `via` header marks as the proxy's own. */
function refuse(response: ServerResponse, status: number): void {
  response.writeHead(status, { via: '1.1 round-robin', connection: 'close' }).end();
}
