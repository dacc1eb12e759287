import { mkdtempSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createBackup } from '../../src/transfer/backup/create-backup.js';
import { restoreBackup } from '../../src/transfer/backup/restore-backup.js';
import { rehearseRestore } from '../../src/transfer/backup/verify-backup.js';
import { AccountApi } from '../support/account-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';
import { aDatabase, type TestDatabase } from '../support/test-database.js';

let app: TestApp;
let target: TestDatabase;
let directory: string;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'satchel-test-'));
  app = await aTestApp();
  target = await aDatabase({ isEmpty: true });
});
afterAll(async () => {
  await app.close();
  await target.drop();
  rmSync(directory, { recursive: true });
});

it('a restore brings back neither mails about security nor the run of the backup itself', async () => {
  const { id } = await new AccountApi(app).registered();
  await app.database.query(
    `INSERT INTO security_mails (has_password, user_id, email, audience, kind, actor, address, device, details)
     VALUES (true, $1, 'ada@example.com', 'owner', 'password_changed', 'user', '', '', '{}')`,
    [id],
  );
  await app.database.query(
    `INSERT INTO backup_runs (due_at, leased_until, ended_at)
     VALUES (now() - interval '1 day', now(), now()), (now(), now(), NULL)`,
  );
  const path = join(directory, 'backup');
  const file = await open(path, 'w');
  const { tables } = await createBackup(app.database.connection, file, new Date());
  await file.close();

  await restoreBackup(target.connection, path, { force: false });

  const rowsOf = (table: string) => tables.find(({ name }) => name === table)?.rows;
  expect([rowsOf('security_mails'), rowsOf('backup_runs')]).toEqual([1, 2]);
  expect(await target.query('SELECT * FROM security_mails')).toEqual([]);
  expect(await target.query('SELECT ended_at IS NULL AS open FROM backup_runs')).toEqual([
    { open: false },
  ]);
  // The verification of the backup knows both.
  expect((await rehearseRestore(app.database.connection, path)).tables).toEqual(tables);
});
