import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { EmbeddedPostgres } from '../../src/lib/embedded-postgres/embedded-postgres.js';
import { installDirectory } from '../../src/lib/embedded-postgres/previous-binaries.js';
import { reasonOf } from '../../src/lib/util/reason.js';
import { copyDatabase } from '../../src/platform/database/copy-database.js';
import { runMigrations } from '../../src/platform/database/migrator.js';
import {
  createEarlierCluster,
  hasEarlierServer,
  INSTALLED,
  onEarlierServer,
} from '../support/earlier-cluster.js';
import { Launcher, rowsOf } from '../support/launcher.js';
import { type Finished, finished, isAlive, killTree, until } from '../support/processes.js';

const MAX_STEPS = 7;
const report = () => Promise.resolve();
const UPGRADING = { copy: copyDatabase, report };
const READ = `SELECT name, email FROM users ORDER BY id`;
/** What an upgrade must not change beside the rows. */
const STATE = `
  SELECT (SELECT count(*) FROM migrations) AS migrations, obj_description('migrations'::regclass) AS "writtenBy",
    (SELECT json_agg(s) FROM (SELECT sequencename, last_value FROM pg_sequences ORDER BY 1) AS s) AS sequences`;
const USERS = [
  { name: 'Ada', email: 'ada@example.com' },
  { name: `Zoë\t\\N "x"`, email: 'zoe@example.com' },
];
const INSERT = `INSERT INTO users (name, email, password_hash) VALUES
  ('Ada', 'ada@example.com', 'x'), (E'Zoë\\t\\\\N "x"', 'zoe@example.com', 'x')`;

const describeHere = hasEarlierServer() ? describe : describe.skip;

let original: Launcher;
let launcher: Launcher;

beforeAll(async () => {
  original = new Launcher();
  await createEarlierCluster(original.directory);
  await onEarlierServer(original.directory, async (connection) => {
    await runMigrations({ ...connection, ssl: false });
    await rowsOf({ connection }, INSERT);
  });
});
afterAll(() => original.close());
beforeEach(() => {
  launcher = new Launcher();
  execFileSync('cp', ['-a', `${original.directory}/.`, launcher.directory]);
});
afterEach(() => launcher.close());

const onEarlier = (sql: string): Promise<unknown[]> =>
  onEarlierServer(launcher.directory, (connection) => rowsOf({ connection }, sql));

const path = (name: string): string => join(launcher.directory, name);

/** The files of the data directory with their contents. The log is not data. */
const contents = (): string =>
  execFileSync('sh', ['-c', 'find . -type f ! -name postgres.log -exec cksum {} + | sort'], {
    cwd: launcher.directory,
  }).toString();

const upgradeAlone = (steps: number): Promise<Finished> =>
  finished(
    spawn(process.execPath, ['test/support/upgrade-alone.mjs', launcher.directory, String(steps)], {
      stdio: ['ignore', 'pipe', 'pipe'],
    }),
  );

const refusal = (start: Promise<EmbeddedPostgres>): Promise<string> =>
  start.then(() => 'it started', reasonOf);

describeHere('an embedded database of an earlier PostgreSQL', () => {
  it('is copied with its rows, ids and versions, and the earlier one stays until the next start', async () => {
    const [before] = await onEarlier(STATE);
    const upgraded = await launcher.start({ upgrading: UPGRADING });
    const [version] = await rowsOf(upgraded, 'SHOW server_version_num');
    const rows = await rowsOf(upgraded, READ);
    const [after] = await rowsOf(upgraded, STATE);
    const [next] = await rowsOf(
      upgraded,
      `INSERT INTO users (name, email) VALUES ('New', 'new@example.com') RETURNING id`,
    );
    const deletedAtOnce = await upgraded.deletePrevious();
    await upgraded.stop();

    const again = await launcher.start({ upgrading: UPGRADING });
    const deletedLater = await again.deletePrevious();

    expect(version).toEqual({ server_version_num: expect.stringMatching(/^18/) });
    expect(rows).toEqual(USERS);
    expect(after).toEqual(before);
    expect(next).toEqual({ id: '3' });
    expect(upgraded.previous).toEqual({ copied: [path('pg17')], kept: [] });
    expect(deletedAtOnce).toEqual([]);
    expect(deletedLater).toEqual([path('pg17')]);
    expect(readdirSync(launcher.directory).sort()).toEqual(['pg18', 'postgres.log']);
    expect(await rowsOf(again, 'SELECT count(*)::int AS users FROM users')).toEqual([{ users: 3 }]);
  });

  it.each(Array.from({ length: MAX_STEPS }, (_, index) => index + 1))(
    'is upgraded by the next start after kill -9 at step %i',
    async (steps) => {
      const killed = await upgradeAlone(steps);

      const next = await launcher.start({ upgrading: UPGRADING });
      const rows = await rowsOf(next, READ);

      expect(killed.signal).toBe('SIGKILL');
      expect(killed.stdout.trim().split('\n')).toHaveLength(steps);
      expect(rows).toEqual(USERS);
      expect(readdirSync(launcher.directory).filter((name) => name.includes('.new-'))).toEqual([]);
    },
  );

  it('is upgraded by one of two processes that start at once', async () => {
    const [one, two] = await Promise.all([upgradeAlone(0), upgradeAlone(0)]);

    const next = await launcher.start();

    expect([one.code, two.code]).toEqual([0, 0]);
    expect([one.stdout, two.stdout].sort()).toEqual([
      '',
      expect.stringContaining('upgraded the database to PostgreSQL 18'),
    ]);
    expect(await rowsOf(next, READ)).toEqual(USERS);
  });

  it('leaves no server behind if the upgrade was killed and nothing starts again', async () => {
    await upgradeAlone(4);
    const servers = readdirSync(launcher.directory)
      .map((name) => path(`${name}/postmaster.pid`))
      .filter(existsSync)
      .map((file) => parseInt(readFileSync(file, 'utf8')));

    await until(() => !servers.some(isAlive), 'the end of both servers');

    expect(servers).toHaveLength(2);
  });

  it('is upgraded although its server crashed', async () => {
    await upgradeAlone(2);
    await killTree(parseInt(readFileSync(path('pg17/postmaster.pid'), 'utf8')));

    const next = await launcher.start({ upgrading: UPGRADING });

    expect(await rowsOf(next, READ)).toEqual(USERS);
  });
});

describeHere('an upgrade that is impossible changes nothing', () => {
  it('without the earlier programs, and shows the command that installs them', async () => {
    rmSync(installDirectory(launcher), { recursive: true });
    const before = contents();

    const reason = await refusal(launcher.start({ upgrading: UPGRADING }));

    expect(reason).toContain(
      `npm install --no-save --prefix "${installDirectory(launcher)}" ${INSTALLED}`,
    );
    expect(contents()).toBe(before);
  });

  it('from an unknown version', async () => {
    renameSync(path('pg17'), path('pg9'));
    writeFileSync(path('pg9/PG_VERSION'), '9\n');
    const before = contents();

    const reason = await refusal(launcher.start({ upgrading: UPGRADING }));

    expect(reason).toMatch(/made by PostgreSQL 9, and Satchel ships 18, which cannot upgrade it/);
    expect(contents()).toBe(before);
  });

  it('by a command, which asks to start the service', async () => {
    const before = contents();

    const reason = await refusal(launcher.start());

    expect(reason).toContain('start the service once, which upgrades it to 18');
    expect(contents()).toBe(before);
  });

  it('on a full disk', async () => {
    const reason = await refusal(
      launcher.start({ upgrading: { ...UPGRADING, freeBytes: () => Promise.resolve(2 ** 20) } }),
    );
    const next = await launcher.start({ upgrading: UPGRADING });

    expect(reason).toMatch(
      /pg17 is unchanged: the disk of .* has 1 MB free, and the upgrade needs \d+ MB/,
    );
    expect(await rowsOf(next, READ)).toEqual(USERS);
  });

  it.each([
    ['databases', 'CREATE DATABASE diary', 'diary'],
    ['tables', 'CREATE SCHEMA mine CREATE TABLE diary (id int)', 'mine.diary'],
    ['tables and columns', 'CREATE TABLE diary (id int)', 'diary'],
    ['tables and columns', 'ALTER TABLE users ADD diary text', 'users.diary'],
  ])('if it would lose %s of the operator', async (kind, statement, name) => {
    await onEarlier(statement);

    const reason = await refusal(launcher.start({ upgrading: UPGRADING }));

    expect(reason).toContain(`${kind} `);
    expect(reason).toContain(`do not belong to Satchel and would be lost: ${name}.`);
    expect(readdirSync(launcher.directory).filter((one) => one.startsWith('pg'))).toEqual(['pg17']);
  });
});
