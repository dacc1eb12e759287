import { commonestPasswords } from './common-passwords.js';
import { canonicalEmail } from './email-address.js';

export const MIN_BYTES = 8;
/** bcrypt reads no further (docs/decisions/0005). */
export const MAX_BYTES = 72;
const commonest = commonestPasswords(MIN_BYTES);

export const isWithinBcrypt = (password: string): boolean =>
  Buffer.byteLength(password) <= MAX_BYTES;

/** Why nobody may take this password, or undefined; in words for people, to whom a byte of UTF-8 says nothing. Passwords are taken as they are: not trimmed, not folded. */
export function passwordFault(password: string, email: string): string | undefined {
  if (Buffer.byteLength(password) < MIN_BYTES) {
    return `must have at least ${MIN_BYTES} characters`;
  }
  if (!isWithinBcrypt(password)) {
    return `must have at most ${MAX_BYTES} characters, of which those beyond plain letters count more than once`;
  }
  if (password.trim() === '' || commonest.has(password.toLowerCase())) {
    return 'is one of the commonest: take another';
  }
  return canonicalEmail(password) === email ? 'must not be the email address' : undefined;
}
