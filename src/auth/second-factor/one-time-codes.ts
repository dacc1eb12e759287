import { randomBytes } from 'node:crypto';

import { Secret, TOTP } from 'otpauth';

const SECRET_BYTES = 20;
const PERIOD_SECONDS = 30;
const DIGITS = 6;
/** Clocks of phones differ, and typing takes time (RFC 6238 section 5.2). */
const STEPS_AROUND = 1;
const ISSUER = 'Satchel';

/** What app and service share, in base32 (RFC 4648): HMAC-SHA-1 wants 160 bits (RFC 4226 section 4). */
export const newSecret = (): string => new Secret({ size: SECRET_BYTES }).base32;

/** What every app understands: SHA-1, six digits, 30 seconds. */
const totpOf = (secret: string, label = ''): TOTP =>
  new TOTP({
    issuer: ISSUER,
    label,
    secret: Secret.fromBase32(secret),
    algorithm: 'SHA1',
    digits: DIGITS,
    period: PERIOD_SECONDS,
  });

/** What an app reads from the QR code. */
export const secretUri = (secret: string, email: string): string =>
  totpOf(secret, email).toString();

/** The period of 30 seconds that six digits are the code of; undefined where they are not the code of about this time. */
export function stepOf(secret: string, code: string, nowSeconds: number): number | undefined {
  const delta = totpOf(secret).validate({
    token: code,
    timestamp: nowSeconds * 1000,
    window: STEPS_AROUND,
  });
  return delta === null ? undefined : Math.floor(nowSeconds / PERIOD_SECONDS) + delta;
}

/** A code as a person has typed it. */
type TypedCode = { readonly ofApp: string } | { readonly ofRecovery: string };

const OF_APP = /^\d{6}$/;
const OF_RECOVERY = /^[a-z2-7]{16}$/;

/** Spaces and hyphens help reading, and case does not count; undefined for what is no code. */
export function typedCode(text: string): TypedCode | undefined {
  const code = text.slice(0, 64).replaceAll(/[\s-]/g, '').toLowerCase();
  if (OF_APP.test(code)) {
    return { ofApp: code };
  }
  return OF_RECOVERY.test(code) ? { ofRecovery: code } : undefined;
}

const RECOVERY_CODES = 10;
/** 80 bits: what is random enough needs no slow hash. */
const RECOVERY_BYTES = 10;

/** Codes of sixteen letters and digits in groups of four. */
export const newRecoveryCodes = (): string[] =>
  Array.from({ length: RECOVERY_CODES }, () =>
    base32(randomBytes(RECOVERY_BYTES)).replaceAll(/(.{4})(?=.)/g, '$1-'),
  );

const base32 = (bytes: Buffer): string =>
  new Secret({ buffer: new Uint8Array(bytes).buffer }).base32.toLowerCase();
