import type { RequestHandler } from 'express';

/**
 * Runs the handler of the request's path, if there is one. Express would try the pattern of each path on every
 * request; this is one look-up. A slash at the end makes no other path of it, as with routes.
 */
export const atPath =
  (handlers: ReadonlyMap<string, RequestHandler>): RequestHandler =>
  (request, response, next) => {
    const handler = handlers.get(request.path.replace(/\/$/, ''));
    if (handler === undefined) {
      next();
    } else {
      void handler(request, response, next);
    }
  };
