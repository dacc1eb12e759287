import type { CookieOptions, RequestHandler } from 'express';
import session, { type SessionData, Store } from 'express-session';

import type { Clock } from '../../platform/common/clock.js';
import type { Config } from '../../platform/config/config.js';
import { subPathOf } from '../../platform/http/sub-path.js';
import { Cipher } from '../cipher.js';

/**
 * The maximum length of the encrypted session. Browsers may drop a cookie of more than 4096 bytes (RFC 6265 section
 * 6.1).
 */
const MAX_LENGTH = 3800;

interface EncryptedSession {
  readonly expiresAtMs: number;
  readonly data: SessionData;
}

const isEncryptedSession = (value: unknown): value is EncryptedSession =>
  typeof value === 'object' && value !== null && 'expiresAtMs' in value && 'data' in value;

/**
 * A store for express-session that keeps the whole session in the cookie. express-session writes
 * `request.sessionID` to the cookie as soon as `set` returns, so `set` must encrypt the session
 * synchronously.
 */
class EncryptedCookieStore extends Store {
  constructor(
    private readonly cipher: Cipher,
    private readonly clock: Clock,
    private readonly ttlMs: number,
  ) {
    super();
  }

  override get(id: string, done: (error: unknown, session?: SessionData | null) => void): void {
    const session = this.cipher.decrypt(id);
    const isLive = isEncryptedSession(session) && session.expiresAtMs > this.clock.now().getTime();
    done(null, isLive ? session.data : null);
  }

  override set(
    _id: string,
    session: SessionData & { req?: { sessionID: string } },
    done?: (error?: unknown) => void,
  ): void {
    const expiresAtMs = this.clock.now().getTime() + this.ttlMs;
    const encrypted = this.cipher.encrypt({
      expiresAtMs,
      data: session,
    } satisfies EncryptedSession);
    if (session.req === undefined || encrypted.length > MAX_LENGTH) {
      done?.(new Error('the session does not fit into a cookie'));
      return;
    }
    session.req.sessionID = encrypted;
    done?.();
  }

  /**
   * Does nothing, because this store has no data outside the cookie. `Sessions.leave` clears the
   * cookie and deletes the session from the database.
   */
  override destroy(_id: string, done?: (error?: unknown) => void): void {
    done?.();
  }
}

/**
 * Returns the name of the session cookie. With TLS, its prefix makes browsers require the attribute
 * Secure. The prefix `__Host-` also requires Path=/ (RFC 6265bis, 4.1.3), so a service below a
 * sub-path uses `__Secure-`.
 */
export function sessionCookieName(config: Config): string {
  const prefix = subPathOf(config) === '' ? '__Host-' : '__Secure-';
  return isUnderTls(config) ? `${prefix}session` : 'session';
}

export function sessionCookieOptions(config: Config): CookieOptions {
  const path = subPathOf(config) || '/';
  return { httpOnly: true, sameSite: 'lax', secure: isUnderTls(config), path };
}

const isUnderTls = ({ publicUrl }: Config): boolean => publicUrl?.protocol === 'https:';

/**
 * Returns the middleware that reads and writes the encrypted session cookie with express-session (docs/decisions/0003).
 */
export function sessionMiddleware(config: Config, clock: Clock): RequestHandler {
  const name = sessionCookieName(config);
  const ttlMs = config.sessionTtlSeconds * 1000;
  return session({
    name,
    secret: [...config.sessionSecrets],
    store: new EncryptedCookieStore(new Cipher(config.sessionSecrets, name), clock, ttlMs),
    resave: false,
    saveUninitialized: false,
    cookie: { ...sessionCookieOptions(config), maxAge: ttlMs },
  });
}
