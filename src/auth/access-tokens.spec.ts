import { readClaims } from './access-tokens.js';

const NOW = 1_763_700_000;
const LIMITS = { nowSeconds: NOW, ttlSeconds: 900 };
const CLAIMS = { sub: '42', aud: 'satchel', typ: 'at', epoch: 3, iat: NOW, exp: NOW + 900 };
const READ = { subject: { userId: '42', tokenVersion: 3 }, expiresAt: NOW + 900 };

describe('readClaims', () => {
  it('names the user, the token version and the end', () => {
    expect(readClaims(CLAIMS, LIMITS)).toEqual(READ);
  });

  it('reads all that the database holds', () => {
    const claims = { ...CLAIMS, sub: String(2n ** 63n - 1n), epoch: 2 ** 31 - 1 };

    expect(readClaims(claims, LIMITS)?.subject).toEqual({
      userId: claims.sub,
      tokenVersion: claims.epoch,
    });
  });

  it('ignores what it does not know', () => {
    expect(readClaims({ ...CLAIMS, admin: true }, LIMITS)).toEqual(READ);
  });

  it.each(['sub', 'aud', 'typ', 'epoch', 'iat', 'exp'] as const)('needs %s', (name) => {
    expect(readClaims({ ...CLAIMS, [name]: undefined }, LIMITS)).toBeUndefined();
  });

  it.each([
    ['sub', 42],
    ['sub', ''],
    ['sub', '0'],
    ['sub', '-1'],
    ['sub', '042'],
    ['sub', '1 or 1=1'],
    ['sub', '42\n'],
    ['sub', '１'],
    ['sub', '9'.repeat(20)],
    ['sub', String(2n ** 63n)],
    ['sub', ['42']],
    ['sub', { toString: () => '42' }],
    ['sub', null],
    ['aud', ['satchel']],
    ['aud', null],
    ['typ', 'AT'],
    ['typ', 'rt'],
    ['typ', ['at']],
    ['epoch', '3'],
    ['epoch', null],
    ['epoch', true],
    ['epoch', 0.5],
    ['epoch', -1],
    ['epoch', 2 ** 31],
    ['iat', String(NOW)],
    ['iat', null],
    ['exp', String(NOW + 900)],
    ['exp', null],
  ])('refuses the %s %j', (name, value) => {
    expect(readClaims({ ...CLAIMS, [name]: value }, LIMITS)).toBeUndefined();
  });

  it('does not read what the claims inherit', () => {
    expect(readClaims(Object.create(CLAIMS) as object, LIMITS)).toBeUndefined();
  });

  it.each([
    [0, true],
    [30, true],
    [31, false],
    [3600, false],
  ])('issued %d seconds ahead of this clock is accepted: %s', (ahead, isAccepted) => {
    const subject = readClaims({ ...CLAIMS, iat: NOW + ahead, exp: NOW + ahead + 900 }, LIMITS);

    expect(subject !== undefined).toBe(isAccepted);
  });

  it('refuses a token that was made to live longer than tokens may live now', () => {
    expect(readClaims({ ...CLAIMS, exp: NOW + 901 }, LIMITS)).toBeUndefined();
  });
});
