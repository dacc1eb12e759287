import { mkdtempSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createBackup } from '../../src/transfer/backup/create-backup.js';
import { restoreBackup } from '../../src/transfer/backup/restore-backup.js';
import { ReadingListApi } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';
import { aDatabase, type TestDatabase } from '../support/test-database.js';

let app: TestApp;
let target: TestDatabase;
let directory: string;

beforeAll(async () => {
  app = await aTestApp();
  target = await aDatabase({ isEmpty: true });
  directory = mkdtempSync(join(tmpdir(), 'satchel-test-'));
});
afterAll(async () => {
  await app.close();
  await target.drop();
  rmSync(directory, { recursive: true });
});

async function backedUp(): Promise<string> {
  const path = join(directory, 'backup');
  const file = await open(path, 'w');
  await createBackup(app.database.connection, file, new Date());
  await file.close();
  return path;
}

describe('a list that was restored from a backup', () => {
  it('is sent completely to clients that have a version from after the backup', async () => {
    const api = await ReadingListApi.of(app);
    const kept = await api.saved('https://example.com/kept');
    const path = await backedUp();
    await api.saved('https://example.com/lost');
    const { since: afterwards } = await api.found();

    await restoreBackup(target.connection, path, { force: false });
    const restored = await aTestApp({ beside: { ...app, database: target } });
    const there = api.at(restored);
    const first = await there.found({ since: afterwards });
    const second = await there.found({ since: first.since });
    const added = await there.saved('https://example.com/new');
    const third = await there.found({ since: second.since });
    await restored.close();

    expect(first).toMatchObject({ complete: 1 });
    expect(Object.keys(first.list)).toEqual([kept]);
    expect(second).toMatchObject({ complete: 0, list: {} });
    expect(third).toMatchObject({ complete: 0 });
    expect(Object.keys(third.list)).toEqual([added]);
  });
});
