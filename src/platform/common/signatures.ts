import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

const KEY_BYTES = 32;
/**
 * The length of a signature in bytes. It is a multiple of three, so that each signature has exactly
 * one base64url text, without padding.
 */
const SIGNATURE_BYTES = 24;
const SHAPE = /^[\w-]{32}$/;

/** Signs values with keys that are derived from secrets and a purpose. A signature is valid only for its purpose. */
export class Signatures {
  private readonly keys: readonly [Buffer, ...Buffer[]];

  constructor([first, ...others]: readonly [string, ...string[]], purpose: string) {
    const keyOf = (secret: string): Buffer =>
      Buffer.from(hkdfSync('sha256', secret, '', purpose, KEY_BYTES));
    this.keys = [keyOf(first), ...others.map(keyOf)];
  }

  /** Signs the value with the newest secret. Returns 32 characters of base64url. */
  of(value: string | Buffer): string {
    return signed(this.keys[0], value).toString('base64url');
  }

  /** Returns true if the text is the signature of the value with any of the secrets. */
  isOf(value: string | Buffer, text: string): boolean {
    const given = Buffer.from(text, 'base64url');
    return SHAPE.test(text) && this.keys.some((key) => timingSafeEqual(signed(key, value), given));
  }
}

const signed = (key: Buffer, value: string | Buffer): Buffer =>
  createHmac('sha256', key).update(value).digest().subarray(0, SIGNATURE_BYTES);
