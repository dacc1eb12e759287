import { readFileSync } from 'node:fs';

import { getMetadataStorage } from 'class-validator';

import { configFrom } from '../../src/platform/config/config.js';
import { Environment } from '../../src/platform/config/environment.js';
import { PROXY_VARIABLES } from '../../src/platform/config/fetch-proxy.js';
import { fileVariable, secretSettings } from '../../src/platform/config/secret-files.js';

/** Shown instead of a default if a variable has none. */
const EXAMPLES = [
  ...['BACKUP_DIR', 'BACKUP_SCHEDULE', 'METRICS_PORT', 'METRICS_TOKEN'],
  ...[
    'PUBLIC_URL',
    'TRUST_PROXY',
    'DATABASE_URL',
    'DATABASE_DIRECT_URL',
    'JWT_SECRET',
    'SESSION_SECRET',
  ],
  ...[
    'SECURITY_CONTACT',
    'CORS_ORIGINS',
    'RESOLVER_ALLOW_ADDRESSES',
    'RESOLVER_ALLOW_PORTS',
    'REGISTRATION',
  ],
  ...['OIDC_TRUST_EMAIL', 'FETCH_PROXY', 'SESSION_IDLE_LIMIT', 'SESSION_ABSOLUTE_LIMIT'],
  ...['SMTP_URL', 'MAIL_FROM', 'LOGIN_NOTICES', 'EREADER_MAIL'],
  ...['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET', 'OIDC_NAME', 'FORWARD_AUTH_HEADER'],
];
const LINE = /^#?([A-Z][A-Z0-9_]*)=(.*)$/gm;

const text = readFileSync('.env.example', 'utf8');
const written = new Map([...text.matchAll(LINE)].map(([, name = '', value = '']) => [name, value]));

/** Every property of the class has a validation decorator, even without a default. */
const variables = [
  ...new Set(
    getMetadataStorage()
      .getTargetValidationMetadatas(Environment, '', true, false)
      .map(({ propertyName }) => propertyName),
  ),
];

/** Variables that the docs may name: those of Node and other programs, and those for secret files. */
const FURTHER_VARIABLES: readonly string[] = [
  ...['NODE_EXTRA_CA_CERTS', ...PROXY_VARIABLES],
  ...secretSettings().map(fileVariable),
];

describe('.env.example', () => {
  it('names every secret setting in its introduction', () => {
    const [introduction = ''] = text.split('\n\n');

    expect(secretSettings().filter((name) => !introduction.includes(name))).toEqual([]);
  });

  it('contains each variable exactly once, and no unknown variables', () => {
    const names = [...text.matchAll(LINE)].map(([, name]) => name);

    expect(names.toSorted()).toEqual(variables.toSorted());
  });

  it('shows the default of every variable that has one', () => {
    const defaults = Object.entries({ ...new Environment() }).map(([name, value]) => [
      name,
      String(value),
    ]);

    const shown = [...written].filter(([name]) => !EXAMPLES.includes(name));
    expect(Object.fromEntries(shown)).toEqual(Object.fromEntries(defaults));
  });

  it('has a comment above every group of variables', () => {
    const groups = text.split('\n\n').map((group) => group.split('\n'));

    const silent = groups.filter(([first = '']) => !/^# /.test(first));
    expect(silent).toEqual([]);
  });

  it('contains only comments', () => {
    expect(text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))).toEqual([]);
  });

  it('has examples that the service accepts', () => {
    const secret = 'a secret of at least 32 bytes: 1';
    const examples = Object.fromEntries(written);

    const config = configFrom({ ...examples, JWT_SECRET: secret, SESSION_SECRET: secret });

    expect(config.publicUrl?.protocol).toBe('https:');
  });
});

describe('docs/host/operating.md', () => {
  it('names only variables that the service reads', () => {
    const operating = readFileSync('docs/host/operating.md', 'utf8');

    const named = [...operating.matchAll(/`([A-Z]+(?:_[A-Z]+)+)`/g)].map(([, name]) => name ?? '');
    const read = [...variables, ...FURTHER_VARIABLES];
    expect(named.filter((name) => !read.includes(name))).toEqual([]);
  });
});
