import { createServer, request as httpRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A proxy that shows a service under a path of its host; beside it lies another service. */
export class SubPathProxy {
  /** Where the service listens. */
  target = '';
  /** Proxies take the path off, or keep it. */
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

  /** The host, which the service shares with others. */
  get origin(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** The address of the service. */
  get url(): string {
    return `${this.origin}${this.prefix}`;
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}
