import type { Request, RequestHandler } from 'express';

type Handlers = ReadonlyMap<string, RequestHandler>;

/**
 * Runs the handler for the path of the request, if the path has a handler. Needs one lookup per request, while Express
 * would test the pattern of each path.
 */
export const atPath = (handlers: Handlers): RequestHandler =>
  running(({ path }) => handlers.get(withoutSlash(path)));

/**
 * Runs the handler for the path of the request. If the path has no handler, runs the handler for the nearest parent
 * path.
 */
export const belowPath = (handlers: Handlers): RequestHandler => {
  const deepest = Math.max(...[...handlers.keys()].map((path) => path.split('/').length));
  return running(({ path }) => {
    // Splits the path only down to the depth of the deepest handler, because a path may have thousands of parts.
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
