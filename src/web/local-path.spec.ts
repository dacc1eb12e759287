import { localPath } from './local-path.js';

describe('a local path', () => {
  it.each([
    ['/list', '/list'],
    ['/list?tag=a%20b&sort=oldest#end', '/list?tag=a%20b&sort=oldest#end'],
    ['/save?url=https://example.com//a', '/save?url=https://example.com//a'],
    ['/a/../list', '/list'],
    ['/ü', '/%C3%BC'],
    ['/', '/'],
  ])('is %s', (text, path) => {
    expect(localPath(text)).toBe(path);
  });

  it.each([
    '',
    'list',
    'https://evil.example/',
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    '/.//evil.example',
    '/..//evil.example',
    '/%2e//evil.example',
    '/a\u0000',
    '/a\u009f',
    'javascript:alert(1)',
    ' /list',
    `/${'a'.repeat(14_000)}`,
    `/${'ü'.repeat(2400)}`,
  ])('is not %j', (text) => {
    expect(localPath(text)).toBeUndefined();
  });
});
