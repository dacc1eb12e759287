import { randomUUID } from 'node:crypto';

import type { NextFunction, Request, RequestHandler, Response } from 'express';
import type { Logger } from 'pino';

import type { ErrorCode } from './error.catalogue.js';

/**
 * Matches the secret token in the address of a feed, in a public link, in the address of a public list, or in a link that
 * turns off a digest. The token is not logged, because it gives access to a user's list, article or setting.
 */
const SECRET_TOKEN = /(\/(?:feeds|unsubscribe|shared(?:\/+lists)?|wallabag\/+share)\/+)[^/]+/i;

const ESCAPED = /%([0-7][\da-f])/gi;
/**
 * The maximum number of times that percent-escapes in a path are decoded to find tokens. If the decoded path still
 * contains an escape, the path is logged only up to this escape.
 */
const MOST_ESCAPES = 4;

/**
 * Removes the token of a feed, a public link or a public list from a path. Also finds the token if the path is mistyped or
 * needlessly percent-encoded.
 */
function withoutTokens(path: string): string {
  let plain = path;
  for (let time = 0; time < MOST_ESCAPES; time += 1) {
    plain = plain.replaceAll(ESCAPED, (_, code: string) =>
      String.fromCodePoint(Number.parseInt(code, 16)),
    );
  }
  if (SECRET_TOKEN.test(plain)) {
    return plain.replace(SECRET_TOKEN, '$1…');
  }
  const still = plain.search(ESCAPED);
  return still < 0 ? path : `${plain.slice(0, still)}…`;
}

declare module 'http' {
  interface IncomingMessage {
    /** Returns a logger that adds the id of the request to each line. */
    log(): Logger;
    /** The code of the error response. Undefined if the request has no error response. */
    errorCode?: ErrorCode;
  }
}

/** The route of a request that no controller handles, such as a request for an unknown address. */
const NO_ROUTE = 'none';

/** A request that has ended, for the log and the metrics. */
export interface EndedRequest {
  readonly method: string;
  /** The pattern of the route, such as `/read/:id`. It contains no data of users. */
  readonly route: string;
  readonly status: number;
  readonly milliseconds: number;
  readonly errorCode: ErrorCode | undefined;
}

interface RequestLogOptions {
  /** True if the log contains a line for each request. */
  readonly isLogged: boolean;
  /** Returns the ids of the user and of the key that a request belongs to, for its line in the log. */
  readonly callerOf: (request: Request) => object;
  /** Is called when a request ends. */
  readonly observe?: ((ended: EndedRequest) => void) | undefined;
}

/**
 * Assigns an id to every request, and returns the id as `X-Request-Id`. Logs and observes a request when it ends. Does
 * not log headers, bodies and query strings, because they contain passwords, tokens and keys.
 */
export function requestLog(
  logger: Logger,
  { isLogged, callerOf, observe }: RequestLogOptions,
): RequestHandler {
  const isWritten = isLogged && logger.isLevelEnabled('info');
  return (request: Request, response: Response, next: NextFunction): void => {
    const reqId = randomUUID();
    response.setHeader('X-Request-Id', reqId);
    request.log = () => logger.child({ reqId });
    if (isWritten || observe !== undefined) {
      const begin = performance.now();
      const { path, ip: from } = request;
      response.once('close', () => {
        const ended = endedRequest(request, response, begin);
        observe?.(ended);
        if (isWritten) {
          logger.info({ reqId, ...lineOf(ended, { path, from }), ...callerOf(request) }, 'request');
        }
      });
    }
    next();
  };
}

/** The status of requests without a response, as nginx logs it. */
const CLIENT_GONE = 499;

const endedRequest = (request: Request, response: Response, beginMs: number): EndedRequest => ({
  method: request.method,
  route: routeOf(request),
  // Without headers, the client has gone away before there was a response.
  status: response.headersSent ? response.statusCode : CLIENT_GONE,
  milliseconds: performance.now() - beginMs,
  errorCode: request.errorCode,
});

function routeOf({ route }: { readonly route?: unknown }): string {
  const isRoute = typeof route === 'object' && route !== null && 'path' in route;
  return isRoute && typeof route.path === 'string' ? route.path : NO_ROUTE;
}

const lineOf = (
  { method, route, status, milliseconds, errorCode }: EndedRequest,
  { path, from }: { readonly path: string; readonly from: string | undefined },
): object => ({
  req: { method, path: withoutTokens(path), route, from },
  res: { status, ...(errorCode !== undefined && { error: errorCode }) },
  responseTime: Math.round(milliseconds),
});
