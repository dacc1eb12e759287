import type { Request, RequestHandler } from 'express';

type Handlers = ReadonlyMap<string, RequestHandler>;

/**
 * Runs the handler of the request's path, if there is one. Express would try the pattern of each path on every
 * request; this is one look-up.
 */
export const atPath = (handlers: Handlers): RequestHandler =>
  running(({ path }) => handlers.get(withoutSlash(path)));

/** The same of the path that the request's path is, or lies below. */
export const belowPath = (handlers: Handlers): RequestHandler => {
  const deepest = Math.max(...[...handlers.keys()].map((path) => path.split('/').length));
  return running(({ path }) => {
    // Only as many parts as a handler's path has: a path may have thousands.
    const parts = path.split('/', deepest);
    for (; parts.length > 1; parts.pop()) {
      const handler = handlers.get(parts.join('/'));
      if (handler !== undefined) {
        return handler;
      }
    }
    return undefined;
  });
};

const running =
  (handlerOf: (request: Request) => RequestHandler | undefined): RequestHandler =>
  (request, response, next) => {
    const handler = handlerOf(request);
    if (handler === undefined) {
      next();
    } else {
      void handler(request, response, next);
    }
  };

/** A slash at the end of a path makes no other path of it, as with routes. */
export const withoutSlash = (path: string): string => path.replace(/\/$/, '');
