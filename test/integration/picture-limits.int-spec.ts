import { PictureRepository } from '../../src/articles/images/picture.repository.js';
import type { PictureKeeper } from '../../src/articles/images/picture-keeper.service.js';
import { ListRepository } from '../../src/reading-list/list/list.repository.js';
import { keepAllPictures, listAll } from '../support/kept-pictures.js';
import { PictureWorld } from '../support/picture-world.js';
import { until } from '../support/processes.js';

let world: PictureWorld;
let keeper: PictureKeeper;
let users: string[];

beforeAll(async () => {
  world = await PictureWorld.start();
});
afterAll(() => world.stop());
beforeEach(async () => {
  await world.clear();
  keeper = world.anInstance();
  users = [await world.lists.aUser(), await world.lists.aUser()];
});
afterEach(async () => {
  for (const user of users) {
    expect(await world.lists.faults(user)).toEqual([]);
  }
});

const WAITING_FOR_A_LOCK = `
  SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;

const running = new AbortController().signal;

/** Stores a picture for a user, and replaces it by a larger image. */
async function storeLarge(user: string, bytes: number): Promise<void> {
  await world.storePageOf(user, 'a', '1');
  await keepAllPictures(keeper);
  await world.lists.tables.query(`UPDATE pictures SET image = $1`, [Buffer.alloc(bytes)]);
}

describe('a picture larger than a tenth of the storage limit of a user', () => {
  const LARGE = 20_000;
  /** Returns an instance whose limit has room for this number of bytes of pictures in the list of a user. */
  const withRoomFor = async (user: string, bytes: number): Promise<PictureKeeper> =>
    world.anInstance({ storageLimitBytes: Math.ceil(((await world.sizeOf(user)) + bytes) / 0.9) });

  it('does not cause the list to be followed again before there is room for it', async () => {
    const [bob, ada] = users as [string, string];
    await storeLarge(bob, LARGE);
    await world.savePageOf(ada, 'a');
    const small = await withRoomFor(ada, LARGE - 1);
    const large = await withRoomFor(ada, LARGE);
    await listAll(small);
    expect(await world.fullUsers()).toEqual([ada]);

    await small.sweep(running);

    expect(await small.listNext()).toBe(false);
    expect(await world.fullUsers()).toEqual([ada]);
    await large.sweep(running);
    await listAll(large);
    expect(await world.countedOf(ada)).toEqual(['1']);
    expect(await world.fullUsers()).toEqual([]);
  });

  it('does not prevent other pictures after its item was deleted', async () => {
    const [bob, ada] = users as [string, string];
    await storeLarge(bob, LARGE);
    await world.savePageOf(ada, 'a');
    const small = await withRoomFor(ada, LARGE - 1);
    await listAll(small);
    await world.storePageOf(ada, 'b', '2');
    await world.lists.results(ada, [{ action: 'delete', url: 'https://a.example' }]);

    await small.sweep(running);
    await keepAllPictures(small);

    expect(await world.countedOf(ada)).toEqual(['2']);
    expect(await world.fullUsers()).toEqual([]);
  });
});

describe('a picture that is deleted', () => {
  it('is noted for users for whom it is counted just before its deletion', async () => {
    const [ada, bob] = users as [string, string];
    const { database, tables } = world.lists;
    await world.storePageOf(ada, 'a', '1');
    await world.savePageOf(bob, 'a');
    await listAll(keeper);
    await database.transaction(async (manager) => {
      const pictures = PictureRepository.in(manager);
      await pictures.store((await pictures.claim())!, Buffer.from('an image'));
    });
    await keeper.listNext();
    expect(await world.countedOf(ada)).toEqual(['1']);
    await tables.query('UPDATE picture_users SET handled = changes WHERE user_id = $1', [ada]);
    await tables.query('DELETE FROM page_pictures');
    const sweeps: Promise<void>[] = [];

    await database.transaction(async (manager) => {
      await ListRepository.in(manager).lock(ada);
      sweeps.push(keeper.sweep(running));
      await until(async () => (await tables.query(WAITING_FOR_A_LOCK)).length > 0);
      await listAll(world.anInstance());
      expect(await world.countedOf(bob)).toEqual(['1']);
    });
    await Promise.all(sweeps);

    expect(await world.pictures()).toEqual([]);
  });
});

describe('the limit of all pictures', () => {
  const MEGABYTE = 1_000_000;

  it('does not stop the counting of stored pictures', async () => {
    const [bob, ada] = users as [string, string];
    await storeLarge(bob, MEGABYTE);
    const full = world.anInstance({ keptPicturesMegabytes: 1 });
    const before = await world.sizeOf(bob);
    await world.savePageOf(ada, 'a');

    await keepAllPictures(full);

    expect(await world.countedOf(ada)).toEqual(['1']);
    expect(await world.sizeOf(ada)).toBeGreaterThan(MEGABYTE);
    expect(await world.sizeOf(bob)).toBe(before);
  });

  it('does not let pictures that a later page shows too be deleted with the first page', async () => {
    const [bob, ada] = users as [string, string];
    await storeLarge(bob, MEGABYTE);
    const full = world.anInstance({ keptPicturesMegabytes: 1 });
    await world.storePageOf(ada, 'b', '1', '2');
    await keepAllPictures(full);
    await world.lists.tables.query(`DELETE FROM pages WHERE url LIKE '%a.example%'`);

    await full.sweep(running);

    expect(await world.pictures()).toMatchObject([
      { path: '1', isStored: true },
      { path: '2', isStored: false, attempts: 0, dueIn: 0 },
    ]);
    expect(world.host.heads).toHaveLength(1);
    await keepAllPictures(world.anInstance({ keptPicturesMegabytes: 2 }));
    expect(await world.countedOf(ada)).toEqual(['1', '2']);
  });
});
