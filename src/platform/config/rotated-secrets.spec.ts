import { type Config, configFrom } from './config.js';
import { ConfigError } from './environment.js';

const SECRET = 'a secret of at least 32 bytes: 1';
const OTHER = 'a secret of at least 32 bytes: 2';
const SECRETS = { JWT_SECRET: SECRET, SESSION_SECRET: SECRET };

type Variables = Readonly<Record<string, string>>;

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

describe('a secret', () => {
  it('may be two while it is rotated; the first is in use', () => {
    const { jwtSecrets } = read({ JWT_SECRET: `${OTHER},${SECRET}` });

    expect(jwtSecrets).toEqual([OTHER, SECRET]);
  });

  it('is measured in bytes', () => {
    expect(faultyNames({ JWT_SECRET: 'éèêëàâäòôöùûüñçø' })).toEqual([]);
    expect(faultyNames({ JWT_SECRET: 'éèêëàâäòôöùûüñça' })).toEqual(['JWT_SECRET']);
  });

  it.each([
    'a'.repeat(32),
    `${'a'.repeat(40)}b`,
    'ab'.repeat(100),
    'secret'.repeat(6),
    'change-me-pleas'.repeat(3),
    '0123456789abcde0123456789abcde01',
    `${OTHER},${'x'.repeat(32)}`,
  ])('is refused when it repeats a short text: %s', (text) => {
    expect(problemsOf({ JWT_SECRET: text })).toEqual([
      expect.stringMatching(/^JWT_SECRET: .* openssl rand -base64 32 .*no repeated text/),
    ]);
  });

  it.each([
    '0f1e2d3c4b5a69788796a5b4c3d2e1f0',
    '31415926535897932384626433832795',
    '漢字仮名交文書読込保存',
  ])('is one that does not repeat itself: %s', (text) => {
    expect(faultyNames({ JWT_SECRET: text })).toEqual([]);
  });

  it.each([`${SECRET},`, `,${SECRET}`, `${SECRET},short`, `${SECRET},${SECRET},${SECRET}`])(
    'is not %j',
    (text) => {
      expect(faultyNames({ SESSION_SECRET: text })).toEqual(['SESSION_SECRET']);
    },
  );
});
