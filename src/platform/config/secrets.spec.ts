import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { ConfigError } from './environment.js';
import { keptSecrets, secretsFile } from './secrets.js';

const OF_32 = 'k'.repeat(32);

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'satchel-secrets-'));
});
afterEach(() => {
  rmSync(directory, { recursive: true, force: true });
});

describe('keptSecrets', () => {
  it('makes two secrets of 256 bits that differ', () => {
    const { jwt, session } = keptSecrets(directory);

    expect(Buffer.from(jwt, 'base64url')).toHaveLength(32);
    expect(Buffer.from(session, 'base64url')).toHaveLength(32);
    expect(jwt).not.toBe(session);
  });

  it('gives the same ones from then on', () => {
    const first = keptSecrets(directory);

    expect(keptSecrets(directory)).toEqual(first);
  });

  it('gives every data folder its own', () => {
    const other = join(directory, 'other');

    expect(keptSecrets(other).jwt).not.toBe(keptSecrets(directory).jwt);
  });

  it('makes the data folder when it is missing', () => {
    const deep = join(directory, 'not', 'there', 'yet');

    expect(keptSecrets(deep)).toEqual(keptSecrets(deep));
  });

  it('lets no other user read the file, whatever the umask', () => {
    const umask = process.umask(0);

    keptSecrets(directory);

    process.umask(umask);
    expect(statSync(secretsFile(directory)).mode & 0o777).toBe(0o600);
  });

  it('leaves no draft behind', () => {
    keptSecrets(directory);

    expect(readdirSync(directory)).toEqual(['secrets.json']);
  });

  it.each([
    ['empty', ''],
    ['cut off', `{"jwt":"${OF_32}","ses`],
    ['no object', '"text"'],
    ['null', 'null'],
    ['a list', '[]'],
    ['an empty object', '{}'],
    ['without the session secret', `{"jwt":"${OF_32}"}`],
    ['without the jwt secret', `{"session":"${OF_32}"}`],
    ['of short secrets', `{"jwt":"short","session":"short"}`],
    ['of secrets that are no text', `{"jwt":${'1'.repeat(40)},"session":["${OF_32}"]}`],
    ['of nulls', `{"jwt":null,"session":null}`],
  ])('refuses a file that is %s, and leaves it as it is', (_, text) => {
    writeFileSync(secretsFile(directory), text);

    expect(() => keptSecrets(directory)).toThrow(ConfigError);
    expect(() => keptSecrets(directory)).toThrow(secretsFile(directory));
    expect(readFileSync(secretsFile(directory), 'utf8')).toBe(text);
  });

  it('says nothing of a damaged secret', () => {
    writeFileSync(secretsFile(directory), `{"jwt":"hunter2","session":"${OF_32}"}`);

    expect(() => keptSecrets(directory)).not.toThrow(/hunter2|k{32}/);
  });

  it('reads a file that was restored with other permissions', () => {
    mkdirSync(directory, { recursive: true });
    writeFileSync(secretsFile(directory), JSON.stringify({ jwt: OF_32, session: OF_32 }));
    chmodSync(secretsFile(directory), 0o400);

    expect(keptSecrets(directory)).toEqual({ jwt: OF_32, session: OF_32 });
  });
});
