import { randomBytes } from 'node:crypto';

import { Secret, TOTP } from 'otpauth';

const SECRET_BYTES = 20;
const PERIOD_SECONDS = 30;
const DIGITS = 6;
/**
 * The number of accepted codes before and after the current code. A phone's clock may be wrong, and
 * a person needs time to type a code (RFC 6238 section 5.2).
 */
const STEPS_AROUND = 1;
const ISSUER = 'Satchel';

/**
 * Returns a new secret in base32 (RFC 4648), which the authenticator app and the service share. It
 * has the 160 bits that RFC 4226, section 4, recommends.
 */
export const newSecret = (): string => new Secret({ size: SECRET_BYTES }).base32;

/**
 * Creates a generator of one-time codes with the settings that every authenticator app supports: SHA-1, six digits, 30
 * seconds.
 */
const totpOf = (secret: string, label = ''): TOTP =>
  new TOTP({
    issuer: ISSUER,
    label,
    secret: Secret.fromBase32(secret),
    algorithm: 'SHA1',
    digits: DIGITS,
    period: PERIOD_SECONDS,
  });

/** Returns the `otpauth:` address that an authenticator app reads from the QR code. */
export const secretUri = (secret: string, email: string): string =>
  totpOf(secret, email).toString();

/**
 * Returns the number of the 30-second period to which a code belongs. Returns undefined if the code
 * belongs neither to the current period nor to the one before or after.
 */
export function stepOf(secret: string, code: string, nowSeconds: number): number | undefined {
  const delta = totpOf(secret).validate({
    token: code,
    timestamp: nowSeconds * 1000,
    window: STEPS_AROUND,
  });
  return delta === null ? undefined : Math.floor(nowSeconds / PERIOD_SECONDS) + delta;
}

/** A code that a person has typed: either a code of the authenticator app or a recovery code. */
type TypedCode = { readonly ofApp: string } | { readonly ofRecovery: string };

const OF_APP = /^\d{6}$/;
/** Matches a recovery code of 24 characters, and one of 16 characters, which earlier versions created. */
const OF_RECOVERY = /^(?:[a-z2-7]{16}|[a-z2-7]{24})$/;

/**
 * Parses a code that a person has typed. Ignores spaces, hyphens and case. Returns undefined if the text is not a code.
 */
export function typedCode(text: string): TypedCode | undefined {
  const code = text.slice(0, 64).replaceAll(/[\s-]/g, '').toLowerCase();
  if (OF_APP.test(code)) {
    return { ofApp: code };
  }
  return OF_RECOVERY.test(code) ? { ofRecovery: code } : undefined;
}

const RECOVERY_CODES = 10;
/**
 * The number of random bytes in a recovery code. From 112 random bits on, a fast hash is sufficient (OWASP ASVS 5.0,
 * 6.5.2). 15 bytes fill 24 characters of base32.
 */
const RECOVERY_BYTES = 15;

/** Returns new recovery codes. Each code has 24 letters and digits, in groups of four. */
export const newRecoveryCodes = (): string[] =>
  Array.from({ length: RECOVERY_CODES }, () =>
    base32(randomBytes(RECOVERY_BYTES)).replaceAll(/(.{4})(?=.)/g, '$1-'),
  );

const base32 = (bytes: Buffer): string =>
  new Secret({ buffer: new Uint8Array(bytes).buffer }).base32.toLowerCase();
