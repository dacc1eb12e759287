import { commonestPasswords, isWithinBcrypt, passwordError } from './passwords.js';

const EMAIL = 'ada.lovelace@example.com';
const OWNER = { email: EMAIL, name: 'Ada King' };
const OF_72_BYTES = 'four ferns and forty kinds of tomato grow on the roof of a bus station !';
const OF_36_LETTERS = 'абвгдежзийклмнопрстуфхцчшщъыьэюяабвг';

describe('passwordError', () => {
  it.each([
    ['a pass phrase', 'a long pass phrase'],
    ['8 bytes', 'k7#qTz_1'],
    ['8 bytes in 4 characters', 'žluť'.normalize('NFD').slice(0, 3) + 'ü€'],
    ['72 bytes', OF_72_BYTES],
    ['72 bytes in 36 characters', OF_36_LETTERS],
    ['spaces around it', '  k7#qTz  '],
    ['emoji', '🐘🦒🌵🪴'],
  ])('allows %s', (_, password) => {
    expect(passwordError(password, OWNER)).toBeUndefined();
  });

  it.each([
    ['nothing', ''],
    ['7 bytes', 'k7#qTz_'],
    ['7 bytes in 4 characters', 'éé€'],
  ])('refuses %s as too short', (_, password) => {
    expect(passwordError(password, OWNER)?.reason).toBe('must have at least 8 characters');
  });

  it.each([
    ['73 bytes', `${'k7#'.repeat(24)}x`],
    ['74 bytes in 37 characters', 'é'.repeat(37)],
    ['a megabyte', 'k7#q'.repeat(262_144)],
  ])('refuses %s as more than bcrypt reads', (_, password) => {
    expect(passwordError(password, OWNER)?.reason).toMatch(/^must have at most 72 characters, /);
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
    expect(passwordError(password, OWNER)?.reason).toMatch('commonest');
  });

  it.each(['        ', '\t\t\t\t\t\t\t\t', '\u3000\u3000\u3000', ' \t\n\u3000\u00a0\u2003'])(
    'refuses the white space %j',
    (password) => {
      expect(passwordError(password, OWNER)?.reason).toMatch('commonest');
    },
  );

  it.each([EMAIL, EMAIL.toUpperCase(), ` ${EMAIL} `])('refuses the email address as %j', (text) => {
    expect(passwordError(text, OWNER)?.reason).toMatch(/^must not consist of /);
  });

  it.each([
    'satchel1',
    'Satchel2026!',
    'SATCHELsatchel',
    'lovelace',
    'Lovelace1815!',
    'ada-king-1',
    'satchel-!?#-12',
    'satchelfern1',
    'ada.lovelace@example.com1',
    'ｓａｔｃｈｅｌ１２',
  ])('refuses %j as words that an attacker tries first', (password) => {
    expect(passwordError(password, OWNER)?.reason).toMatch(/^must not consist of /);
  });

  it.each([
    'aaaaaaaaaaaaaaa',
    'abababababab',
    'xyzxyzxyz',
    '1212121212121',
    'aaaaaaaaaaab',
    'ferns ferns ferns ',
  ])('refuses the repetition %j', (password) => {
    expect(passwordError(password, OWNER)?.reason).toMatch(/^must not repeat /);
  });

  it.each([
    'my satchel is full of ferns',
    'lovelace wrote notes',
    'ferns ferns',
    'kingfishers by night',
    'satchelfern12',
  ])('allows %j, of which enough is left', (password) => {
    expect(passwordError(password, OWNER)).toBeUndefined();
  });

  it('allows a password that contains a name of two letters', () => {
    const owner = { email: 'al@example.com', name: 'Al' };

    expect(passwordError('tall walls', owner)).toBeUndefined();
  });

  it('allows the email address of another user', () => {
    expect(passwordError('grace@example.com', OWNER)).toBeUndefined();
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
