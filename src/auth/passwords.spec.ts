import { commonestPasswords, isWithinBcrypt, passwordError } from './passwords.js';

const EMAIL = 'ada.lovelace@example.com';

describe('passwordError', () => {
  it.each([
    ['a pass phrase', 'a long pass phrase'],
    ['8 bytes', 'k7#qTz_1'],
    ['8 bytes in 4 characters', 'žluť'.normalize('NFD').slice(0, 3) + 'ü€'],
    ['72 bytes', 'k7#'.repeat(24)],
    ['72 bytes in 36 characters', 'é'.repeat(36)],
    ['spaces around it', '  k7#qTz  '],
    ['an emoji', '🐘🐘'],
  ])('allows %s', (_, password) => {
    expect(passwordError(password, EMAIL)).toBeUndefined();
  });

  it.each([
    ['nothing', ''],
    ['7 bytes', 'k7#qTz_'],
    ['7 bytes in 4 characters', 'éé€'],
  ])('refuses %s as too short', (_, password) => {
    expect(passwordError(password, EMAIL)).toBe('must have at least 8 characters');
  });

  it.each([
    ['73 bytes', `${'k7#'.repeat(24)}x`],
    ['74 bytes in 37 characters', 'é'.repeat(37)],
    ['a megabyte', 'k7#q'.repeat(262_144)],
  ])('refuses %s as more than bcrypt reads', (_, password) => {
    expect(passwordError(password, EMAIL)).toMatch(/^must have at most 72 characters, /);
  });

  it.each([
    'password',
    'PASSWORD',
    'password123',
    '12345678',
    'iloveyou',
    'Qwertyuiop',
    'sunshine1',
  ])('refuses %j as one of the commonest', (password) => {
    expect(passwordError(password, EMAIL)).toMatch('commonest');
  });

  it.each(['        ', '\t\t\t\t\t\t\t\t', '\u3000\u3000\u3000', '\u00a0\u00a0\u00a0\u00a0'])(
    'refuses the white space %j',
    (password) => {
      expect(passwordError(password, EMAIL)).toBeDefined();
    },
  );

  it.each([EMAIL, EMAIL.toUpperCase(), ` ${EMAIL} `])('refuses the email address as %j', (text) => {
    expect(passwordError(text, EMAIL)).toBe('must not be the email address');
  });

  it('allows the email address of another user', () => {
    expect(passwordError('grace@example.com', EMAIL)).toBeUndefined();
  });
});

describe('isWithinBcrypt', () => {
  it.each([
    [72, true],
    [73, false],
  ])('of %d bytes is %s', (bytes, expected) => {
    expect(isWithinBcrypt('x'.repeat(bytes))).toBe(expected);
    expect(isWithinBcrypt('é'.repeat(36) + 'x'.repeat(bytes - 72))).toBe(expected);
  });
});

describe('commonestPasswords', () => {
  it('has the 3000 commonest that the length rule would let through', () => {
    const listed = commonestPasswords(8);

    expect(listed.size).toBe(3000);
    expect([...listed].every((password) => password.length >= 8)).toBe(true);
  });

  it('is in lower case, as it is compared', () => {
    const listed = [...commonestPasswords(8)];

    expect(listed.filter((password) => password !== password.toLowerCase())).toEqual([]);
  });
});
