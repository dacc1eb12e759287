import type { EntityManager } from 'typeorm';

import { PageRepository } from '../../src/articles/resolver/page.repository.js';
import { ListsOnPostgres } from '../support/a-list.js';

let lists: ListsOnPostgres;

beforeAll(async () => {
  lists = await ListsOnPostgres.start();
});
afterAll(() => lists.stop());

async function waitsForDisk(manager: EntityManager): Promise<string> {
  const [row] = await manager.query<{ synchronous_commit: string }[]>('SHOW synchronous_commit');
  return row!.synchronous_commit;
}

it('a claim does not wait for the disk or a standby, but other transactions do', async () => {
  const settings: string[] = [];

  await lists.database.transaction(async (manager) => {
    await manager.query('SET synchronous_commit = on');
    settings.push(await waitsForDisk(manager));
    await PageRepository.in(manager).claimNext();
    settings.push(await waitsForDisk(manager));
  });
  // The pool's only connection was set to wait.
  await lists.database.transaction(async (manager) => {
    settings.push(await waitsForDisk(manager));
  });

  expect(settings).toEqual(['on', 'off', 'on']);
});
