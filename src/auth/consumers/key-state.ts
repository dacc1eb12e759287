import type { ConsumerKey } from './entities/consumer-key.entity.js';

/** Whether a key works. `disabled` also describes a key that is both disabled and expired. */
export type KeyState = 'enabled' | 'disabled' | 'expired';

export function keyStateOf(
  { disabledAt, expiresAt }: Pick<ConsumerKey, 'disabledAt' | 'expiresAt'>,
  now: Date,
): KeyState {
  if (disabledAt !== null) {
    return 'disabled';
  }
  return isExpired({ expiresAt }, now) ? 'expired' : 'enabled';
}

/** Returns true for an expired key, even if it is also disabled. */
export const isExpired = ({ expiresAt }: Pick<ConsumerKey, 'expiresAt'>, now: Date): boolean =>
  expiresAt !== null && expiresAt <= now;
