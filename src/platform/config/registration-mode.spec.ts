import { type Config, configFrom } from './config.js';

const SECRET = 'a secret of at least 32 bytes: 1';

const read = (variables: Partial<Record<string, string>>): Config =>
  configFrom({ JWT_SECRET: SECRET, SESSION_SECRET: SECRET, ...variables });

describe('who may register', () => {
  const TLS = { TRUST_PROXY: '1' };

  it.each<[string, Partial<Record<string, string>>]>([
    ['open', {}],
    ['open', { HOST: 'localhost' }],
    ['open', { HOST: '::1' }],
    ['open', { HOST: '127.8.8.8', PUBLIC_URL: 'http://localhost:3000' }],
    ['open', { PUBLIC_URL: 'http://127.0.0.1:3000/satchel' }],
    ['open', { PUBLIC_URL: 'http://[::1]:3000' }],
    ['open', { PUBLIC_URL: 'https://satchel.localhost', ...TLS }],
    ['until-first-user', { HOST: '0.0.0.0' }],
    ['until-first-user', TLS],
    ['until-first-user', { HOST: '::' }],
    ['until-first-user', { HOST: '192.168.1.5' }],
    ['until-first-user', { HOST: 'home.example' }],
    ['until-first-user', { HOST: '0.0.0.0', PUBLIC_URL: 'http://localhost:3000' }],
    ['until-first-user', { PUBLIC_URL: 'https://satchel.example', ...TLS }],
    ['until-first-user', { PUBLIC_URL: 'http://localhost.evil.example' }],
    ['until-first-user', { PUBLIC_URL: 'http://notlocalhost' }],
    ['open', { REGISTRATION: 'open', HOST: '0.0.0.0' }],
    ['invite', { REGISTRATION: 'invite' }],
    ['closed', { REGISTRATION: 'closed' }],
    ['open', { REGISTRATION: '' }],
  ])('is decided as %s by %j', (expected, variables) => {
    expect(read(variables).registration).toBe(expected);
  });

  it.each(['Open', 'yes', 'until-first-user', ' closed'])('is not set by %j', (REGISTRATION) => {
    expect(() => read({ REGISTRATION })).toThrow('REGISTRATION: is one of open, invite, closed');
  });
});
