import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** What one connection may take of the service. */
export interface ConnectionLimits {
  /** How many requests may wait for the answers to earlier ones of their connection. */
  readonly waitingRequests: number;
  /** How many more may come, which are never run; Node keeps a few kilobytes of each all the same. */
  readonly refusedRequests: number;
  /** For how long a client may take nothing of an answer. */
  readonly unreadMs: number;
}

/**
 * No client of the v3 API pipelines, and one packet has about a thousand requests; a minute without reading a byte is
 * a client that has gone.
 */
export const CONNECTION_LIMITS: ConnectionLimits = {
  waitingRequests: 16,
  refusedRequests: 1000,
  unreadMs: 60_000,
};

interface Waiting {
  readonly exchanges: (readonly [IncomingMessage, ServerResponse])[];
  refused: number;
}

/**
 * Answers the requests of a connection one after the other: Node runs all that one packet holds, 1,600 of them, and
 * keeps their answers for a client that may never read (docs/decisions/0026).
 */
export class PipelinedRequests {
  /** Of the connections that are being answered. */
  private readonly waiting = new WeakMap<Socket, Waiting>();

  constructor(
    private readonly answer: RequestListener,
    private readonly limits: ConnectionLimits,
  ) {}

  /**
   * Requests beyond the limit are not run: the connection ends with the answer to the last one within it, or at once
   * where requests go on coming.
   */
  readonly receive = (request: IncomingMessage, response: ServerResponse): void => {
    const waiting = this.waiting.get(request.socket);
    if (waiting === undefined) {
      this.waiting.set(request.socket, { exchanges: [], refused: 0 });
      this.begin(request, response);
    } else if (waiting.refused === 0 && waiting.exchanges.length < this.limits.waitingRequests) {
      waiting.exchanges.push([request, response]);
    } else {
      waiting.refused += 1;
      if (waiting.refused > this.limits.refusedRequests) {
        request.socket.destroy();
      }
    }
  };

  /** Ends a connection on which nothing was read or written for a while, unless its client waits for the service. */
  readonly endIdle = (socket: Socket): void => {
    if (!this.waiting.has(socket) || socket.writableLength > 0) {
      socket.destroy();
    }
  };

  private begin(request: IncomingMessage, response: ServerResponse): void {
    response.once('close', () => {
      this.goOn(request.socket);
    });
    this.answer(request, response);
  }

  private goOn(socket: Socket): void {
    const waiting = this.waiting.get(socket);
    const next = waiting?.exchanges.shift();
    if (waiting === undefined || next === undefined || socket.destroyed) {
      this.waiting.delete(socket);
      return;
    }
    if (waiting.refused > 0 && waiting.exchanges.length === 0) {
      next[1].setHeader('Connection', 'close');
    }
    this.begin(...next);
  }
}
