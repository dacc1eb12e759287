import type { Application, NextFunction, Request, RequestHandler, Response } from 'express';

import type { Config } from '../config/config.js';

const SETTING = 'sub-path';

/** The path of PUBLIC_URL without a slash at its end: empty where the service has a host for itself. */
export const subPathOf = ({ publicUrl }: Pick<Config, 'publicUrl'>): string =>
  (publicUrl?.pathname ?? '').replace(/(?<!\/)\/+$/, '');

/**
 * Takes the sub-path off each request, once: some proxies have done so before, others keep it. What lies behind knows
 * paths without it; `originalUrl` has it in both cases, as the browser does (docs/decisions/0064).
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

/** `/satchel` and `/satchel?x` are the start; `/satchels` is another path. */
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

/** A path of this service as browsers know it; a place in a page stays what it is. */
export const pathUnder = (prefix: string, path: string): string =>
  path.startsWith('/') ? `${prefix}${path}` : path;

const prefixIn = (app: Application): string => String(app.get(SETTING) ?? '');

/** Where the client finds a path of this service. */
export const outerPath = ({ app }: Response, path: string): string =>
  pathUnder(prefixIn(app), path);

/** The address of a request without the sub-path, also where a handler is bound to a part of it. */
export const innerUrlOf = ({ app, originalUrl }: Request): string =>
  withoutPrefix(originalUrl, prefixIn(app));
