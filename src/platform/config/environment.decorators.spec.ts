import { availableCores } from '../../lib/util/available-cores.js';
import { configFrom } from './config.js';
import { ConfigError } from './environment.js';

const SECRETS = {
  JWT_SECRET: 'a secret of at least 32 bytes: 1',
  SESSION_SECRET: 'a secret of at least 32 bytes: 2',
};

/** Returns the names of the variables that the configuration rejects. */
function refused(variables: Record<string, string>): string[] {
  try {
    configFrom({ ...SECRETS, ...variables });
    return [];
  } catch (error) {
    return error instanceof ConfigError
      ? error.problems.map((problem) => problem.split(':', 1).join(''))
      : ['another error'];
  }
}

describe('CORS_ORIGINS', () => {
  it.each([
    ['https://reader.example', ['https://reader.example']],
    [
      'https://a.example, http://localhost:8080,capacitor://localhost',
      ['https://a.example', 'http://localhost:8080', 'capacitor://localhost'],
    ],
    ['none', []],
    ['', undefined],
  ])('%j is %j', (text, origins) => {
    expect(configFrom({ ...SECRETS, CORS_ORIGINS: text }).corsOrigins).toEqual(origins);
  });

  it.each([
    ...['*', 'null', 'reader.example', 'https://reader.example/', 'https://reader.example/app'],
    ...['https://Reader.example', 'https://reader.example:443', 'https://a.example,', ',', 'None'],
    ...['https://*.example', 'https://a.example https://b.example', 'javascript:alert(1)'],
    ...['https://a.example,none', 'file://', 'https://ada@a.example', 'https://a.example?x'],
  ])('is not %j', (text) => {
    expect(refused({ CORS_ORIGINS: text })).toEqual(['CORS_ORIGINS']);
  });
});

describe('SECURITY_CONTACT', () => {
  it.each([
    'mailto:security@example.com',
    'mailto:security@example.com?subject=Satchel',
    'https://example.com/security',
  ])('may be %j', (text) => {
    expect(configFrom({ ...SECRETS, SECURITY_CONTACT: text }).securityContact).toBe(text);
  });

  it.each([
    ...['security@example.com', 'mailto:', 'mailto:security', 'mailto:a@b.example,c@d.example'],
    ...['http://example.com/security', 'https://', 'tel:+1-201-555-0123', 'javascript:alert(1)'],
    ...['https://example.com/a b', ' https://example.com', 'https://example.com/\u0000'],
    ...['https://example.com/\nContact: mailto:eve@example.com', 'https://exämple.com'],
  ])('is not %j', (text) => {
    expect(refused({ SECURITY_CONTACT: text })).toEqual(['SECURITY_CONTACT']);
  });
});

describe('SATCHEL_WORKERS', () => {
  it.each([
    ['', 1],
    ['1', 1],
    ['64', 64],
    ['256', 256],
    ['auto', availableCores()],
  ])('%j are %j', (text, workers) => {
    expect(configFrom({ ...SECRETS, SATCHEL_WORKERS: text }).workers).toBe(workers);
  });

  it.each(['0', '-1', '1.5', '257', '1000', '02', 'all', 'AUTO', '2 '])('is not %j', (text) => {
    expect(refused({ SATCHEL_WORKERS: text })).toEqual(['SATCHEL_WORKERS']);
  });
});

describe('the path of PUBLIC_URL', () => {
  it.each([
    '',
    '/',
    '/satchel',
    '/satchel/',
    '/apps/reading_list-2.0/',
    '/bookmarks',
    '/listing',
    '/~ada',
  ])('may be %j', (path) => {
    expect(refused({ PUBLIC_URL: `http://box.lan${path}` })).toEqual([]);
  });

  it.each([
    ...['/list', '/read/x', '/V3', '/docs/', '/pages', '//evil.example', '/a//b', '/a/../list'],
    ...['/a%20b', '/a;b', '/ä', '/a"b', '/a,b', '/satchel?x=1', '/satchel#x'],
  ])('is not %j', (path) => {
    expect(refused({ PUBLIC_URL: `http://box.lan${path}` })).toEqual(['PUBLIC_URL']);
  });

  it('stands behind a host without a user', () => {
    expect(refused({ PUBLIC_URL: 'http://ada:secret@box.lan/' })).toEqual(['PUBLIC_URL']);
  });
});
