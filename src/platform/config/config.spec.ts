import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { type Config, configFrom } from './config.js';
import { ConfigError, Environment } from './environment.js';
import { LOG_LEVELS } from './monitoring-settings.js';

const SECRET = 'a secret of at least 32 bytes: 1';
/** Secrets with which reading the configuration does not generate a file of secrets. */
const SECRETS = { JWT_SECRET: SECRET, SESSION_SECRET: SECRET };

type Variables = Record<string, string | undefined>;

const read = (variables: Variables): Config => configFrom({ ...SECRETS, ...variables });

function problemsOf(variables: Variables): readonly string[] {
  try {
    read(variables);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) {
      return error.problems;
    }
    throw error;
  }
}

const faultyNames = (variables: Variables): string[] =>
  problemsOf(variables).map((problem) => problem.split(':')[0] ?? '');

describe('configFrom', () => {
  it('has a default for everything but the secrets', () => {
    const config = read({});

    expect(config).toEqual({
      areSecretsKept: false,
      workers: 1,
      resolverConcurrency: 4,
      resolverPagesPerHour: 1000,
      resolverAllows: { addresses: [], ports: [] },
      resolveWaitMs: 2500,
      checksLinks: false,
      keepsPictures: false,
      snapshotLimitBytes: 10_000_000,
      keptPicturesMegabytes: 20_000,
      fetchProxies: undefined,
      fileSecrets: {},
      answerCacheMegabytes: 32,
      itemCacheMegabytes: 16,
      imageCacheMegabytes: 500,
      importMegabytes: 500,
      storageLimitBytes: 5_000_000_000,
      tombstoneTtlSeconds: 31_536_000,
      host: '127.0.0.1',
      port: 3000,
      publicUrl: undefined,
      corsOrigins: undefined,
      securityContact: undefined,
      registration: 'open',
      isEmailVerificationRequired: false,
      mail: undefined,
      issuer: undefined,
      forwardAuthHeader: undefined,
      passwordLogin: true,
      secondFactorRequiredFor: 'none',
      trustProxy: false,
      databaseUrl: undefined,
      databasePoolSize: 10,
      removedSettings: [],
      dataDirectory: resolve('data'),
      jwtSecrets: [SECRET],
      sessionSecrets: [SECRET],
      accessTokenTtlSeconds: 900,
      sessionTtlSeconds: 1_209_600,
      sessionLimits: { idleSeconds: Infinity, absoluteSeconds: Infinity },
      refreshReuseLeewaySeconds: 10,
      requestCodeTtlSeconds: 600,
      bcryptCost: 11,
      limits: {
        loginPerAccount: 10,
        loginPerAddress: 100,
        registerPerAddress: 20,
        refreshPerAddress: 1200,
        mailPerAccount: 3,
        mailPerAddress: 20,
        eReaderMailPerUser: 50,
        eReaderMailPerAddress: 200,
        eReaderMailPerDay: 2000,
        oauthRequestPerAddress: 100,
        oauthRequestPerKey: 1000,
        sharedPerAddress: 300,
      },
      callLimits: { perUser: 3600, perKey: 100_000 },
      syncCallsPerHour: 50_000,
      shutdownTimeoutSeconds: 10,
      logFormat: 'json',
      logLevel: 'info',
      logsRequests: true,
    });
  });

  it('takes an empty variable for an absent one', () => {
    const empty = Object.fromEntries(Object.keys(new Environment()).map((name) => [name, '']));

    const config = configFrom({ ...empty, PUBLIC_URL: '', DATABASE_URL: '', ...SECRETS });

    expect(config).toEqual(read({}));
  });

  it('ignores the variables of other programs', () => {
    const others = { PATH: '/bin', __proto__x: '1', constructor: 'x', toString: 'y' };

    expect(read(others)).toEqual(read({}));
  });

  it('reports every wrong variable at once, by its name', () => {
    const faulty = {
      PORT: 'http',
      PUBLIC_URL: 'ftp://example.com',
      TRUST_PROXY: 'the one in front',
      DATABASE_URL: 'mysql://localhost/x',
      DATABASE_POOL_SIZE: '1',
      JWT_SECRET: 'short',
      SESSION_SECRET: 'short',
      ACCESS_TOKEN_TTL: '0',
      SESSION_TTL: '-1',
      REFRESH_REUSE_LEEWAY: '1.5',
      BCRYPT_COST: '9',
      LOGIN_LIMIT_PER_ACCOUNT: '1e3',
      LOGIN_LIMIT_PER_ADDRESS: '0x10',
      REGISTER_LIMIT_PER_ADDRESS: 'NaN',
      REFRESH_LIMIT_PER_ADDRESS: '9999999999',
      RESOLVER_ALLOW_ADDRESSES: 'wiki.example',
      RESOLVER_ALLOW_PORTS: '0',
      SHUTDOWN_TIMEOUT: 'true',
      LOG_LEVEL: 'verbose',
    };

    expect(faultyNames(faulty).sort()).toEqual(Object.keys(faulty).sort());
  });

  it('names no value of a wrong variable, which may be a secret', () => {
    const error = problemsOf({ JWT_SECRET: 'hunter2', DATABASE_URL: 'pg://u:hunter2@x/y' });

    expect(error).toHaveLength(2);
    expect(error.join()).not.toContain('hunter2');
  });

  it('is frozen, with what it holds', () => {
    const config = read({});

    expect(Object.isFrozen(config)).toBe(true);
    expect(Object.isFrozen(config.limits)).toBe(true);
  });

  it('resolves the data folder to an absolute path', () => {
    expect(read({ DATA_DIR: 'some/where' }).dataDirectory).toBe(resolve('some/where'));
  });

  it('makes the secrets that the environment does not have, and keeps those it has', () => {
    const directory = mkdtempSync(join(tmpdir(), 'satchel-config-'));
    const variables = { DATA_DIR: directory, SESSION_SECRET: SECRET };

    const config = configFrom(variables);

    expect(config.sessionSecrets).toEqual([SECRET]);
    expect(config.jwtSecrets[0]).toMatch(/^[\w-]{43}$/);
    expect(configFrom(variables)).toEqual(config);
    rmSync(directory, { recursive: true });
  });
});

describe('a whole number', () => {
  it.each([
    ['PORT', '0', '65535', '65536'],
    ['DATABASE_POOL_SIZE', '2', '200', '201'],
    ['ACCESS_TOKEN_TTL', '30', '86400', '86401'],
    ['SESSION_TTL', '60', '31536000', '31536001'],
    ['SESSION_IDLE_LIMIT', '600', '31536000', '31536001'],
    ['SESSION_ABSOLUTE_LIMIT', '60', '31536000', '31536001'],
    ['REFRESH_REUSE_LEEWAY', '0', '3600', '3601'],
    ['BCRYPT_COST', '10', '15', '16'],
    ['LOGIN_LIMIT_PER_ACCOUNT', '0', '1000000', '1000001'],
    ['SHUTDOWN_TIMEOUT', '1', '300', '301'],
  ])('%s is allowed from %s to %s, and not at %s', (name, least, most, beyond) => {
    expect(faultyNames({ [name]: least })).toEqual([]);
    expect(faultyNames({ [name]: most })).toEqual([]);
    expect(faultyNames({ [name]: beyond })).toEqual([name]);
  });

  it.each([' 80', '80 ', '+80', '-1', '8_0', '8e1', '0x50', '80.0', '٨٠', 'null', '1'.repeat(400)])(
    'is not %j',
    (text) => {
      expect(faultyNames({ PORT: text })).toEqual(['PORT']);
    },
  );
});

describe('PUBLIC_URL', () => {
  it.each(['https://example.com', 'HTTPS://example.com', ' https://example.com', 'https:/e.com'])(
    'as %j needs TRUST_PROXY, since TLS ends at a proxy',
    (url) => {
      expect(faultyNames({ PUBLIC_URL: url })).toEqual(['TRUST_PROXY']);
      expect(faultyNames({ PUBLIC_URL: url, TRUST_PROXY: '1' })).toEqual([]);
    },
  );

  it('needs no proxy without TLS', () => {
    expect(read({ PUBLIC_URL: 'http://box.lan:8080/' }).publicUrl?.origin).toBe(
      'http://box.lan:8080',
    );
  });

  it.each(['example.com', 'javascript:alert(1)', 'file:///etc/passwd', 'https://', '//x'])(
    'is not %j',
    (url) => {
      expect(faultyNames({ PUBLIC_URL: url, TRUST_PROXY: '1' })).toEqual(['PUBLIC_URL']);
    },
  );
});

describe('TRUST_PROXY', () => {
  it.each([
    ['1', 1],
    ['9', 9],
    ['127.0.0.1', ['127.0.0.1']],
    ['loopback, 10.0.0.0/8,::1', ['loopback', '10.0.0.0/8', '::1']],
    ['fd00::/8', ['fd00::/8']],
  ])('%j is read as %j', (text, expected) => {
    expect(read({ TRUST_PROXY: text }).trustProxy).toEqual(expected);
  });

  it.each(['0', '10', '-1', '1.5', '1,2', 'true', '*', 'example.com', '10.1', '0x7f.1', '10/8'])(
    'is not %j',
    (text) => {
      expect(faultyNames({ TRUST_PROXY: text })).toEqual(['TRUST_PROXY']);
    },
  );

  it.each(['0.0.0.0/0', '::/0', '10.0.0.0/33', '127.0.0.1,', ',', 'loopback 127.0.0.1'])(
    'does not trust %j',
    (text) => {
      expect(faultyNames({ TRUST_PROXY: text })).toEqual(['TRUST_PROXY']);
    },
  );
});

describe('LOG_LEVEL', () => {
  it.each([...LOG_LEVELS])('may be %s', (level) => {
    expect(read({ LOG_LEVEL: level }).logLevel).toBe(level);
  });

  it('is written in lower case', () => {
    expect(faultyNames({ LOG_LEVEL: 'INFO' })).toEqual(['LOG_LEVEL']);
  });
});

describe('what the resolver is allowed besides the public internet', () => {
  it('is a list of addresses and networks, and one of ports', () => {
    const { resolverAllows } = read({
      RESOLVER_ALLOW_ADDRESSES: '10.0.0.0/8, fd00::/8,127.0.0.1',
      RESOLVER_ALLOW_PORTS: '8080, 65535',
    });

    expect(resolverAllows).toEqual({
      addresses: ['10.0.0.0/8', 'fd00::/8', '127.0.0.1'],
      ports: [8080, 65_535],
    });
  });

  it.each(['0.0.0.0/0', '::/0', '10.0.0.0/33', '10', '10.0.0.1,', 'localhost'])(
    'is no address or network: %s',
    (text) => {
      expect(faultyNames({ RESOLVER_ALLOW_ADDRESSES: text })).toEqual(['RESOLVER_ALLOW_ADDRESSES']);
    },
  );

  it.each(['0', '65536', '80-90', '80,', '-1', '8080.5'])('is no port: %s', (text) => {
    expect(faultyNames({ RESOLVER_ALLOW_PORTS: text })).toEqual(['RESOLVER_ALLOW_PORTS']);
  });
});
