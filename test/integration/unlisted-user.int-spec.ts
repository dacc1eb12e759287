import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type Binaries, shippedBinaries } from '../../src/lib/embedded-postgres/binaries.js';
import { ensureCluster } from '../../src/lib/embedded-postgres/cluster.js';
import type { Home } from '../../src/lib/embedded-postgres/home.js';
import { reasonOf } from '../../src/lib/util/reason.js';

let directory: string;
let home: Home;
let binaries: Binaries;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'satchel-unlisted-'));
  home = { directory, cluster: join(directory, 'pg18'), log: join(directory, 'log'), user: {} };
  binaries = { ...(await shippedBinaries()), initdb: anInitdb(UNLISTED) };
});
afterEach(() => {
  rmSync(directory, { recursive: true });
});

/** Imitates initdb for a user who is missing in /etc/passwd. */
const UNLISTED = `[ "$1" = --sync-only ] && exit 0
  echo 'initdb: could not look up effective user ID 1026: user does not exist' >&2; exit 1`;

function anInitdb(script: string): string {
  const path = join(directory, 'initdb');
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  return path;
}

const created = (): Promise<unknown> =>
  ensureCluster(home, binaries, false).then(String, (error: unknown) => reasonOf(error));

it('unpacks the prepared cluster for a user without an entry in /etc/passwd', async () => {
  const prepared = join(directory, 'prepared');
  mkdirSync(prepared);
  writeFileSync(join(prepared, 'PG_VERSION'), '18\n');
  const template = join(directory, 'template.tar.gz');
  execFileSync('tar', ['-czf', template, '-C', prepared, '.']);
  binaries = { ...binaries, template };

  expect(await created()).toBe('true');
  expect(readFileSync(join(home.cluster, 'PG_VERSION'), 'utf8')).toBe('18\n');
});

it('reports the uid, the reason and a solution if no prepared cluster is installed', async () => {
  binaries = { ...binaries, template: join(directory, 'nowhere') };

  expect(await created()).toMatch(
    /could not create .*pg18: a new database cannot be created by uid 1026: initdb of PostgreSQL requires an entry for this uid in \/etc\/passwd.*DATABASE_URL.*could not look up effective user ID 1026/s,
  );
  expect(existsSync(home.cluster)).toBe(false);
});

it('reports the reason of any other failure of initdb', async () => {
  binaries = {
    ...binaries,
    initdb: anInitdb(`echo 'initdb: No space left on device' >&2; exit 1`),
  };

  expect(await created()).toBe(
    `PostgreSQL could not create ${home.cluster}: initdb: No space left on device`,
  );
});
