import type { ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { ThrottlerModuleOptions, ThrottlerOptions } from '@nestjs/throttler';
import type { Request } from 'express';

import type { ThrottleLimits } from '../config/config.js';
import type { CounterStore } from '../throttling/counter.store.js';
import { ThrottledBy } from '../throttling/throttled-by.js';
import { canonicalEmail } from './email-address.js';

/** The limits of the account endpoints. An address is an IPv4 address or an IPv6 /64 network. */
export enum AccountLimit {
  LoginPerAddress = 'login-address',
  LoginPerAccount = 'login-account',
  RegisterPerAddress = 'register-address',
  RefreshPerAddress = 'refresh-address',
}

const WINDOW_MS = 15 * 60 * 1000;

/** Addresses come first: an address that is cut off can no longer use up somebody's attempts. */
export function throttlerOptions(
  limits: ThrottleLimits,
  storage: CounterStore,
): ThrottlerModuleOptions {
  return {
    storage,
    setHeaders: false,
    throttlers: [
      limit(AccountLimit.LoginPerAddress, limits.loginPerAddress),
      limit(AccountLimit.RegisterPerAddress, limits.registerPerAddress),
      limit(AccountLimit.RefreshPerAddress, limits.refreshPerAddress),
      {
        ...limit(
          AccountLimit.LoginPerAccount,
          limits.loginPerAccount,
          (body) => emailIn(body) !== '',
        ),
        getTracker: (request) => emailIn(request['body']),
      },
    ],
  };
}

function limit(
  name: AccountLimit,
  attempts: number,
  counts: (body: unknown) => boolean = () => true,
): ThrottlerOptions {
  const skipIf = (context: ExecutionContext): boolean =>
    attempts === 0 ||
    !namesOf(context).includes(name) ||
    !counts(context.switchToHttp().getRequest<Request>().body);
  return { name, limit: attempts, ttl: WINDOW_MS, skipIf };
}

const reflector = new Reflector();

const namesOf = (context: ExecutionContext): readonly string[] =>
  reflector.get<readonly string[] | undefined>(ThrottledBy.KEY, context.getHandler()) ?? [];

function emailIn(body: unknown): string {
  const isObject = typeof body === 'object' && body !== null;
  return isObject && 'email' in body && typeof body.email === 'string'
    ? canonicalEmail(body.email)
    : '';
}
