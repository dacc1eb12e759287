import type { NextFunction, Request, RequestHandler, Response } from 'express';

import type { BodyBudget } from '../../../platform/http/body-budget.js';
import { v3Body } from '../../../pocket-api/v3-body.js';
import { isWallabagCall, takesContent, WALLABAG_BASE, WALLABAG_METHODS } from './wallabag-paths.js';

const KIB = 1024;
const BODY_LIMIT = 64 * KIB;
/** The maximum size in bytes of a request with page content. Calls of `/v3/add` have the same maximum size. */
const CONTENT_LIMIT = 6 * KIB * KIB;
const WITH_CONTENT: ReadonlySet<string> = new Set(['POST', 'PATCH', 'PUT']);

/**
 * Prepares the calls of wallabag's clients for the controllers. Removes `.json` from paths, and collects the parameters
 * of the query and of a JSON, form or multipart body in `request.body`.
 */
export function wallabagRequests(budget: BodyBudget): RequestHandler {
  const readBody = v3Body(BODY_LIMIT, budget);
  const readContent = v3Body(CONTENT_LIMIT, budget);
  return (request, response, next) => {
    const { path, method } = request;
    if (!isWallabagCall(path)) {
      next();
    } else if (method === 'OPTIONS') {
      response.status(204).set('Allow', WALLABAG_METHODS.join(', ')).end();
    } else {
      request.url = withoutJson(request.url);
      const read = takesContent(path) && WITH_CONTENT.has(method) ? readContent : readBody;
      void read(request, response, next);
    }
  };
}

const SLASHES_AFTER_BASE = new RegExp(`^${WALLABAG_BASE}/{2,}`);

/**
 * Replaces several slashes after the base path with one. If the user typed the server address with a trailing slash,
 * clients request `/wallabag//api/…`. This middleware must run before all code that reads the path.
 */
export function joinWallabagSlashes(
  request: Request,
  _response: Response,
  next: NextFunction,
): void {
  request.url = request.url.replace(SLASHES_AFTER_BASE, `${WALLABAG_BASE}/`);
  next();
}

/**
 * Matches the suffix `.json` at the end of a path. Does not match `export.json`, because this `.json` selects the
 * format of the exported file.
 */
const JSON_SUFFIX = /^([^?]*)(?<!\/export)\.json(\/?)(?=\?|$)/;

const withoutJson = (url: string): string => url.replace(JSON_SUFFIX, '$1$2');
