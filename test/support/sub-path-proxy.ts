import { createServer, request as httpRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A proxy that serves the service below a path of its host. The rest of the host belongs to another service. */
export class SubPathProxy {
  /** Address of the service. */
  target = '';
  /** If true, the proxy removes the prefix from paths. */
  takesOff = false;
  private readonly server: Server;

  private constructor(readonly prefix: string) {
    this.server = createServer((received, response) => {
      const { url = '/', method, headers } = received;
      if (url !== prefix && !url.startsWith(`${prefix}/`) && !url.startsWith(`${prefix}?`)) {
        response.writeHead(418, { 'Content-Type': 'text/html' }).end('<h1>Another service</h1>');
        return;
      }
      const rest = url.slice(prefix.length);
      const path = this.takesOff ? (rest.startsWith('/') ? rest : `/${rest}`) : url;
      const { hostname, port } = new URL(this.target);
      const sent = httpRequest({ hostname, port, method, headers, path }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      });
      sent.on('error', () => response.destroy());
      received.pipe(sent);
    });
  }

  static async listening(prefix: string): Promise<SubPathProxy> {
    const proxy = new SubPathProxy(prefix);
    await new Promise<void>((resolve) => proxy.server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  /** The origin that the service shares with others. */
  get origin(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** The service's address behind the proxy. */
  get url(): string {
    return `${this.origin}${this.prefix}`;
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}
