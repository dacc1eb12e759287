import { configFrom } from './config.js';
import { ConfigError } from './environment.js';

const SECRET = 'a secret of at least 32 bytes: 1';
const ISSUER = {
  OIDC_ISSUER: 'https://login.example.com/realms/home',
  OIDC_CLIENT_ID: 'satchel',
  OIDC_CLIENT_SECRET: 'secret',
  PUBLIC_URL: 'http://127.0.0.1:3000',
};
const PROXY = { FORWARD_AUTH_HEADER: 'Remote-Email', TRUST_PROXY: '127.0.0.1' };

type Variables = Record<string, string | undefined>;

const read = (variables: Variables) =>
  configFrom({ JWT_SECRET: SECRET, SESSION_SECRET: SECRET, ...variables });

function faultyNames(variables: Variables): string[] {
  try {
    read(variables);
    return [];
  } catch (error) {
    return error instanceof ConfigError
      ? error.problems.map((problem) => problem.split(':')[0] ?? '')
      : [String(error)];
  }
}

describe('the issuer', () => {
  it('is read from four variables, and named by its host without a name', () => {
    expect(read(ISSUER).issuer).toEqual({
      address: new URL('https://login.example.com/realms/home'),
      clientId: 'satchel',
      clientSecret: 'secret',
      name: 'login.example.com',
      trustsEmail: false,
    });
    expect(read({ ...ISSUER, OIDC_NAME: 'Home ID' }).issuer?.name).toBe('Home ID');
  });

  it.each([
    ['http://127.0.0.1:8080', []],
    ['http://localhost', []],
    ['http://login.example.com', ['OIDC_ISSUER']],
    ['ftp://login.example.com', ['OIDC_ISSUER']],
    ['login.example.com', ['OIDC_ISSUER']],
    ['https://login.example.com/?a=b', ['OIDC_ISSUER']],
    ['https://login.example.com/#a', ['OIDC_ISSUER']],
    ['https://user:x@login.example.com', ['OIDC_ISSUER']],
  ])('at %s is wrong in %j', (text, expected) => {
    // An invalid issuer address is one error. Settings that need a valid address cause no further errors.
    expect(faultyNames({ ...ISSUER, OIDC_ISSUER: text })).toEqual(expected);
  });

  it.each([
    ['OIDC_ISSUER', undefined],
    ['OIDC_CLIENT_ID', undefined],
    ['OIDC_CLIENT_SECRET', undefined],
    ['PUBLIC_URL', undefined],
    ['PUBLIC_URL', 'http://reader.example.com'],
    ['OIDC_NAME', 'x'.repeat(61)],
  ])('is refused with %s=%s', (name, value) => {
    expect(faultyNames({ ...ISSUER, [name]: value })).toEqual([name]);
  });

  it('may lead back to an https address', () => {
    const url = { PUBLIC_URL: 'https://reader.example.com/satchel', TRUST_PROXY: '1' };

    expect(faultyNames({ ...ISSUER, ...url })).toEqual([]);
  });
});

describe('FORWARD_AUTH_HEADER', () => {
  it('is a header in lower case', () => {
    expect(read(PROXY).forwardAuthHeader).toBe('remote-email');
  });

  it.each(['X-Forwarded-Email', 'Remote-User', 'Cf-Access-Authenticated-User-Email'])(
    'may be %s',
    (name) => {
      expect(faultyNames({ ...PROXY, FORWARD_AUTH_HEADER: name })).toEqual([]);
    },
  );

  it.each([
    ...['Cookie', 'Host', 'X-Forwarded-For', 'x-real-ip', 'User-Agent', 'Accept-Language'],
    ...['Sec-Fetch-Site', 'Remote_Email', 'Remote-Email:', 'Remote Email', 'a,b', '-', '\u00e9-a'],
  ])('is not %j', (name) => {
    expect(faultyNames({ ...PROXY, FORWARD_AUTH_HEADER: name })).toEqual(['FORWARD_AUTH_HEADER']);
  });

  it.each([undefined, '1', '9'])('is refused with TRUST_PROXY=%s', (text) => {
    expect(faultyNames({ ...PROXY, TRUST_PROXY: text })).toEqual(['TRUST_PROXY']);
  });
});

describe('PASSWORD_LOGIN', () => {
  it.each([
    [{ PASSWORD_LOGIN: 'off' }, ['PASSWORD_LOGIN']],
    [{ PASSWORD_LOGIN: 'no' }, ['PASSWORD_LOGIN']],
    [{ PASSWORD_LOGIN: 'off', ...ISSUER }, []],
    [{ PASSWORD_LOGIN: 'off', ...PROXY }, []],
    [{ PASSWORD_LOGIN: 'on' }, []],
  ])('%j is wrong in %j', (variables, expected) => {
    expect(faultyNames(variables)).toEqual(expected);
  });

  it('is on without a setting', () => {
    expect(read({}).passwordLogin).toBe(true);
    expect(read({ PASSWORD_LOGIN: 'off', ...PROXY }).passwordLogin).toBe(false);
  });
});

describe('SECOND_FACTOR', () => {
  it.each([
    [{}, 'none'],
    [{ SECOND_FACTOR: 'optional' }, 'none'],
    [{ SECOND_FACTOR: 'required-for-administrators' }, 'administrators'],
    [{ SECOND_FACTOR: 'required' }, 'everyone'],
  ])('%j is required for %s', (variables, group) => {
    expect(read(variables).secondFactorRequiredFor).toBe(group);
  });

  it.each(['on', 'everyone', 'toString', 'Required'])('is not %j', (text) => {
    expect(faultyNames({ SECOND_FACTOR: text })).toEqual(['SECOND_FACTOR']);
  });
});
