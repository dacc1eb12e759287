import type { Application, NextFunction, Request, RequestHandler, Response } from 'express';

import type { Config } from '../config/config.js';

const SETTING = 'sub-path';

/** Returns the path of PUBLIC_URL without a slash at its end. Empty if the service has its own host. */
export const subPathOf = ({ publicUrl }: Pick<Config, 'publicUrl'>): string =>
  (publicUrl?.pathname ?? '').replace(/(?<!\/)\/+$/, '');

/**
 * Removes the sub-path from each request once, because some proxies remove it and others keep it. Later handlers see
 * paths without it, but `originalUrl` always has it, as in the browser (docs/decisions/0064).
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

/** `/satchel` and `/satchel?x` are the start page, but `/satchels` is another path. */
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

/** Returns a path of this service as browsers see it. Returns other links, such as fragments, unchanged. */
export const pathUnder = (prefix: string, path: string): string =>
  path.startsWith('/') ? `${prefix}${path}` : path;

const prefixIn = (app: Application): string => String(app.get(SETTING) ?? '');

/** Returns a path of this service with the sub-path, as the client requests it. */
export const outerPath = ({ app }: Response, path: string): string =>
  pathUnder(prefixIn(app), path);

/** Returns the URL of a request without the sub-path, also inside a handler that is mounted on a part of the path. */
export const innerUrlOf = ({ app, originalUrl }: Request): string =>
  withoutPrefix(originalUrl, prefixIn(app));
