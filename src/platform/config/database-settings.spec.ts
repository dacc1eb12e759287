import { randomBytes } from 'node:crypto';

import { configFrom } from './config.js';
import { ConfigError } from './environment.js';

const POOLER = 'postgres://satchel@pooler.example.com:6432/satchel';
const SERVER = 'postgres://satchel@db.example.com/satchel';
const aSecret = (): string => randomBytes(32).toString('base64');
const VARIABLES = {
  DATA_DIR: '/nowhere',
  JWT_SECRET: aSecret(),
  SESSION_SECRET: aSecret(),
};

function problemsOf(variables: Readonly<Record<string, string>>): readonly string[] {
  try {
    configFrom({ ...VARIABLES, ...variables });
    return [];
  } catch (error) {
    return error instanceof ConfigError ? error.problems : [String(error)];
  }
}

describe('a database behind a pooler', () => {
  it.each(['transaction', 'transaction-prepared'])('is reached both ways: %s', (pooler) => {
    const config = configFrom({
      ...VARIABLES,
      DATABASE_URL: POOLER,
      DATABASE_POOLER: pooler,
      DATABASE_DIRECT_URL: SERVER,
    });

    expect(config).toMatchObject({
      databaseUrl: POOLER,
      databasePooler: pooler,
      databaseDirectUrl: SERVER,
    });
  });

  it('has no pooler by default', () => {
    const config = configFrom({ ...VARIABLES, DATABASE_URL: SERVER, DATABASE_POOLER: 'none' });

    expect(config).toMatchObject({ databasePooler: undefined, databaseDirectUrl: undefined });
  });

  it.each([
    [
      'no way past the pooler',
      { DATABASE_URL: POOLER, DATABASE_POOLER: 'transaction' },
      ['DATABASE_DIRECT_URL: is needed with DATABASE_POOLER; '],
    ],
    [
      'no way to the pooler',
      { DATABASE_DIRECT_URL: SERVER, DATABASE_POOLER: 'transaction' },
      ['DATABASE_POOLER: needs DATABASE_URL, '],
    ],
    [
      'a pooler of another mode',
      { DATABASE_URL: POOLER, DATABASE_DIRECT_URL: SERVER, DATABASE_POOLER: 'statement' },
      ['DATABASE_POOLER: is one of none, transaction, transaction-prepared'],
    ],
  ])('is refused with %s', (_, variables, starts) => {
    expect(problemsOf(variables)).toEqual(starts.map((start) => expect.stringContaining(start)));
  });
});

it.each(['DATABASE_REPLICA_URLS', 'DATABASE_REPLICA_URLS_FILE'])(
  '%s is no longer used, and the configuration says so',
  (name) => {
    const { removedSettings } = configFrom({ ...VARIABLES, [name]: 'postgres://db2/satchel' });

    expect(removedSettings).toEqual([
      expect.stringContaining('DATABASE_REPLICA_URLS is no longer used'),
    ]);
  },
);

it('a removed setting is also reported if only its file is named', () => {
  const files = { DATABASE_REPLICA_URLS: '', DATABASE_REPLICA_URLS_FILE: '/run/secrets/replicas' };

  expect(configFrom({ ...VARIABLES, ...files }).removedSettings).toHaveLength(1);
});
