import { randomBytes } from 'node:crypto';

const MASKED_TOKEN = /^[\w-]{86}$/;

/**
 * Hides a CSRF token behind random bytes, which differ each time. Without the mask, an attacker could guess the token
 * from the size of compressed pages (BREACH, docs/decisions/0110).
 */
export function maskToken(token: string): string {
  const bytes = Buffer.from(token, 'hex');
  const mask = randomBytes(bytes.length);
  return Buffer.concat([mask, combined(mask, bytes)]).toString('base64url');
}

/**
 * Returns the CSRF token of a masked token. Returns other texts unchanged, because pages of earlier versions contain
 * unmasked tokens.
 */
export function unmaskToken(text: string): string {
  if (!MASKED_TOKEN.test(text)) {
    return text;
  }
  const bytes = Buffer.from(text, 'base64url');
  const half = bytes.length / 2;
  return combined(bytes.subarray(0, half), bytes.subarray(half)).toString('hex');
}

const combined = (one: Buffer, other: Buffer): Buffer =>
  Buffer.from(one.map((byte, at) => byte ^ (other[at] ?? 0)));
