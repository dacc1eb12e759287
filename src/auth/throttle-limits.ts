import type { ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { ThrottlerModuleOptions, ThrottlerOptions } from '@nestjs/throttler';
import type { Request } from 'express';

import { textOf } from '../platform/common/request-fields.js';
import type { ThrottleLimits } from '../platform/config/config.js';
import { ThrottledBy } from '../platform/throttling/throttle.guard.js';
import type { ThrottleStorage } from '../platform/throttling/throttle-storage.js';
import { canonicalEmail } from './email-address.js';

/** The limits of the account endpoints. An address is an IPv4 address or an IPv6 /64 network. */
export enum AccountLimit {
  LoginPerAddress = 'login-address',
  LoginPerAccount = 'login-account',
  RegisterPerAddress = 'register-address',
  RefreshPerAddress = 'refresh-address',
  /** Pages that a one-time link opens: an address tries as many as it may try passwords. */
  LinkPerAddress = 'link-address',
  /** Mails that anyone may ask for, knowing the address of an account. */
  MailPerAddress = 'mail-address',
  MailPerAccount = 'mail-account',
  /** Beginnings and ends of logins with an issuer: two of them make a login. */
  IssuerPerAddress = 'issuer-address',
}

/** The limits of applications that ask for access. */
export enum ApplicationLimit {
  RequestPerAddress = 'oauth-request-address',
  RequestPerKey = 'oauth-request-key',
}

/** How long attempts are counted from the first one on. */
export const WINDOW_MS = 15 * 60 * 1000;

/** Addresses come first: an address that is cut off can no longer use up the attempts of an account or a key. */
export function throttlerOptions(
  limits: ThrottleLimits,
  storage: ThrottleStorage,
): ThrottlerModuleOptions {
  return {
    storage,
    setHeaders: false,
    throttlers: [
      limit(AccountLimit.LoginPerAddress, limits.loginPerAddress),
      limit(AccountLimit.RegisterPerAddress, limits.registerPerAddress),
      limit(AccountLimit.RefreshPerAddress, limits.refreshPerAddress),
      limit(AccountLimit.LinkPerAddress, limits.loginPerAddress, hasLinkToken),
      limit(AccountLimit.MailPerAddress, limits.mailPerAddress),
      {
        ...limit(AccountLimit.MailPerAccount, limits.mailPerAccount, isAboutAccount),
        getTracker: accountOf,
      },
      limit(AccountLimit.IssuerPerAddress, 2 * limits.loginPerAddress),
      {
        ...limit(AccountLimit.LoginPerAccount, limits.loginPerAccount, isAboutAccount),
        getTracker: accountOf,
      },
      limit(ApplicationLimit.RequestPerAddress, limits.oauthRequestPerAddress),
      {
        ...limit(ApplicationLimit.RequestPerKey, limits.oauthRequestPerKey),
        getTracker: applicationOf,
      },
    ],
  };
}

/** The parts of a request that name the account and the application of the call. */
interface Calling {
  /** Set by a guard that has found the key: a call without a valid key is not counted for the key. */
  readonly consumer?: { readonly id: string };
  readonly body?: unknown;
  readonly query?: unknown;
  readonly user?: unknown;
}

function limit(
  name: AccountLimit | ApplicationLimit,
  attempts: number,
  counts: (request: Calling) => boolean = () => true,
): ThrottlerOptions {
  const skipIf = (context: ExecutionContext): boolean =>
    attempts === 0 ||
    !namesOf(context).includes(name) ||
    !counts(context.switchToHttp().getRequest<Request>());
  return { name, limit: attempts, ttl: WINDOW_MS, skipIf };
}

const reflector = new Reflector();

const namesOf = (context: ExecutionContext): readonly string[] =>
  reflector.get<readonly string[] | undefined>(ThrottledBy.KEY, context.getHandler()) ?? [];

/** The account of the user that a guard has found, else the one that the body names. */
const accountOf = ({ user, body }: Calling): string => emailIn(user) || emailIn(body);

const applicationOf = ({ consumer }: Calling): string => consumer?.id ?? '';

/** A page that is opened without a token tries none; a form repeats that of its page. */
const hasLinkToken = ({ query, body }: Calling): boolean =>
  [textOf(query, 'invitation'), textOf(query, 'token'), textOf(body, 'token')].join('') !== '';

const isAboutAccount = (request: Calling): boolean => accountOf(request) !== '';

function emailIn(thing: unknown): string {
  const isObject = typeof thing === 'object' && thing !== null;
  return isObject && 'email' in thing && typeof thing.email === 'string'
    ? canonicalEmail(thing.email)
    : '';
}
