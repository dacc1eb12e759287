import http from 'node:http';

import { ExpressAdapter } from '@nestjs/platform-express';
import express, { type Express } from 'express';

import {
  CONNECTION_LIMITS,
  type ConnectionLimits,
  PipelinedRequests,
} from './pipelined-requests.js';
import { refuseConnection } from './refused-connection.js';

/** Node's own refusal has no body: `hostNamed` refuses instead. */
const OWN_REFUSALS = { requireHostHeader: false } as const;

/** Slow senders are cut off before they can hold a connection for long (body-deadline.ts does so for bodies). */
const TIMEOUTS = {
  headersTimeout: 10_000,
  requestTimeout: 15 * 60_000,
  keepAliveTimeout: 5000,
  connectionsCheckingInterval: 1000,
} as const;

const V8_WITH_CHEAP_PROTOTYPE_SWAP = 13;

type Message = typeof http.IncomingMessage;
type Answer = typeof http.ServerResponse;

/**
 * Express on a server with the service's own timeouts, at half the cost per request on Node 20 and 22.
 * Express swaps the prototype of each request and response, which makes every later property access slow
 * in V8 before 13. Objects that are born with Express' prototypes make the swap a no-op (docs/decisions/0002).
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
    const requests = new PipelinedRequests(app, this.limits);
    const options = { ...TIMEOUTS, ...OWN_REFUSALS, ...born };
    this.httpServer = http
      .createServer(options, requests.receive)
      .setTimeout(this.limits.unreadMs, requests.endIdle)
      .on('clientError', refuseConnection);
  }

  /** fault.ts reads every error as it is; Nest would wrap a refusal that body-parser has marked with a status. */
  override mapException(error: unknown): unknown {
    return error;
  }
}

/** A plain function: Node's two classes can be called without `new`, and a class's prototype is fixed. */
function bornWith<T extends Message | Answer>(base: T, prototype: object): T {
  function Born(this: unknown, first: unknown, second: unknown): void {
    Reflect.apply(base, this, [first, second]);
  }
  Born.prototype = prototype;
  // eslint-disable-next-line @typescript-eslint/consistent-type-assertions -- a function is a class to Node, but not to TypeScript
  return Born as unknown as T;
}
