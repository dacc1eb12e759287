import { mkdtempSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createBackup } from '../../src/transfer/backup/create-backup.js';
import { restoreBackup } from '../../src/transfer/backup/restore-backup.js';
import { ReadingListApi } from '../support/reading-list-api.js';
import { savedBeforeRoutes } from '../support/saved-before-routes.js';
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
  it('finds items and deletions of URLs whose routes were ignored when they were saved', async () => {
    const [root, first, second] = ['', '#/notes/1', '#!2'].map(
      (route) => `https://app.example/${route}`,
    ) as [string, string, string];
    const api = await ReadingListApi.of(app);
    const kept = await savedBeforeRoutes(app, api, first);
    const deleting = await ReadingListApi.of(app);
    const deleted = await savedBeforeRoutes(app, deleting, second);
    await deleting.results({ action: 'delete', item_id: deleted });

    await restoreBackup(target.connection, await backedUp(), { force: false });
    const restored = await aTestApp({ beside: { ...app, database: target } });
    const saved = [];
    for (const [one, url] of [
      [api, first],
      [api, root],
      [deleting, root],
      [deleting, second],
    ] as const) {
      saved.push(await one.at(restored).saved(url));
    }
    await restored.close();

    expect(saved).toEqual([kept, expect.not.stringMatching(kept), expect.any(String), deleted]);
    expect(saved[2]).not.toBe(deleted);
  });
});
