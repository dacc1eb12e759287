import type { Session, SessionData } from 'express-session';

import type { TokenSubject } from '../access-token-claims.js';

/** Whose session it is; undefined for one in which nobody has signed in. */
export function subjectOf({
  authenticated,
  user_id: userId,
  epoch,
}: Session & Partial<SessionData>): TokenSubject | undefined {
  return authenticated === true && userId !== undefined && epoch !== undefined
    ? { userId, sessionEpoch: epoch }
    : undefined;
}
