import type { NextFunction, Request, RequestHandler, Response } from 'express';

import type { Config } from '../platform/config/config.js';
import type { Quota } from '../platform/throttling/call-leases.js';
import { type CallQuotas, untouched } from '../platform/throttling/call-limits.js';
import { isV3Path } from './v3-routes.js';

/**
 * Sets the six headers with call limits on every v3 response. Responses to unknown callers have these headers too,
 * because some clients require all six.
 */
export function limitHeaders({ callLimits }: Config): RequestHandler {
  const quotas = { user: untouched(callLimits.perUser), key: untouched(callLimits.perKey) };
  return ({ path }: Request, response: Response, next: NextFunction): void => {
    if (isV3Path(path)) {
      setLimitHeaders(response, quotas);
    }
    next();
  };
}

export function setLimitHeaders(response: Response, { user, key }: CallQuotas): void {
  setQuota(response, 'x-limit-user', user);
  setQuota(response, 'x-limit-key', key);
}

function setQuota(response: Response, name: string, quota: Quota): void {
  response.setHeader(`${name}-limit`, quota.limit);
  response.setHeader(`${name}-remaining`, quota.remaining);
  response.setHeader(`${name}-reset`, quota.resetSeconds);
}
