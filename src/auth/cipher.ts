import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const VERSION = 'v1';
const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const MAX_LENGTH = 4096;

interface Key {
  readonly id: string;
  readonly key: Buffer;
}

/**
 * Encrypts and authenticates values with AES-256-GCM (NIST SP 800-38D). Keys are derived from a
 * secret and a purpose, so a value cannot be decrypted for another purpose. The result is `v1.<key
 * id>.<base64url of nonce, ciphertext, tag>`. The tag also authenticates the purpose and the key
 * id.
 */
export class Cipher {
  private readonly keys: readonly [Key, ...Key[]];

  constructor(
    [first, ...others]: readonly [string, ...string[]],
    private readonly purpose: string,
  ) {
    const keyOf = (secret: string): Key => ({
      id: derived(secret, `seal-id:${purpose}`, 4).toString('hex'),
      key: derived(secret, `seal:${purpose}`, 32),
    });
    this.keys = [keyOf(first), ...others.map(keyOf)];
  }

  encrypt(value: unknown): string {
    const [{ id, key }] = this.keys;
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, key, nonce).setAAD(this.associatedData(id));
    const text = Buffer.concat([cipher.update(JSON.stringify(value)), cipher.final()]);
    return [
      VERSION,
      id,
      Buffer.concat([nonce, text, cipher.getAuthTag()]).toString('base64url'),
    ].join('.');
  }

  /** Returns the decrypted value, or undefined if the text was not encrypted with one of the keys. */
  decrypt(encrypted: string): unknown {
    const [version, id, body = '', ...rest] = encrypted.split('.');
    const key = this.keys.find((candidate) => candidate.id === id);
    const isShaped = version === VERSION && rest.length === 0 && encrypted.length <= MAX_LENGTH;
    const bytes = Buffer.from(body, 'base64url');
    // Rejects padding, white space, and `+` instead of `-`. Node's base64url decoder would accept
    // them.
    if (!isShaped || key === undefined || bytes.toString('base64url') !== body) {
      return undefined;
    }
    try {
      return JSON.parse(this.plaintext(key, bytes));
    } catch {
      return undefined;
    }
  }

  /** The prefixes of values that were encrypted with an earlier secret. Each prefix contains the id of the key. */
  get olderBeginnings(): string[] {
    return this.keys.slice(1).map(({ id }) => `${VERSION}.${id}.`);
  }

  private plaintext({ id, key }: Key, bytes: Buffer): string {
    const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES), {
      authTagLength: TAG_BYTES,
    });
    decipher.setAAD(this.associatedData(id)).setAuthTag(bytes.subarray(-TAG_BYTES));
    const text = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES));
    return Buffer.concat([text, decipher.final()]).toString();
  }

  private associatedData(keyId: string): Buffer {
    return Buffer.from(`${VERSION}.${keyId}.${this.purpose}`);
  }
}

function derived(secret: string, info: string, bytes: number): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', info, bytes));
}
