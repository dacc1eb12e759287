import type { Session } from '../../../auth/entities/session.entity.js';
import { deviceName } from '../../../auth/session/device.js';
import type { Message } from '../../../platform/i18n/message.js';

export interface SessionCard {
  readonly id: string;
  readonly device: Message;
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
  device: deviceName(session.device),
  address: session.address,
  since: session.createdAt,
  lastUsed: session.lastUsedAt,
  isThis: current !== undefined && session.id.equals(current.id),
});
