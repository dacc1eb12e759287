import { mkdtempSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createBackup } from '../../src/transfer/backup/create-backup.js';
import { restoreBackup } from '../../src/transfer/backup/restore-backup.js';
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

it('a restore does not bring back mails about security, which may have been sent since', async () => {
  const { id } = await new AccountApi(app).registered();
  await app.database.query(
    `INSERT INTO security_mails (has_password, user_id, email, audience, kind, actor, address, device, details)
     VALUES (true, $1, 'ada@example.com', 'owner', 'password_changed', 'user', '', '', '{}')`,
    [id],
  );
  const path = join(directory, 'backup');
  const file = await open(path, 'w');
  const { tables } = await createBackup(app.database.connection, file, new Date());
  await file.close();

  await restoreBackup(target.connection, path, { force: false });

  expect(tables.find(({ name }) => name === 'security_mails')?.rows).toBe(1);
  expect(await target.query('SELECT * FROM security_mails')).toEqual([]);
});
