import { isOfRequest, isRedirectUri, redirectTarget } from './redirect-uri.js';

describe('a redirect_uri', () => {
  it.each([
    'pocketapp1234:authorizationFinished',
    'obsidian://pocket-auth',
    'https://reader.example/back?a=1',
    'not_needed',
    'null',
    '/',
    '?',
    'javascript',
  ])('may be %s', (text) => {
    expect(isRedirectUri(text)).toBe(true);
  });

  it.each([
    'javascript:alert(1)',
    'JAVASCRIPT:alert(1)',
    '  javascript:alert(1)',
    'java\nscript:alert(1)',
    '\u0000javascript:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    'file:///etc/passwd',
    'https://reader.example/\r\nX: y',
    'https://reader.example/\u0085',
  ])('is not %j', (text) => {
    expect(isRedirectUri(text)).toBe(false);
    expect(redirectTarget(text)).toBeUndefined();
  });

  it.each(['not_needed', '/', '//evil.example', '\\\\evil.example', '', 'https://'])(
    'of %j sends a browser nowhere',
    (text) => {
      expect(redirectTarget(text)).toBeUndefined();
    },
  );

  it('is kept as it is written', () => {
    expect(redirectTarget('HTTPS://READER.example')).toBe('HTTPS://READER.example');
  });
});

describe('the redirect_uri of a browser', () => {
  it.each([
    ['https://a.example/b', 'https://a.example/b'],
    ['https://a.example/b?code=1', 'https://a.example/b'],
    ['https://a.example/b?x=1&code=1', 'https://a.example/b?x=1'],
    ['https://a.example/b?x=12', 'https://a.example/b?x=1'],
    ['https://a.example/b/', 'https://a.example/b'],
    ['https://A.example:443', 'https://a.example/b'],
    ['https://me@a.example/c', 'https://me@a.example/b'],
    ['https://a.example/b', 'https://me@a.example/b'],
    ['not_needed', 'not_needed'],
    ['https://a.example/b', 'not_needed'],
    ['https://a.example/b', 'urn:ietf:wg:oauth:2.0:oob'],
    ['https://a.example/b', '//a.example'],
  ])('%s is that of a request with %s', (given, stored) => {
    expect(isOfRequest(given, stored)).toBe(true);
  });

  it.each([
    ['https://a.example.evil.example/', 'https://a.example'],
    ['https://a.example@evil.example/', 'https://a.example'],
    ['http://a.example/b', 'https://a.example/b'],
    ['https://a.example:444/b', 'https://a.example/b'],
    ['https://me@a.example/b', 'https://a.example/b'],
    ['https://:x@a.example/b', 'not_needed'],
    ['not_needed', 'https://a.example/b'],
    ['app://b', 'app://a'],
    ['javascript:alert(1)', 'javascript:alert(1)'],
  ])('%s is not that of a request with %s', (given, stored) => {
    expect(isOfRequest(given, stored)).toBe(false);
  });
});
