import type { Session } from '../../../auth/entities/session.entity.js';

export interface SessionCard {
  readonly id: string;
  readonly device: string;
  /** The network address from which the session was last used. Empty if the address is unknown. */
  readonly address: string;
  readonly since: Date;
  readonly lastUsed: Date;
  /** True for the session of the browser that shows the page. */
  readonly isThis: boolean;
}

/** Returns the properties of a session that the page shows. `current` is the session of the request. */
export const sessionCardOf = (session: Session, current: Session | undefined): SessionCard => ({
  id: session.id.toString('base64url'),
  device: session.device,
  address: session.address,
  since: session.createdAt,
  lastUsed: session.lastUsedAt,
  isThis: current !== undefined && session.id.equals(current.id),
});
