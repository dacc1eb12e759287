import type { Request, RequestHandler } from 'express';

type Handlers = ReadonlyMap<string, RequestHandler>;

/**
 * Returns middleware that runs the handler for the path of the request. If the path has no handler,
 * the next middleware runs. A map finds the handler faster than Express, which tests the pattern of
 * each path.
 */
export const atPath = (handlers: Handlers): RequestHandler =>
  running(({ path }) => handlers.get(withoutSlash(path)));

/**
 * Returns middleware that runs the handler for the path of the request, or for the nearest parent path that has one.
 */
export const belowPath = (handlers: Handlers): RequestHandler => {
  const deepest = Math.max(...[...handlers.keys()].map((path) => path.split('/').length));
  return running(({ path }) => {
    // Splits the path only to the depth of the deepest handler, because a path may have thousands of segments.
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

/** Removes a trailing slash from a path, because routes ignore a trailing slash too. */
export const withoutSlash = (path: string): string => path.replace(/\/$/, '');
