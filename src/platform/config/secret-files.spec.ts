import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type Config, configFrom } from './config.js';
import { ConfigError } from './environment.js';
import { fileVariable, secretSettings } from './secret-files.js';

const SECRET = 'a secret of at least 32 bytes: 1';
const OTHER = 'a secret of at least 32 bytes: 2';
/** Variables without which some of the secret settings are invalid. */
const BASE = {
  PUBLIC_URL: 'https://satchel.example.com',
  TRUST_PROXY: '127.0.0.1',
  MAIL_FROM: 'satchel@example.com',
  OIDC_ISSUER: 'https://login.example.com',
  OIDC_CLIENT_ID: 'satchel',
  OIDC_CLIENT_SECRET: 'of the issuer',
  JWT_SECRET: SECRET,
  SESSION_SECRET: OTHER,
  DATABASE_URL: 'postgres://db.example.com/a',
};
/** A valid value for each secret setting. */
const VALUES: Readonly<Record<string, string>> = {
  SMTP_URL: 'smtp://satchel:hunter2@smtp.example.com:587',
  OIDC_CLIENT_SECRET: 'hunter2',
  DATABASE_URL: 'postgres://satchel:hunter2@db.example.com/satchel',
  DATABASE_DIRECT_URL: 'postgres://satchel:hunter2@db.example.com/direct',
  JWT_SECRET: `${OTHER},${SECRET}`,
  SESSION_SECRET: `${SECRET},${OTHER}`,
  FETCH_PROXY: 'http://satchel:hunter2@proxy.example.com:3128',
  METRICS_TOKEN: 'hunter2-and-more-0123456789',
};

let directory: string;
let path: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'satchel-secret-files-'));
  path = join(directory, 'secret');
});
afterAll(() => {
  rmSync(directory, { recursive: true });
});

/** Returns the configuration with the variables in BASE and one setting from a file. */
const fromFile = (name: string, file = path): Config =>
  configFrom({ ...BASE, [name]: undefined, [fileVariable(name)]: file });

function problemsOf(read: () => unknown): readonly string[] {
  try {
    read();
    return [];
  } catch (error) {
    if (error instanceof ConfigError) {
      return error.problems;
    }
    throw error;
  }
}

it('all secret settings are tested here', () => {
  expect(secretSettings().toSorted()).toEqual(Object.keys(VALUES).toSorted());
});

describe.each(secretSettings())('%s_FILE', (name) => {
  const value = VALUES[name] ?? '';

  it.each([
    ['without a line end', ''],
    ['with a line end', '\n'],
    ['with a line end of Windows', '\r\n'],
  ])('reads a file %s', (_, end) => {
    writeFileSync(path, `${value}${end}`);

    const { fileSecrets, ...config } = fromFile(name);

    const { fileSecrets: none, ...expected } = configFrom({ ...BASE, [name]: value });
    expect(config).toEqual(expected);
    expect([fileSecrets, none]).toEqual([{ [name]: value }, {}]);
  });

  it('is an error if the setting is set too', () => {
    writeFileSync(path, value);

    const problems = problemsOf(() =>
      configFrom({ ...BASE, [name]: value, [fileVariable(name)]: path }),
    );

    expect(problems).toEqual([`${name}: is set, and ${name}_FILE is set too; remove one of them`]);
  });

  it('is an error with the setting and the file if the file is missing', () => {
    const missing = join(directory, 'missing');

    const problems = problemsOf(() => fromFile(name, missing));

    expect(problems).toEqual([
      expect.stringContaining(`${name}_FILE: the file ${missing} cannot be read (ENOENT`),
    ]);
  });

  it('counts as unset if it is empty', () => {
    expect(configFrom({ ...BASE, [fileVariable(name)]: '' })).toEqual(configFrom(BASE));
  });
});

describe('a secret file', () => {
  it('is checked like the setting itself, without the value in the message', () => {
    writeFileSync(path, 'hunter2\n');

    const problems = problemsOf(() => fromFile('SESSION_SECRET'));

    expect(problems).toEqual([expect.stringMatching(/^SESSION_SECRET: is a secret of at least/)]);
    expect(problems.join()).not.toContain('hunter2');
  });

  it('keeps all line ends but the last', () => {
    writeFileSync(path, `${SECRET}\n\n`);

    expect(fromFile('JWT_SECRET').jwtSecrets).toEqual([`${SECRET}\n`]);
  });

  it.each<[string, () => string, string]>([
    ['is a directory', () => directory, 'cannot be read (EISDIR'],
    ['never ends', () => '/dev/zero', 'is not a text of at most 65536 bytes'],
    ['is empty', () => file(''), 'is empty'],
    ['has only a line end', () => file('\n'), 'is empty'],
    ['is not UTF-8', () => file(Buffer.from([0xff, 0xfe, 0x41])), 'is not a text'],
    ['has a NUL', () => file(`${SECRET}\0`), 'is not a text'],
    ['is too large', () => file('x'.repeat(65_537)), 'is not a text of at most 65536 bytes'],
    ['is below a file', () => join(file('x'), 'y'), 'cannot be read (ENOTDIR'],
  ])('that %s is an error', (_, create, problem) => {
    const name = create();

    expect(problemsOf(() => fromFile('JWT_SECRET', name))).toEqual([
      expect.stringContaining(`JWT_SECRET_FILE: the file ${name} ${problem}`),
    ]);
  });

  it('is reported together with other problems', () => {
    const problems = problemsOf(() =>
      configFrom({ ...BASE, JWT_SECRET: '', JWT_SECRET_FILE: directory, PORT: 'http' }),
    );

    expect(problems.map((problem) => problem.split(':', 1)[0])).toEqual([
      'JWT_SECRET_FILE',
      'PORT',
    ]);
  });

  it('is read only for secret settings', () => {
    mkdirSync(join(directory, 'port'));

    expect(configFrom({ ...BASE, PORT_FILE: join(directory, 'port') })).toEqual(configFrom(BASE));
  });

  function file(content: string | Buffer): string {
    writeFileSync(path, content);
    return path;
  }
});
