import type { RequestHandler } from 'express';

import { withoutSlash } from './without-slash.js';

/**
 * Runs the handler of the request's path, if there is one. Express would try the pattern of each path on every
 * request; this is one look-up.
 */
export const atPath =
  (handlers: ReadonlyMap<string, RequestHandler>): RequestHandler =>
  (request, response, next) => {
    const handler = handlers.get(withoutSlash(request.path));
    if (handler === undefined) {
      next();
    } else {
      void handler(request, response, next);
    }
  };
