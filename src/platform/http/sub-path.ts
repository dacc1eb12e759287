import type { Application, NextFunction, Request, RequestHandler, Response } from 'express';

import type { Config } from '../config/config.js';

const SETTING = 'sub-path';

/** Returns the path of PUBLIC_URL without a trailing slash. Returns an empty string if PUBLIC_URL has no path. */
export const subPathOf = ({ publicUrl }: Pick<Config, 'publicUrl'>): string =>
  (publicUrl?.pathname ?? '').replace(/(?<!\/)\/+$/, '');

/**
 * Returns middleware that removes the path of PUBLIC_URL from the URL of each request. Requests without this path are
 * accepted too, because some proxies remove it. `originalUrl` keeps the path, like the address in the browser
 * (docs/decisions/0064).
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
 * Removes the path of PUBLIC_URL from a URL. With the path `/satchel`, the URLs `/satchel` and `/satchel?x` become the
 * start page, but `/satchels` is another path.
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

/** Adds the path of PUBLIC_URL to a path of the service. Returns other links, such as fragments, unchanged. */
export const pathUnder = (prefix: string, path: string): string =>
  path.startsWith('/') ? `${prefix}${path}` : path;

const prefixIn = (app: Application): string => String(app.get(SETTING) ?? '');

/** Adds the path of PUBLIC_URL to a path of the service. The result is the path that clients must request. */
export const outerPath = ({ app }: Response, path: string): string =>
  pathUnder(prefixIn(app), path);

/**
 * Returns the URL of a request without the path of PUBLIC_URL. The result contains all other segments, even if Express
 * has removed the mount path of a handler from `request.url`.
 */
export const innerUrlOf = ({ app, originalUrl }: Request): string =>
  withoutPrefix(originalUrl, prefixIn(app));
