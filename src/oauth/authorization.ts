import type { Permission } from '../consumers/permission.js';
import type { FoundRequest } from './authorization-request.store.js';

/** How far a request has come. */
export type Standing = 'open' | 'authorized' | 'rejected' | 'used' | 'expired' | 'disabled';

/** A request as the person who is asked sees it. */
export interface Authorization {
  readonly standing: Standing;
  readonly application: { readonly name: string; readonly permissions: readonly Permission[] };
  readonly redirectUri: string;
  /** The id of the user who has answered; null while nobody has. */
  readonly answeredBy: string | null;
}

export function standingOf({ isUsed, isExpired, isDisabled, decision }: FoundRequest): Standing {
  if (isUsed) {
    return 'used';
  }
  if (isExpired) {
    return 'expired';
  }
  return isDisabled ? 'disabled' : (decision ?? 'open');
}

export const authorizationOf = (request: FoundRequest): Authorization => ({
  standing: standingOf(request),
  application: { name: request.name, permissions: request.permissions },
  redirectUri: request.redirectUri,
  answeredBy: request.userId,
});
