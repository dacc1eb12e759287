import type { RequestHandler } from 'express';

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

/** A slash at the end of a path makes no other path of it, as with routes. */
export const withoutSlash = (path: string): string => path.replace(/\/$/, '');
