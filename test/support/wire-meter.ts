import type { IncomingMessage, Server, ServerResponse } from 'node:http';

import type { TestApp } from './test-app.js';

interface Exchange {
  readonly path: string;
  /** The bytes of the response as sent, with its headers. */
  readonly bytes: number;
}

/** Counts the requests that a service answers, and the bytes of the responses. */
export class WireMeter {
  readonly exchanges: Exchange[] = [];
  private running = 0;

  constructor({ app }: TestApp) {
    const server: Server = app.getHttpServer();
    server.prependListener('request', this.count);
  }

  get paths(): string[] {
    return this.exchanges.map(({ path }) => path);
  }

  get bytes(): number {
    return this.exchanges.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  get isQuiet(): boolean {
    return this.running === 0;
  }

  reset(): void {
    this.exchanges.length = 0;
  }

  /** Prints the exchanges, for a report. */
  print(title: string): void {
    const lines = this.exchanges.map(({ path, bytes }) => `${String(bytes).padStart(8)} ${path}`);
    const sum = `${this.bytes} bytes, ${this.exchanges.length} requests`;
    process.stdout.write(`${title}: ${sum}\n${lines.join('\n')}\n`);
  }

  private readonly count = (
    { socket, url = '' }: IncomingMessage,
    response: ServerResponse,
  ): void => {
    const before = socket.bytesWritten;
    this.running += 1;
    response.once('close', () => {
      this.running -= 1;
      this.exchanges.push({ path: url, bytes: socket.bytesWritten - before });
    });
  };
}
