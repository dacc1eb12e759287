import { Sealer } from './sealer.js';

const SECRET = 'a secret of at least 32 bytes: 1';
const OTHER = 'a secret of at least 32 bytes: 2';
const VALUE = { user_id: '42', text: 'Grüße, 世界 🐘' };

const sealer = new Sealer([SECRET], 'session');

/** The seal with one bit of its body turned over. */
function withBitFlipped(seal: string, bit: number): string {
  const [version, id, body = ''] = seal.split('.');
  const bytes = Buffer.from(body, 'base64url');
  bytes[bit >> 3]! ^= 1 << (bit & 7);
  return [version, id, bytes.toString('base64url')].join('.');
}

describe('Sealer', () => {
  it.each([VALUE, 'text', 0, null, [], { deep: [{ er: true }] }])('opens %j as it was', (value) => {
    expect(sealer.open(sealer.seal(value))).toEqual(value);
  });

  it('makes a seal that a cookie can hold as it is', () => {
    expect(sealer.seal(VALUE)).toMatch(/^v1\.[0-9a-f]{8}\.[A-Za-z0-9_-]+$/);
  });

  it('shows nothing of the value', () => {
    const seal = sealer.seal({ user_id: 'somebody' });

    expect(Buffer.from(seal.split('.')[2] ?? '', 'base64url').toString('latin1')).not.toMatch(
      /somebody|user_id/,
    );
  });

  it('seals the same value differently each time', () => {
    const seals = Array.from({ length: 1000 }, () => sealer.seal(VALUE));

    const nonces = seals.map((seal) => seal.split('.')[2]?.slice(0, 16));
    expect(new Set(nonces).size).toBe(1000);
  });

  it('does not open a seal with any one bit changed', () => {
    const seal = sealer.seal(VALUE);
    const bits = Buffer.from(seal.split('.')[2] ?? '', 'base64url').length * 8;

    const opened = Array.from({ length: bits }, (_, bit) => sealer.open(withBitFlipped(seal, bit)));

    expect(opened.filter((value) => value !== undefined)).toEqual([]);
  });

  it('does not open a seal with any one character changed', () => {
    const seal = sealer.seal(VALUE);
    const changed = [...seal].flatMap((character, at) =>
      ['A', 'B', '_', '=', '+', ' ', '.', '%']
        .filter((other) => other !== character)
        .map((other) => seal.slice(0, at) + other + seal.slice(at + 1)),
    );

    expect(changed.filter((text) => sealer.open(text) !== undefined)).toEqual([]);
  });

  it('does not open a seal that is cut anywhere', () => {
    const seal = sealer.seal(VALUE);

    const opened = Array.from(seal, (_, length) => sealer.open(seal.slice(0, length)));

    expect(opened.filter((value) => value !== undefined)).toEqual([]);
  });

  it.each(['', '.', '..', '...', 'v1', 'v1..', 'x'.repeat(10_000), '\u0000', '__proto__'])(
    'does not open %j',
    (text) => {
      expect(sealer.open(text)).toBeUndefined();
    },
  );

  it.each([
    ['something behind it', (seal: string) => `${seal}x`],
    ['padding', (seal: string) => `${seal}==`],
    ['a line feed', (seal: string) => `${seal}\n`],
    ['another part', (seal: string) => `${seal}.x`],
    ['another version', (seal: string) => seal.replace('v1', 'v2')],
    ['a body of nothing', (seal: string) => seal.split('.').slice(0, 2).concat('').join('.')],
    [
      'a body of four bytes',
      (seal: string) => [...seal.split('.').slice(0, 2), 'AAAAAA'].join('.'),
    ],
  ])('does not open a seal with %s', (_, change) => {
    expect(sealer.open(change(sealer.seal(VALUE)))).toBeUndefined();
  });

  it('does not open what another secret has sealed', () => {
    const foreign = new Sealer([OTHER], 'session').seal(VALUE);
    const [, ownId] = sealer.seal(VALUE).split('.');
    const renamed = foreign
      .split('.')
      .with(1, ownId ?? '')
      .join('.');

    expect(sealer.open(foreign)).toBeUndefined();
    expect(sealer.open(renamed)).toBeUndefined();
  });

  it('does not open what was sealed for another purpose', () => {
    const foreign = new Sealer([SECRET], '__Host-session').seal(VALUE);
    const [, ownId] = sealer.seal(VALUE).split('.');
    const renamed = foreign
      .split('.')
      .with(1, ownId ?? '')
      .join('.');

    expect(sealer.open(foreign)).toBeUndefined();
    expect(sealer.open(renamed)).toBeUndefined();
  });

  it('opens what an older secret has sealed while that one is kept', () => {
    const old = new Sealer([OTHER], 'session').seal(VALUE);

    expect(new Sealer([SECRET, OTHER], 'session').open(old)).toEqual(VALUE);
    expect(new Sealer([SECRET], 'session').open(old)).toBeUndefined();
  });

  it('seals with the first secret', () => {
    const seal = new Sealer([SECRET, OTHER], 'session').seal(VALUE);

    expect(sealer.open(seal)).toEqual(VALUE);
  });
});
