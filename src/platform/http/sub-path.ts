import type { Application, NextFunction, Request, RequestHandler, Response } from 'express';

import type { Config } from '../config/config.js';

const SETTING = 'sub-path';

/** Returns the path of PUBLIC_URL without a trailing slash. Returns an empty string if PUBLIC_URL has no path. */
export const subPathOf = ({ publicUrl }: Pick<Config, 'publicUrl'>): string =>
  (publicUrl?.pathname ?? '').replace(/(?<!\/)\/+$/, '');

/**
 * Removes the sub-path from the URL of each request. Accepts requests without the sub-path too, because some proxies
 * remove the sub-path. Later handlers see paths without the sub-path. `originalUrl` always contains the sub-path, like
 * the address in the browser (docs/decisions/0064).
 */
export function subPath(app: Application, config: Config): RequestHandler[] {
  const prefix = subPathOf(config);
  app.set(SETTING, prefix);
  return prefix === '' ? [] : [takeOff(prefix)];
}

const takeOff =
  (prefix: string): RequestHandler =>
  (request: Request, _response: Response, next: NextFunction): void => {
    request.url = withoutPrefix(request.url, prefix);
    request.originalUrl = request.url.startsWith('/') ? `${prefix}${request.url}` : request.url;
    next();
  };

/**
 * Removes the prefix from a URL. With the prefix `/satchel`, the URLs `/satchel` and `/satchel?x` are the start page,
 * but `/satchels` is another path.
 */
function withoutPrefix(url: string, prefix: string): string {
  if (!url.startsWith(prefix)) {
    return url;
  }
  const rest = url.slice(prefix.length);
  if (rest.startsWith('/')) {
    return rest;
  }
  return rest === '' || rest.startsWith('?') ? `/${rest}` : url;
}

/** Returns a path of this service as browsers see the path. Returns other links, such as fragments, unchanged. */
export const pathUnder = (prefix: string, path: string): string =>
  path.startsWith('/') ? `${prefix}${path}` : path;

const prefixIn = (app: Application): string => String(app.get(SETTING) ?? '');

/** Returns a path of this service with the sub-path, as the client requests the path. */
export const outerPath = ({ app }: Response, path: string): string =>
  pathUnder(prefixIn(app), path);

/**
 * Returns the URL of a request without the sub-path. The URL is complete even in a handler that is mounted on a part of
 * the path.
 */
export const innerUrlOf = ({ app, originalUrl }: Request): string =>
  withoutPrefix(originalUrl, prefixIn(app));
