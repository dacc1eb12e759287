import { DeletionsService } from '../../src/reading-list/deletions/deletions.service.js';
import { Trash } from '../../src/reading-list/deletions/trash.service.js';
import { Duplicates } from '../../src/reading-list/duplicates/duplicates.service.js';
import { ItemEdits } from '../../src/reading-list/edits/item-edits.service.js';
import { normalAddress } from '../../src/reading-list/list/address.js';
import { StorageUsage } from '../../src/reading-list/storage/storage-usage.service.js';
import { ListsOnPostgres } from '../support/a-list.js';
import { DuplicateReader } from '../support/duplicate-reader.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

let app: TestApp;
let lists: ListsOnPostgres;
let reader: DuplicateReader;
let userId: string;
let itemId: string;

beforeAll(async () => {
  app = await aTestApp();
  lists = await ListsOnPostgres.start(app.database);
});
afterAll(async () => {
  await lists.dataSource.destroy();
  await app.close();
});
beforeEach(async () => {
  reader = await DuplicateReader.of(app, lists);
  userId = reader.api.user.id;
  itemId = await reader.api.saved('https://example.com/page');
});

const add = async (id: string): Promise<string> => {
  const { body } = await reader.api
    .post('/v3/snapshot', { item_id: id, html: '<p>Words' })
    .expect(200);
  return body.snapshot_id as string;
};

/** Returns the places of all snapshots of the user, keyed by their ids. */
async function places(): Promise<Record<string, string>> {
  const rows = await app.database.query<{ id: string; item: string | null; trashed: string }>(
    `SELECT snapshot_id AS id, item_id AS item, trashed_item_id AS trashed FROM snapshots WHERE user_id = $1`,
    [userId],
  );
  return Object.fromEntries(
    rows.map(({ id, item, trashed }) => [id, item === null ? `trash ${trashed}` : `item ${item}`]),
  );
}

const deletions = (): DeletionsService => app.app.get(DeletionsService);
const trash = (): Trash => app.app.get(Trash);
const usedBytes = async (): Promise<number> => (await app.app.get(StorageUsage).of(userId)).bytes;

it('moves to the trash with its item, and back', async () => {
  const id = await add(itemId);
  const before = await usedBytes();

  await deletions().delete(userId, [itemId]);
  expect(await places()).toEqual({ [id]: `trash ${itemId}` });
  expect(await usedBytes()).toBe(before);
  await deletions().restore(userId, [itemId]);

  expect(await places()).toEqual({ [id]: `item ${itemId}` });
  expect(await usedBytes()).toBe(before);
});

it('stays in the trash if the page is saved again, and joins the new snapshots with the next deletion', async () => {
  const first = await add(itemId);
  await deletions().delete(userId, [itemId]);
  await reader.api.saved('https://example.com/page');
  const second = await add(itemId);
  expect(await places()).toEqual({ [first]: `trash ${itemId}`, [second]: `item ${itemId}` });

  await deletions().delete(userId, [itemId]);
  await deletions().restore(userId, [itemId]);

  expect(await places()).toEqual({ [first]: `item ${itemId}`, [second]: `item ${itemId}` });
});

it('is deleted when its item leaves the trash, and frees its storage', async () => {
  const before = await usedBytes();
  await add(itemId);
  await deletions().delete(userId, [itemId]);

  await trash().remove(userId, [itemId]);

  expect(await places()).toEqual({});
  expect(await usedBytes()).toBeLessThan(before);
});

it('is deleted at once with an item that a client deletes', async () => {
  await add(itemId);

  await reader.api.sent({ action: 'delete', item_id: itemId });

  expect(await places()).toEqual({});
});

it('moves with its item to another address', async () => {
  const id = await add(itemId);
  const address = normalAddress('https://example.com/elsewhere')!;

  const edit = { title: undefined, tags: undefined, address };
  const movedId = await app.app.get(ItemEdits).edit(userId, itemId, edit);

  expect(movedId).not.toBe(itemId);
  expect(await places()).toEqual({ [id]: `item ${movedId}` });
});

it('moves to the item that a merge of duplicates keeps', async () => {
  const [keptId, otherId] = await reader.pair();
  const [own, other] = [await add(keptId), await add(otherId)];

  const merge = { keptId, otherIds: [otherId] };
  expect(await app.app.get(Duplicates).merge(userId, merge)).toBe('merged');

  expect(await places()).toEqual({ [own]: `item ${keptId}`, [other]: `item ${keptId}` });
});
