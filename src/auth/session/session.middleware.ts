import type { CookieOptions, RequestHandler } from 'express';
import session from 'express-session';

import type { Clock } from '../../common/clock.js';
import type { Config } from '../../config/config.js';
import { SealedCookieStore } from './sealed-cookie.store.js';
import { Sealer } from './sealer.js';

/** Under TLS the name's prefix makes browsers insist on Secure, Path=/ and no Domain (RFC 6265bis, 4.1.3.2). */
export const sessionCookieName = (config: Config): string =>
  isUnderTls(config) ? '__Host-session' : 'session';

export function sessionCookieOptions(config: Config): CookieOptions {
  return { httpOnly: true, sameSite: 'lax', secure: isUnderTls(config), path: '/' };
}

const isUnderTls = ({ publicUrl }: Config): boolean => publicUrl?.protocol === 'https:';

/** The encrypted session cookie, read and written through express-session (docs/decisions/0003). */
export function sessionMiddleware(config: Config, clock: Clock): RequestHandler {
  const name = sessionCookieName(config);
  const ttlMs = config.sessionTtlSeconds * 1000;
  return session({
    name,
    secret: [...config.sessionSecrets],
    store: new SealedCookieStore(new Sealer(config.sessionSecrets, name), clock, ttlMs),
    resave: false,
    saveUninitialized: false,
    cookie: { ...sessionCookieOptions(config), maxAge: ttlMs },
  });
}
