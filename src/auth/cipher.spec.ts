import { Cipher } from './cipher.js';

const SECRET = 'a secret of at least 32 bytes: 1';
const OTHER = 'a secret of at least 32 bytes: 2';
const VALUE = { user_id: '42', text: 'Grüße, 世界 🐘' };

const cipher = new Cipher([SECRET], 'session');

/** Returns the encrypted text with one bit of its body flipped. */
function withBitFlipped(encrypted: string, bit: number): string {
  const [version, id, body = ''] = encrypted.split('.');
  const bytes = Buffer.from(body, 'base64url');
  bytes[bit >> 3]! ^= 1 << (bit & 7);
  return [version, id, bytes.toString('base64url')].join('.');
}

describe('Cipher', () => {
  it.each([VALUE, 'text', 0, null, [], { deep: [{ er: true }] }])('opens %j as it was', (value) => {
    expect(cipher.decrypt(cipher.encrypt(value))).toEqual(value);
  });

  it('makes text that a cookie can hold as it is', () => {
    expect(cipher.encrypt(VALUE)).toMatch(/^v1\.[0-9a-f]{8}\.[A-Za-z0-9_-]+$/);
  });

  it('shows nothing of the value', () => {
    const encrypted = cipher.encrypt({ user_id: 'ada' });

    expect(Buffer.from(encrypted.split('.')[2] ?? '', 'base64url').toString('latin1')).not.toMatch(
      /ada|user_id/,
    );
  });

  it('encrypts the same value differently each time', () => {
    const texts = Array.from({ length: 1000 }, () => cipher.encrypt(VALUE));

    const nonces = texts.map((encrypted) => encrypted.split('.')[2]?.slice(0, 16));
    expect(new Set(nonces).size).toBe(1000);
  });

  it('does not decrypt a text with any one bit changed', () => {
    const encrypted = cipher.encrypt(VALUE);
    const bits = Buffer.from(encrypted.split('.')[2] ?? '', 'base64url').length * 8;

    const opened = Array.from({ length: bits }, (_, bit) =>
      cipher.decrypt(withBitFlipped(encrypted, bit)),
    );

    expect(opened.filter((value) => value !== undefined)).toEqual([]);
  });

  it('does not decrypt a text with any one character changed', () => {
    const encrypted = cipher.encrypt(VALUE);
    const changed = [...encrypted].flatMap((character, at) =>
      ['A', 'B', '_', '=', '+', ' ', '.', '%']
        .filter((other) => other !== character)
        .map((other) => encrypted.slice(0, at) + other + encrypted.slice(at + 1)),
    );

    expect(changed.filter((text) => cipher.decrypt(text) !== undefined)).toEqual([]);
  });

  it('does not decrypt a text that is cut anywhere', () => {
    const encrypted = cipher.encrypt(VALUE);

    const opened = Array.from(encrypted, (_, length) => cipher.decrypt(encrypted.slice(0, length)));

    expect(opened.filter((value) => value !== undefined)).toEqual([]);
  });

  it.each(['', '.', '..', '...', 'v1', 'v1..', 'x'.repeat(10_000), '\u0000', '__proto__'])(
    'does not open %j',
    (text) => {
      expect(cipher.decrypt(text)).toBeUndefined();
    },
  );

  it.each([
    ['something behind it', (encrypted: string) => `${encrypted}x`],
    ['padding', (encrypted: string) => `${encrypted}==`],
    ['a line feed', (encrypted: string) => `${encrypted}\n`],
    ['another part', (encrypted: string) => `${encrypted}.x`],
    ['another version', (encrypted: string) => encrypted.replace('v1', 'v2')],
    [
      'a body of nothing',
      (encrypted: string) => encrypted.split('.').slice(0, 2).concat('').join('.'),
    ],
    [
      'a body of four bytes',
      (encrypted: string) => [...encrypted.split('.').slice(0, 2), 'AAAAAA'].join('.'),
    ],
  ])('does not decrypt a text with %s', (_, change) => {
    expect(cipher.decrypt(change(cipher.encrypt(VALUE)))).toBeUndefined();
  });

  it.each([
    ['by another secret', new Cipher([OTHER], 'session')],
    ['for another purpose', new Cipher([SECRET], '__Host-session')],
  ])('does not decrypt what was encrypted %s', (_, other) => {
    const foreign = other.encrypt(VALUE);
    const [, ownId] = cipher.encrypt(VALUE).split('.');
    const renamed = foreign
      .split('.')
      .with(1, ownId ?? '')
      .join('.');

    expect(cipher.decrypt(foreign)).toBeUndefined();
    expect(cipher.decrypt(renamed)).toBeUndefined();
  });

  it('decrypts what an older secret has encrypted while that one is kept', () => {
    const old = new Cipher([OTHER], 'session').encrypt(VALUE);

    expect(new Cipher([SECRET, OTHER], 'session').decrypt(old)).toEqual(VALUE);
    expect(new Cipher([SECRET], 'session').decrypt(old)).toBeUndefined();
  });

  it('encrypts with the first secret', () => {
    const encrypted = new Cipher([SECRET, OTHER], 'session').encrypt(VALUE);

    expect(cipher.decrypt(encrypted)).toEqual(VALUE);
  });
});
