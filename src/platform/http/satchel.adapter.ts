import http, { type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

import { ExpressAdapter } from '@nestjs/platform-express';
import express, { type Express, type Response } from 'express';

import { Answer } from './answer.js';
import { refuseConnection } from './refused-connection.js';

/**
 * Disables Node's check of the Host header, because Node's error response has no body. `hostNamed` checks the header
 * instead.
 */
const OWN_REFUSALS = { requireHostHeader: false } as const;

/**
 * The timeouts after which Node closes the connection of a slow sender. body-deadline.ts limits the time for a body.
 */
const TIMEOUTS = {
  headersTimeout: 10_000,
  requestTimeout: 15 * 60_000,
  keepAliveTimeout: 5000,
  connectionsCheckingInterval: 1000,
} as const;

/**
 * Matches the start of a complete URL, which a request may contain instead of a path (RFC 9112 section 3.2.2). The
 * service uses only the path of such a URL. Express would respond to a URL without a path itself, without the handlers
 * of the service.
 */
const AUTHORITY = /^[a-z][a-z\d+.-]*:\/\/[^/?]*(?<end>$|[/?])/i;
const withSlash = (_: string, end: string): string => (end === '/' ? end : `/${end}`);

const V8_WITH_CHEAP_PROTOTYPE_SWAP = 13;

type Message = typeof http.IncomingMessage;
type Reply = typeof http.ServerResponse;

/**
 * Runs Express on a server with the timeouts of the service. Halves the processor time per request on Node 20 and 22:
 * Express replaces the prototype of each request and response, which makes later property accesses slow in V8 before
 * version 13. This adapter creates the objects with the prototypes of Express, so the replacement is a no-op
 * (docs/decisions/0002).
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
          ServerResponse: bornWith<Reply>(http.ServerResponse, app.response),
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

  override reply(response: Response, body: unknown, status?: number): void {
    if (body instanceof Answer) {
      body.sendTo(response);
    } else {
      super.reply(response, body, status);
    }
  }

  /**
   * Returns every error unchanged for error-report.ts. Nest would wrap an error to which body-parser has added a
   * status.
   */
  override mapException(error: unknown): unknown {
    return error;
  }
}

/**
 * Returns a subclass of `base` with the given prototype. The subclass is a plain function, because the prototype of a
 * class is fixed. Both base classes of Node can be called without `new`.
 */
function bornWith<T extends Message | Reply>(base: T, prototype: object): T {
  function Born(this: unknown, first: unknown, second: unknown): void {
    Reflect.apply(base, this, [first, second]);
  }
  Born.prototype = prototype;
  // eslint-disable-next-line @typescript-eslint/consistent-type-assertions -- a function is a class to Node, but not to TypeScript
  return Born as unknown as T;
}

/** Limits for one connection. */
export interface ConnectionLimits {
  /** The maximum number of requests that wait for the responses to earlier requests of the connection. */
  readonly waitingRequests: number;
  /**
   * The maximum number of further requests, which are ignored. The next request closes the connection. Node keeps a few
   * kilobytes of each ignored request.
   */
  readonly refusedRequests: number;
  /** The time after which a client that reads nothing of a response is disconnected. */
  readonly unreadMs: number;
}

/**
 * The default limits. No known client of the v3 API sends several requests without waiting for responses. One packet
 * can contain about a thousand requests. A client that reads no byte for a minute is gone.
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
 * Answers the requests of a connection one after the other. Node itself would run all requests of a packet at the same
 * time, up to 1,600 requests. It would also keep all responses for a client that may never read them
 * (docs/decisions/0026).
 */
class PipelinedRequests {
  /** The waiting requests per connection, for connections with a running request. */
  private readonly waiting = new WeakMap<Socket, Waiting>();

  constructor(
    private readonly answer: RequestListener,
    private readonly limits: ConnectionLimits,
  ) {}

  /**
   * Runs or queues a request. Requests above the limit are never run. The connection closes after the response to the
   * last queued request, or immediately if too many further requests arrive.
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

  /** Closes an idle connection, unless the client waits for a response of the service. */
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
