import type { NextFunction, Request, RequestHandler, Response } from 'express';

import { isV3Path } from '../common/http/is-v3-path.js';
import type { Config } from '../config/config.js';
import type { Standing } from './allowance.js';
import { type CallStandings, untouched } from './call-limits.js';

/** Gives every v3 answer the six headers, also where nobody could be counted: clients that read one read all. */
export function limitHeaders({ callLimits }: Config): RequestHandler {
  const standings = { user: untouched(callLimits.perUser), key: untouched(callLimits.perKey) };
  return ({ path }: Request, response: Response, next: NextFunction): void => {
    if (isV3Path(path)) {
      setLimitHeaders(response, standings);
    }
    next();
  };
}

export function setLimitHeaders(response: Response, { user, key }: CallStandings): void {
  setStanding(response, 'x-limit-user', user);
  setStanding(response, 'x-limit-key', key);
}

function setStanding(response: Response, name: string, standing: Standing): void {
  response.setHeader(`${name}-limit`, standing.limit);
  response.setHeader(`${name}-remaining`, standing.remaining);
  response.setHeader(`${name}-reset`, standing.resetSeconds);
}
