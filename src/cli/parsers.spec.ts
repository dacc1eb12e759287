import { InvalidArgumentError } from 'commander';

import { Permission } from '../auth/consumers/permission.js';
import { parseForeignKey, parseName, parsePermissions } from './parsers.js';

describe('parseName', () => {
  it.each([
    ['Reader', 'Reader'],
    ['  Reader for Linux ', 'Reader for Linux'],
    ['読書 🐘', '読書 🐘'],
    ['n'.repeat(200), 'n'.repeat(200)],
  ])('reads %j', (text, expected) => {
    expect(parseName(text)).toBe(expected);
  });

  it.each(['', '   ', '\u3000', 'n'.repeat(201), '\ud800'])('refuses %j', (text) => {
    expect(() => parseName(text)).toThrow(InvalidArgumentError);
  });
});

describe('parsePermissions', () => {
  const { Retrieve, Add, Modify } = Permission;

  it.each([
    ['retrieve', [Retrieve]],
    ['add', [Add]],
    ['retrieve,add,modify', [Retrieve, Add, Modify]],
    ['modify,retrieve', [Retrieve, Modify]],
    [' Retrieve , ADD ', [Retrieve, Add]],
    ['add,add', [Add]],
  ])('reads %j', (text, expected) => {
    expect(parsePermissions(text)).toEqual(expected);
  });

  it.each([
    '',
    ',',
    'add,',
    'read',
    'add retrieve',
    'add;retrieve',
    'all',
    '*',
    '__proto__',
    'аdd',
  ])('refuses %j', (text) => {
    expect(() => parsePermissions(text)).toThrow(InvalidArgumentError);
  });
});

describe('parseForeignKey', () => {
  it.each(['1234-abcd1234abcd1234abcd1234', 'AbCdEfGh', 'k'.repeat(100)])('reads %j', (key) => {
    expect(parseForeignKey(key)).toBe(key);
  });

  it.each(['', 'short', '12345678', 'k'.repeat(101), 'with a space', 'kľúč-kľúč'])(
    'refuses %j',
    (key) => {
      expect(() => parseForeignKey(key)).toThrow(InvalidArgumentError);
    },
  );
});
