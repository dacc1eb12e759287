import { newRecoveryCodes, newSecret, secretUri, stepOf, typedCode } from './one-time-codes.js';

/** The text `12345678901234567890` in base32, which is the secret of the examples in RFC 6238, appendix B. */
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

describe('stepOf', () => {
  it.each([
    [59, '287082', 1],
    [1_111_111_109, '081804', 37_037_036],
    [1_111_111_111, '050471', 37_037_037],
    [1_234_567_890, '005924', 41_152_263],
    [2_000_000_000, '279037', 66_666_666],
  ])('knows the code of RFC 6238 at %d', (seconds, code, step) => {
    expect(stepOf(SECRET, code, seconds)).toBe(step);
  });

  it.each([
    [-31, undefined],
    [-30, 37_037_037],
    [-1, 37_037_037],
    [0, 37_037_037],
    [29, 37_037_037],
    [59, 37_037_037],
    [60, undefined],
  ])('takes a code %d seconds after the beginning of its period for that of %s', (late, step) => {
    expect(stepOf(SECRET, '050471', 37_037_037 * 30 + late)).toBe(step);
  });

  it.each(['050472', '50471', '0050471', '', 'abcdef'])('refuses %j', (code) => {
    expect(stepOf(SECRET, code, 1_111_111_111)).toBeUndefined();
  });
});

describe('typedCode', () => {
  it.each([
    ['123456', { ofApp: '123456' }],
    [' 123 456\n', { ofApp: '123456' }],
    ['abcd-efgh-2345-mnop', { ofRecovery: 'abcdefgh2345mnop' }],
    ['ABCDEFGH 2345 MNOP', { ofRecovery: 'abcdefgh2345mnop' }],
    ['abcd-efgh-ijkl-mnop-qrst-2345', { ofRecovery: 'abcdefghijklmnopqrst2345' }],
    ['abcd-efgh-ijkl-mnop-qrst', undefined],
    ['', undefined],
    ['12345', undefined],
    ['1234567', undefined],
    ['１２３４５６', undefined],
    ['abcd-efgh-2345-mno1', undefined],
    ['abcd-efgh-2345-mno', undefined],
    [`${'-'.repeat(64)}123456`, undefined],
  ])('reads %j as %j', (text, expected) => {
    expect(typedCode(text)).toEqual(expected);
  });
});

it('secrets have 160 bits, and differ', () => {
  const secrets = Array.from({ length: 100 }, newSecret);

  expect(secrets.filter((secret) => !/^[A-Z2-7]{32}$/.test(secret))).toEqual([]);
  expect(new Set(secrets).size).toBe(100);
});

it('recovery codes have 120 bits, differ, and are read as they are shown', () => {
  const codes = Array.from({ length: 10 }, newRecoveryCodes).flat();

  expect(codes.filter((code) => !/^([a-z2-7]{4}-){5}[a-z2-7]{4}$/.test(code))).toEqual([]);
  expect(new Set(codes).size).toBe(100);
  expect(typedCode(codes[0]!)).toEqual({ ofRecovery: codes[0]!.replaceAll('-', '') });
});

it('the address for apps names the service and the user, and nothing can be added to it', () => {
  const uri = new URL(secretUri(SECRET, 'ada&secret=X@example.com'));

  expect(uri.protocol).toBe('otpauth:');
  expect(decodeURIComponent(uri.pathname)).toContain('Satchel:ada&secret=X@example.com');
  expect(Object.fromEntries(uri.searchParams)).toEqual({
    issuer: 'Satchel',
    secret: SECRET,
    algorithm: 'SHA1',
    digits: '6',
    period: '30',
  });
});
