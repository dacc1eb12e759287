import type { ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { ThrottlerModuleOptions, ThrottlerOptions } from '@nestjs/throttler';
import type { Request } from 'express';

import { textOf } from '../platform/common/request-fields.js';
import type { ThrottleLimits } from '../platform/config/config.js';
import { ThrottledBy } from '../platform/throttling/throttle.guard.js';
import type { ThrottleStorage } from '../platform/throttling/throttle-storage.js';
import { canonicalEmail } from './email-address.js';

/**
 * The names of the limits of the account endpoints. Here, `Address` means a network address: an
 * IPv4 address or an IPv6 /64 network.
 */
export enum AccountLimit {
  LoginPerAddress = 'login-address',
  LoginPerAccount = 'login-account',
  RegisterPerAddress = 'register-address',
  RefreshPerAddress = 'refresh-address',
  /**
   * Limits the requests that contain the token of a one-time link, with the same maximum as logins
   * per network address.
   */
  LinkPerAddress = 'link-address',
  /** Limits the requests that mail a link to a user, such as a password reset link. */
  MailPerAddress = 'mail-address',
  MailPerAccount = 'mail-account',
  /**
   * Limits the mailed changes of a user's email address, apart from the mails that anyone can request for the user
   * (links/email-change-limits.ts).
   */
  ChangePerAccount = 'mail-change',
  /** Limits the mails that all users together send to one new email address (links/email-change-limits.ts). */
  MailPerTarget = 'mail-target',
  /** Limits logins with an OpenID Connect issuer. Each login is counted twice: at its start and at its end. */
  IssuerPerAddress = 'issuer-address',
}

/** The names of the limits for applications that send requests for access to a user's list. */
export enum ApplicationLimit {
  RequestPerAddress = 'oauth-request-address',
  RequestPerKey = 'oauth-request-key',
}

/** The names of the limits for visitors without an account. */
export enum VisitorLimit {
  SharedPerAddress = 'shared-address',
}

/** The length of the period in which attempts are counted. The period begins with the first attempt. */
export const WINDOW_MS = 15 * 60 * 1000;

/**
 * Returns the limits for all endpoints, in the order in which they are checked. Limits per network
 * address come first, so that requests from a blocked network address do not count against an
 * account or a key.
 */
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
      limitPer(accountOf, AccountLimit.MailPerAccount, limits.mailPerAccount),
      limit(AccountLimit.IssuerPerAddress, 2 * limits.loginPerAddress),
      limitPer(accountOf, AccountLimit.LoginPerAccount, limits.loginPerAccount),
      limit(VisitorLimit.SharedPerAddress, limits.sharedPerAddress),
      limit(ApplicationLimit.RequestPerAddress, limits.oauthRequestPerAddress),
      {
        ...limit(ApplicationLimit.RequestPerKey, limits.oauthRequestPerKey),
        getTracker: applicationOf,
      },
    ],
  };
}

/** The parts of a request that identify the account and the application for a limit. */
interface Calling {
  /** The application of the request's consumer key. Undefined if the request has no valid consumer key. */
  readonly consumer?: { readonly id: string };
  readonly body?: unknown;
  readonly query?: unknown;
  readonly user?: unknown;
}

function limit(
  name: AccountLimit | ApplicationLimit | VisitorLimit,
  attempts: number,
  counts: (request: Calling) => boolean = () => true,
): ThrottlerOptions {
  const skipIf = (context: ExecutionContext): boolean =>
    attempts === 0 ||
    !namesOf(context).includes(name) ||
    !counts(context.switchToHttp().getRequest<Request>());
  return { name, limit: attempts, ttl: WINDOW_MS, skipIf };
}

/** Returns a limit per email address. Does not count requests without an email address. */
const limitPer = (
  emailOf: (request: Calling) => string,
  name: AccountLimit,
  attempts: number,
): ThrottlerOptions => ({
  ...limit(name, attempts, (request) => emailOf(request) !== ''),
  getTracker: emailOf,
});

const reflector = new Reflector();

const namesOf = (context: ExecutionContext): readonly string[] =>
  reflector.get<readonly string[] | undefined>(ThrottledBy.KEY, context.getHandler()) ?? [];

/**
 * Returns the email address of the authenticated user. Without an authenticated user, returns the
 * email address in the body.
 */
const accountOf = ({ user, body }: Calling): string => emailIn(user) || emailIn(body);

const applicationOf = ({ consumer }: Calling): string => consumer?.id ?? '';

/**
 * Returns true if a request contains the token of a one-time link. Requests for a page contain the token in the query
 * string, and submitted forms contain it in the body.
 */
const hasLinkToken = ({ query, body }: Calling): boolean =>
  [textOf(query, 'invitation'), textOf(query, 'token'), textOf(body, 'token')].join('') !== '';

function emailIn(thing: unknown): string {
  const isObject = typeof thing === 'object' && thing !== null;
  return isObject && 'email' in thing && typeof thing.email === 'string'
    ? canonicalEmail(thing.email)
    : '';
}
