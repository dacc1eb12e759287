import type { User } from '../entities/user.entity.js';
import { hashOf } from '../opaque-token.js';

/**
 * Returns the handle of a user in base64url. An authenticator stores one passkey per handle and domain, so the handle
 * contains the time of the registration: another installation on the same domain has users with the same numbers.
 */
export const userHandleOf = ({ id, createdAt }: Pick<User, 'id' | 'createdAt'>): string =>
  hashOf(`passkey ${id} ${createdAt.toISOString()}`).toString('base64url');
