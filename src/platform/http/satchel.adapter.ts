import http, { type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

import { ExpressAdapter } from '@nestjs/platform-express';
import express, { type Express } from 'express';

import { refuseConnection } from './refused-connection.js';

/** Node's own error response has no body, so `hostNamed` checks the header instead. */
const OWN_REFUSALS = { requireHostHeader: false } as const;

/** Cuts off slow senders before they can hold a connection for long (body-deadline.ts does so for bodies). */
const TIMEOUTS = {
  headersTimeout: 10_000,
  requestTimeout: 15 * 60_000,
  keepAliveTimeout: 5000,
  connectionsCheckingInterval: 1000,
} as const;

/**
 * A request may contain a complete URL, as requests to proxies do (RFC 9112 section 3.2.2); only its path counts. If it
 * has no path, Express would answer it without the service's own handlers.
 */
const AUTHORITY = /^[a-z][a-z\d+.-]*:\/\/[^/?]*(?<end>$|[/?])/i;
const withSlash = (_: string, end: string): string => (end === '/' ? end : `/${end}`);

const V8_WITH_CHEAP_PROTOTYPE_SWAP = 13;

type Message = typeof http.IncomingMessage;
type Answer = typeof http.ServerResponse;

/**
 * Runs Express on a server with the service's own timeouts, at half the cost per request on Node 20 and 22. Express
 * swaps the prototype of each request and response, which makes every later property access slow in V8 before 13.
 * Objects that are created with Express' prototypes make the swap a no-op (docs/decisions/0002).
 */
export class SatchelAdapter extends ExpressAdapter {
  constructor(private readonly limits: ConnectionLimits = CONNECTION_LIMITS) {
    super(express().enable('case sensitive routing').disable('x-powered-by').disable('etag'));
  }

  override initHttpServer(): void {
    const app = this.getInstance<Express>();
    const isCheap = Number.parseInt(process.versions.v8, 10) >= V8_WITH_CHEAP_PROTOTYPE_SWAP;
    const born = isCheap
      ? {}
      : {
          IncomingMessage: bornWith<Message>(http.IncomingMessage, app.request),
          ServerResponse: bornWith<Answer>(http.ServerResponse, app.response),
        };
    const answer: RequestListener = (request, response) => {
      request.url = request.url?.replace(AUTHORITY, withSlash);
      app(request, response);
    };
    const requests = new PipelinedRequests(answer, this.limits);
    const options = { ...TIMEOUTS, ...OWN_REFUSALS, ...born };
    this.httpServer = http
      .createServer(options, requests.receive)
      .setTimeout(this.limits.unreadMs, requests.endIdle)
      .on('clientError', refuseConnection);
  }

  /**
   * Keeps every error as it is for error-report.ts. Nest would wrap an error to which body-parser has added a status.
   */
  override mapException(error: unknown): unknown {
    return error;
  }
}

/**
 * Returns a subclass with the prototype. It is a plain function: Node's two classes can be called without `new`, and
 * the prototype of a class is fixed.
 */
function bornWith<T extends Message | Answer>(base: T, prototype: object): T {
  function Born(this: unknown, first: unknown, second: unknown): void {
    Reflect.apply(base, this, [first, second]);
  }
  Born.prototype = prototype;
  // eslint-disable-next-line @typescript-eslint/consistent-type-assertions -- a function is a class to Node, but not to TypeScript
  return Born as unknown as T;
}

/** Limits for one connection. */
export interface ConnectionLimits {
  /** How many requests may wait for the responses to earlier requests of their connection. */
  readonly waitingRequests: number;
  /** How many more requests are ignored before the connection is closed. Node still keeps a few kilobytes of each. */
  readonly refusedRequests: number;
  /** How long a client may read nothing of a response. */
  readonly unreadMs: number;
}

/**
 * No client of the v3 API pipelines, and one packet contains about a thousand requests. A client that reads no byte for
 * a minute is gone.
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
 * Answers the requests of a connection one after the other. Node would run all requests of a packet, up to 1,600, and
 * keep their responses for a client that may never read them (docs/decisions/0026).
 */
class PipelinedRequests {
  /** The waiting requests of connections that are being answered. */
  private readonly waiting = new WeakMap<Socket, Waiting>();

  constructor(
    private readonly answer: RequestListener,
    private readonly limits: ConnectionLimits,
  ) {}

  /**
   * Runs a request, or queues it. Requests beyond the limit are never run: the connection closes after the response to
   * the last request within the limit, or at once if requests keep arriving.
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

  /** Closes a connection without reads or writes for a while, unless its client waits for the service. */
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
