import { type SessionData, Store } from 'express-session';

import type { Clock } from '../../common/clock.js';
import type { Sealer } from './sealer.js';

/** A cookie of more than 4096 bytes may be dropped by a browser (RFC 6265 section 6.1). */
const MAX_SEAL_LENGTH = 3800;

interface SealedSession {
  readonly expiresAtMs: number;
  readonly data: SessionData;
}

const isSealedSession = (value: unknown): value is SealedSession =>
  typeof value === 'object' && value !== null && 'expiresAtMs' in value && 'data' in value;

/**
 * A store of express-session that keeps nothing on the server: the session id is the session itself, sealed.
 * express-session writes the cookie from `request.sessionID` after it has called `set`, so `set` must put the
 * seal there before it returns; an asynchronous seal would come too late.
 */
export class SealedCookieStore extends Store {
  constructor(
    private readonly sealer: Sealer,
    private readonly clock: Clock,
    private readonly ttlMs: number,
  ) {
    super();
  }

  override get(id: string, done: (error: unknown, session?: SessionData | null) => void): void {
    const sealed = this.sealer.open(id);
    const isLive = isSealedSession(sealed) && sealed.expiresAtMs > this.clock.now().getTime();
    done(null, isLive ? sealed.data : null);
  }

  override set(
    _id: string,
    session: SessionData & { req?: { sessionID: string } },
    done?: (error?: unknown) => void,
  ): void {
    const expiresAtMs = this.clock.now().getTime() + this.ttlMs;
    const seal = this.sealer.seal({ expiresAtMs, data: session } satisfies SealedSession);
    if (session.req === undefined || seal.length > MAX_SEAL_LENGTH) {
      done?.(new Error('the session does not fit into a cookie'));
      return;
    }
    session.req.sessionID = seal;
    done?.();
  }

  /** There is nothing to remove: the cookie is cleared by its owner, copies of it end with the session epoch. */
  override destroy(_id: string, done?: (error?: unknown) => void): void {
    done?.();
  }
}
