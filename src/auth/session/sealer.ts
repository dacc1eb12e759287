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
 * Encrypts and authenticates values with AES-256-GCM (NIST SP 800-38D) under keys derived from secrets.
 * A seal is `v1.<key id>.<base64url of nonce, ciphertext, tag>`; the purpose and the key id are authenticated
 * with it, so a seal made for one purpose opens for no other.
 */
export class Sealer {
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

  seal(value: unknown): string {
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

  /** The sealed value, or undefined for anything that none of the keys has sealed. */
  open(seal: string): unknown {
    const [version, id, body = '', ...rest] = seal.split('.');
    const key = this.keys.find((candidate) => candidate.id === id);
    const isShaped = version === VERSION && rest.length === 0 && seal.length <= MAX_LENGTH;
    const sealed = Buffer.from(body, 'base64url');
    // Node's decoder is lenient: `+` for `-`, padding and white space would be other spellings of the seal.
    if (!isShaped || key === undefined || sealed.toString('base64url') !== body) {
      return undefined;
    }
    try {
      return JSON.parse(this.decrypted(key, sealed));
    } catch {
      return undefined;
    }
  }

  private decrypted({ id, key }: Key, sealed: Buffer): string {
    const decipher = createDecipheriv(CIPHER, key, sealed.subarray(0, NONCE_BYTES), {
      authTagLength: TAG_BYTES,
    });
    decipher.setAAD(this.associatedData(id)).setAuthTag(sealed.subarray(-TAG_BYTES));
    const text = decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES));
    return Buffer.concat([text, decipher.final()]).toString();
  }

  private associatedData(keyId: string): Buffer {
    return Buffer.from(`${VERSION}.${keyId}.${this.purpose}`);
  }
}

function derived(secret: string, info: string, bytes: number): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', info, bytes));
}
