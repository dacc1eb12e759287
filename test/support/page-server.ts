import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const HOSTS = ['127.0.0.11', '127.0.0.12', '127.0.0.13', '127.0.0.14', '127.0.0.15'];

const pageAt = (url: string): string =>
  `<!doctype html><html lang="en"><title>Page ${url}</title><p>Words of ${url}.`;

/** Pages in this folder redirect to the first host. */
const MOVED = /^\/moved\//;

/** Hosts that answer with a delay and record how many requests are concurrent. */
export class PageServer {
  /** Addresses that a service must be allowed to fetch. */
  static readonly addresses = HOSTS.join(',');

  /** URLs of all complete answers, in order. */
  readonly answered: string[] = [];
  /** The highest number of concurrent requests for one page, and for one host. */
  readonly most = { page: 0, host: 0 };
  private readonly open = { page: new Map<string, number>(), host: new Map<string, number>() };
  private held: string | undefined;

  private constructor(
    readonly port: number,
    private readonly servers: readonly Server[],
    private readonly delayMs: number,
  ) {}

  static async start({ delayMs }: { delayMs: number }): Promise<PageServer> {
    const servers = HOSTS.map(() => createServer());
    const [first, ...others] = servers;
    const port = await listening(first!, HOSTS[0]!, 0);
    await Promise.all(others.map((server, n) => listening(server, HOSTS[n + 1]!, port)));
    const pages = new PageServer(port, servers, delayMs);
    servers.forEach((server) => server.on('request', pages.serve.bind(pages)));
    return pages;
  }

  /** Returns URLs that are spread over the hosts. */
  urls(count: number, folder: string): string[] {
    return Array.from(
      { length: count },
      (_, n) => `http://${HOSTS[n % HOSTS.length]}:${this.port}/${folder}/${n}`,
    );
  }

  /** Leaves requests unanswered if their User-Agent contains this text. */
  hold(userAgent: string): void {
    this.held = userAgent;
  }

  /** Returns the pages with a pending request. */
  get waitedFor(): string[] {
    return [...this.open.page].flatMap(([url, count]) => (count > 0 ? [url] : []));
  }

  async stop(): Promise<void> {
    this.servers.forEach((server) => {
      server.closeAllConnections();
    });
    await Promise.all(this.servers.map((server) => new Promise((done) => server.close(done))));
  }

  private serve(request: IncomingMessage, response: ServerResponse): void {
    const host = request.headers.host ?? '';
    const url = `http://${host}${request.url}`;
    this.count('page', url, 1);
    this.count('host', host, 1);
    const isMoved = MOVED.test(request.url ?? '') && !host.startsWith(`${HOSTS[0]}:`);
    response.statusCode = isMoved ? 302 : 200;
    response.setHeader('location', `http://${HOSTS[0]}:${this.port}${request.url}`);
    response.setHeader('content-type', 'text/html');
    const isHeld =
      this.held !== undefined && request.headers['user-agent']?.includes(this.held) === true;
    const answer = setTimeout(() => {
      response.end(pageAt(url));
      this.answered.push(url);
    }, this.delayMs);
    if (isHeld) {
      clearTimeout(answer);
    }
    response.once('close', () => {
      clearTimeout(answer);
      this.count('page', url, -1);
      this.count('host', host, -1);
    });
  }

  private count(what: 'page' | 'host', name: string, change: number): void {
    const now = (this.open[what].get(name) ?? 0) + change;
    this.open[what].set(name, now);
    this.most[what] = Math.max(this.most[what], now);
  }
}

function listening(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject).listen(port, host, () => {
      resolve((server.address() as AddressInfo).port);
    });
  });
}
