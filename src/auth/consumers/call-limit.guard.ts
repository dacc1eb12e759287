import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';

import { TooManyRequestsError } from '../../platform/common/common.errors.js';
import { CallLimits } from '../../platform/throttling/call-limits.js';
import { setLimitHeaders } from '../../pocket-api/limit-headers.js';

/**
 * Counts the API calls of each user and rejects calls over a limit. Does not count calls without a
 * valid consumer key and access token.
 */
@Injectable()
export class CallLimitGuard implements CanActivate {
  constructor(private readonly limits: CallLimits) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const { principal } = http.getRequest<Request>();
    if (principal === undefined) {
      return true;
    }
    const admission = await this.limits.admit(principal.userId, principal.consumerKeyId);
    setLimitHeaders(http.getResponse<Response>(), admission);
    if (admission.retryAfterSeconds !== undefined) {
      throw new TooManyRequestsError(admission.retryAfterSeconds);
    }
    return true;
  }
}
