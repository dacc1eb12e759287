import http, { type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

import { ExpressAdapter } from '@nestjs/platform-express';
import express, { type Express, type Response } from 'express';

import { Answer } from './answer.js';
import { refuseConnection } from './refused-connection.js';

/**
 * Turns off Node's check of the Host header, whose error response has no body. The middleware `hostNamed` checks the
 * header instead.
 */
const OWN_REFUSALS = { requireHostHeader: false } as const;

/**
 * The time limits after which Node closes a slow connection, in milliseconds. Request bodies have a shorter limit in
 * body-deadline.ts.
 */
const TIMEOUTS = {
  headersTimeout: 10_000,
  requestTimeout: 15 * 60_000,
  keepAliveTimeout: 5000,
  connectionsCheckingInterval: 1000,
} as const;

/**
 * Matches the scheme and host of a complete URL, which a request may contain instead of a path (RFC 9112 section
 * 3.2.2). The service removes the scheme and the host. Otherwise, Express would respond to a URL without a path by
 * itself, and no middleware would run.
 */
const AUTHORITY = /^[a-z][a-z\d+.-]*:\/\/[^/?]*(?<end>$|[/?])/i;
const withSlash = (_: string, end: string): string => (end === '/' ? end : `/${end}`);

const V8_WITH_CHEAP_PROTOTYPE_SWAP = 13;

type Message = typeof http.IncomingMessage;
type Reply = typeof http.ServerResponse;

/**
 * Runs Express with the time limits of the service. Express replaces the prototype of each request and response, which
 * slows down V8 before version 13. On Node 20 and 22, the adapter creates requests and responses that already have the
 * prototypes of Express. This halves the processor time per request (docs/decisions/0002).
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
   * Returns every error unchanged, because error-report.ts handles it. Nest would wrap an error to which body-parser
   * has added a status.
   */
  override mapException(error: unknown): unknown {
    return error;
  }
}

/**
 * Returns a subclass of `base` with the given prototype. The subclass is a function, because the prototype of a class
 * cannot be replaced. Both base classes of Node can be called without `new`.
 */
function bornWith<T extends Message | Reply>(base: T, prototype: object): T {
  function Born(this: unknown, first: unknown, second: unknown): void {
    Reflect.apply(base, this, [first, second]);
  }
  Born.prototype = prototype;
  // eslint-disable-next-line @typescript-eslint/consistent-type-assertions -- a function is a class to Node, but not to TypeScript
  return Born as unknown as T;
}

/** The limits for one client connection. */
export interface ConnectionLimits {
  /** The maximum number of requests that may wait for responses to earlier requests of the connection. */
  readonly waitingRequests: number;
  /**
   * The maximum number of ignored requests on a connection, after which it is closed. Node keeps a few kilobytes of
   * each ignored request.
   */
  readonly refusedRequests: number;
  /** The time after which a client that reads nothing of a response is disconnected. */
  readonly unreadMs: number;
}

/**
 * The default limits for one connection. No known v3 client sends a request before it has received
 * the previous response, but one packet of an attacker can contain a thousand requests.
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
 * Answers the requests of a connection one after the other. Node would run all requests of a packet in parallel, up to
 * 1,600. It would also keep all responses for a client that may never read them (docs/decisions/0026).
 */
class PipelinedRequests {
  /** The waiting requests of each connection that has a running request. */
  private readonly waiting = new WeakMap<Socket, Waiting>();

  constructor(
    private readonly answer: RequestListener,
    private readonly limits: ConnectionLimits,
  ) {}

  /**
   * Runs a request, or queues it behind the running request of its connection. If the queue is
   * full, ignores the request and closes the connection after the last queued request. Closes the
   * connection immediately if too many requests were ignored.
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

  /** Closes a connection without activity, unless its client waits for the service to respond. */
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
