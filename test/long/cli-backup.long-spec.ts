import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { Workplace } from '../support/processes.js';
import { ReadingListApi } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

let app: TestApp;
let api: ReadingListApi;
let workplace: Workplace;
let path: string;

beforeAll(async () => {
  app = await aTestApp();
  api = await ReadingListApi.of(app);
  await api.saved('https://example.com/mine');
  workplace = new Workplace();
  path = join(workplace.directory, 'backup.zip');
});
afterAll(async () => {
  workplace.remove();
  await app.close();
});

describe('satchel backup and restore', () => {
  it('move a service from a server to the embedded database', async () => {
    const variables = { DATABASE_URL: app.database.url };

    const backup = await workplace.runHere(['backup', path], { variables });
    const restore = await workplace.run(['restore', path]);
    const exported = await workplace.runHere(['export', '--user', api.user.email]);
    const again = await workplace.runHere(['restore', path]);

    expect(backup).toMatchObject({ code: 0, stdout: '' });
    expect(backup.stderr).toMatch(/^wrote .*: 1 accounts, 1 items\n$/);
    expect(statSync(path).mode & 0o077).toBe(0);
    expect(restore).toMatchObject({ code: 0, stdout: '' });
    expect(exported.stdout).toContain('"url":"https://example.com/mine"');
    expect(again.code).toBe(1);
    expect(again.stderr).toContain('satchel: there are accounts in this database');
  });

  it('verify a backup in a scratch database, which is deleted, while the service runs', async () => {
    const variables = { DATABASE_URL: app.database.url };
    const scratch = `SELECT datname FROM pg_database WHERE datname LIKE 'satchel_verify_%'`;

    const verified = await workplace.runHere(['backup', 'verify', path], { variables });

    expect(verified).toMatchObject({ code: 0, stdout: '' });
    expect(verified.stderr).toMatch(/backup\.zip is sound: 1 accounts, 1 items, as of 2\d{3}-/);
    expect(await app.database.query(scratch)).toEqual([]);
    expect(await api.names({ state: 'all' })).toEqual(['mine']);
  });

  it('find damage in a backup, also without a database', async () => {
    const damaged = join(workplace.directory, 'damaged.zip');
    const bytes = readFileSync(path);
    // The compressed rows of the first tables.
    bytes.fill(0x55, 200, 260);
    writeFileSync(damaged, bytes);
    const variables = { DATABASE_URL: 'postgres://127.0.0.1:1/none' };
    const verify = (file: string) =>
      workplace.runHere(['backup', 'verify', '--no-restore', file], { variables });

    const sound = await verify(path);
    const { code, stderr } = await verify(damaged);

    expect(sound).toMatchObject({ code: 0, stdout: '' });
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(
        /^satchel: the (file is no whole backup|table \w+ of the backup is damaged)/,
      ),
    });
  });

  it('say what a role lacks that may not create databases', async () => {
    const role = 'satchel_verify_tests';
    await app.database.query(`DROP ROLE IF EXISTS ${role}`);
    await app.database.query(`CREATE ROLE ${role} LOGIN`);
    const url = Object.assign(new URL(app.database.url), { username: role }).href;

    const { code, stderr } = await workplace.runHere(['backup', 'verify', path], {
      variables: { DATABASE_URL: url },
    });

    await app.database.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringContaining('ALTER ROLE … CREATEDB, or --no-restore only reads the file'),
    });
  });

  it('reject a running service and an invalid backup file', async () => {
    const variables = { DATABASE_URL: app.database.url };
    const strange = join(workplace.directory, 'strange.zip');
    writeFileSync(strange, 'strange');

    const running = await workplace.runHere(['restore', path, '--force'], { variables });
    const unreadable = await workplace.runHere(['restore', strange, '--force'], { variables });

    expect(running).toMatchObject({ code: 1, stdout: '' });
    expect(running.stderr).toBe(
      'satchel: the service is running on this database: stop it first, and have a pooler of it RECONNECT\n',
    );
    expect(unreadable.code).toBe(1);
    expect(unreadable.stderr).toMatch(/^satchel: the file is no whole backup/);
    expect(await api.names({ state: 'all' })).toEqual(['mine']);
  });

  it('replace no file, and create none if the database cannot be reached', async () => {
    const variables = { DATABASE_URL: app.database.url };
    const before = readFileSync(path);
    const missing = join(workplace.directory, 'missing.zip');

    const refused = await workplace.runHere(['backup', path], { variables });
    const nowhere = await workplace.runHere(['backup', missing], {
      variables: { DATABASE_URL: 'postgres://127.0.0.1:1/nothing' },
    });

    expect([refused.code, nowhere.code]).toEqual([2, 1]);
    expect(readFileSync(path).equals(before)).toBe(true);
    expect(existsSync(missing)).toBe(false);
  });
});
