import type { Request, RequestHandler } from 'express';

type Handlers = ReadonlyMap<string, RequestHandler>;

/**
 * Runs the handler of the request's path, if there is one. Uses one lookup, while Express would try the pattern of each
 * path on every request.
 */
export const atPath = (handlers: Handlers): RequestHandler =>
  running(({ path }) => handlers.get(withoutSlash(path)));

/** Runs the handler of the request's path, or of the longest path above it that has a handler. */
export const belowPath = (handlers: Handlers): RequestHandler => {
  const deepest = Math.max(...[...handlers.keys()].map((path) => path.split('/').length));
  return running(({ path }) => {
    // Limits the number of parts to that of the deepest handler, because a path may have thousands.
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

/** Removes a slash at the end of a path, which routes ignore as well. */
export const withoutSlash = (path: string): string => path.replace(/\/$/, '');
