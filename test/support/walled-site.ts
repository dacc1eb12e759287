import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export const WALL = 'Subscribers only. Log in to read on.';
export const BEHIND_THE_WALL = 'The lighthouse keeper counted ships until the fog came in';

const COOKIE = 'subscriber=ada';
const paragraph = (number: number): string =>
  `<p>${BEHIND_THE_WALL}, on evening ${number}, and wrote their names into a book that lay beside the lamp, with the hour, the wind, and the colour of their sails, as had been done there for a hundred years.</p>`;
const ARTICLE = `<!doctype html><title>The keeper</title><article><h1>The keeper</h1>${Array.from(
  { length: 12 },
  (_, at) => paragraph(at + 1),
).join('')}</article>`;

/** Exceeds the service's limit for a page, in an invisible style element. */
const PADDING = `<style>/* ${'x'.repeat(2_100_000)} */</style>`;

/** A site that shows articles only after a login. Its host name differs from the service's. */
export class WalledSite {
  /** Paths of requests without a login. */
  readonly refused: string[] = [];

  private constructor(private readonly server: Server) {}

  static async served(): Promise<WalledSite> {
    const server = createServer();
    const site = new WalledSite(server);
    server.on('request', ({ url = '', headers }, response) => {
      response.setHeader('Content-Type', 'text/html');
      if (url === '/log-in') {
        response.setHeader('Set-Cookie', COOKIE).end('<title>Welcome</title>');
        return;
      }
      if (headers.cookie?.includes(COOKIE) === true) {
        response.end(url === '/padded' ? `${ARTICLE}${PADDING}` : ARTICLE);
        return;
      }
      site.refused.push(url);
      response.writeHead(401).end(`<title>Log in</title><p>${WALL}</p>`);
    });
    server.listen(0);
    await once(server, 'listening');
    return site;
  }

  address(path: string, host = 'localhost'): string {
    return `http://${host}:${(this.server.address() as AddressInfo).port}${path}`;
  }

  async stop(): Promise<void> {
    this.server.close();
    this.server.closeAllConnections();
    await once(this.server, 'close');
  }
}
