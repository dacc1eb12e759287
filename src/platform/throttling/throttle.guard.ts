import { createHash } from 'node:crypto';

import { type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import {
  DEFAULT_IPV6_SUBNET_PREFIX,
  normalizeIp,
  ThrottlerGuard,
  type ThrottlerLimitDetail,
} from '@nestjs/throttler';
import type { Request } from 'express';

import { TooManyRequestsError } from '../common/common.errors.js';

/**
 * Returns the key of a counter. `tracker` is an account or an address. The key contains its hash,
 * so that the table does not show who tried to log in.
 */
export const throttleKey = (limit: string, tracker: string): string =>
  `${limit}:${createHash('sha256').update(tracker).digest('base64url')}`;

/**
 * Returns the IPv4 address or the IPv6 /64 network of a client. Limits per client address treat all addresses of an
 * IPv6 /64 network as one client.
 */
export const clientNetwork = ({ ip = '' }: Pick<Request, 'ip'>): string =>
  normalizeIp(ip, DEFAULT_IPV6_SUBNET_PREFIX);

/** Counts a call against every limit of its route. Rejects the call if one of these limits is reached. */
@Injectable()
export class ThrottleGuard extends ThrottlerGuard {
  protected override generateKey(
    _context: ExecutionContext,
    tracker: string,
    limit: string,
  ): string {
    return throttleKey(limit, tracker);
  }

  protected override throwThrottlingException(
    _context: ExecutionContext,
    { timeToBlockExpire }: ThrottlerLimitDetail,
  ): Promise<void> {
    return Promise.reject(new TooManyRequestsError(timeToBlockExpire));
  }
}

/** Lists the limits against which the calls of a route are counted. */
export const ThrottledBy = Reflector.createDecorator<readonly string[]>();
