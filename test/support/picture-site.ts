import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import sharp, { type Sharp } from 'sharp';

const SENTENCE =
  'Every plain sentence of this article is there to be read on a small grey screen. ';

const picture = (width: number, height: number): Sharp =>
  sharp({
    create: { width, height, channels: 4, background: { r: 200, g: 40, b: 40, alpha: 0.5 } },
  });

/** The pictures of the site, keyed by path. */
const PICTURES: Readonly<Record<string, [type: string, body: () => Promise<Buffer> | Buffer]>> = {
  '/photo.jpg': ['image/jpeg', () => picture(3000, 2000).flatten().jpeg().toBuffer()],
  '/photo.webp': ['image/webp', () => picture(640, 480).webp().toBuffer()],
  '/photo.avif': ['image/avif', () => picture(320, 240).avif({ effort: 0 }).toBuffer()],
  '/drawing.png': ['image/png', () => picture(500, 400).png().toBuffer()],
  '/huge.png': ['image/png', () => picture(5001, 5000).png({ compressionLevel: 1 }).toBuffer()],
  '/upright.jpg': [
    'image/jpeg',
    () => picture(400, 200).flatten().withMetadata({ orientation: 6 }).jpeg().toBuffer(),
  ],
  '/vector.svg': [
    'image/svg+xml',
    () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="99" height="99"/>'),
  ],
  '/broken.jpg': ['image/jpeg', () => Buffer.from([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3])],
  '/heavy.jpg': ['image/jpeg', () => Buffer.alloc(10_000_001, 0xff)],
  '/text.jpg': ['image/jpeg', () => Buffer.from('<!doctype html><title>No picture</title>')],
};

const articleAt = (path: string, images: readonly string[]): string =>
  `<!doctype html><html lang="en"><head><title>Article ${path}</title>
  <meta property="og:type" content="article"></head><body><article>
  <h1>Article ${path}</h1>
  ${images.map((src) => `<p>${SENTENCE.repeat(12)}</p><p><img src="${src}" alt=""></p>`).join('\n')}
  <p>${SENTENCE.repeat(12)}</p><p>${SENTENCE.repeat(12)}</p></article></body></html>`;

/** A site of articles with pictures. For example, `/read?/photo.jpg&/drawing.png` is an article with these two. */
export class PictureSite {
  /** Every requested path, in order. */
  readonly asked: string[] = [];
  /** True if the site closes each connection without an answer. */
  isGone = false;

  private readonly held: (() => void)[] = [];

  private constructor(
    private readonly server: Server,
    readonly port: number,
  ) {}

  static async served(): Promise<PictureSite> {
    const server = createServer();
    const port = await new Promise<number>((resolve) => {
      server.listen(0, '127.0.0.1', () => {
        resolve((server.address() as AddressInfo).port);
      });
    });
    const site = new PictureSite(server, port);
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      void site.answer(request.url ?? '', response);
    });
    return site;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Returns the URL of an article with these pictures. */
  article(name: string, ...pictures: string[]): string {
    return `${this.url}/${name}${pictures.length === 0 ? '' : '?'}${pictures.join('&')}`;
  }

  timesAsked(path: string): number {
    return this.asked.filter((asked) => asked === path).length;
  }

  /** Answers the pending requests for `/held-…` pictures. */
  release(): void {
    for (const answer of this.held.splice(0)) {
      answer();
    }
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((done) => this.server.close(done));
  }

  private async answer(path: string, response: ServerResponse): Promise<void> {
    this.asked.push(path);
    if (this.isGone) {
      response.socket?.destroy();
      return;
    }
    const [type, body] = PICTURES[path] ?? [];
    if (type !== undefined && body !== undefined) {
      response.setHeader('content-type', type).end(await body());
      return;
    }
    if (path === '/status-000') {
      response.socket?.end('HTTP/1.1 000 OK\r\nContent-Length: 2\r\n\r\nhi');
      return;
    }
    if (path.startsWith('/held-')) {
      this.held.push(() => response.writeHead(404).end());
      return;
    }
    if (path === '/busy') {
      response.writeHead(503).end();
      return;
    }
    const [, away] = /^\/away\?(.*)$/.exec(path) ?? [];
    if (away !== undefined) {
      response.writeHead(302, { location: away }).end();
      return;
    }
    const [, moved] = /^\/moved\?(.*)$/.exec(path) ?? [];
    if (moved !== undefined) {
      response.writeHead(302, { location: `/arrived?${moved}` }).end();
      return;
    }
    const [, query = ''] = /\?(.*)$/s.exec(path) ?? [];
    const images = query.split('&').filter((src) => src !== '');
    response.setHeader('content-type', 'text/html').end(articleAt(path, images));
  }
}
