import { PictureRepository } from '../../src/articles/images/picture.repository.js';
import type { PictureKeeper } from '../../src/articles/images/picture-keeper.service.js';
import { PictureTurns } from '../../src/articles/images/picture-turns.js';
import { CountPictures1765605300000 } from '../../src/platform/database/migrations/1765605300000-count-pictures.js';
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

/** The size of each picture in these tests, which are the same drawing. */
async function pictureSize(): Promise<number> {
  return (await world.storedBytes()) / (await world.pictures()).length;
}

const remove = (user: string, name: string): Promise<boolean[]> =>
  world.lists.results(user, [{ action: 'delete', url: `https://${name}.example` }]);

describe('the stored pictures of a user', () => {
  it('count once per user and picture, in full', async () => {
    const [ada, bob] = users as [string, string];
    await world.storePageOf(ada, 'a', '1', '2');
    await world.storePageOf(ada, 'b', '2', '3');
    await world.storePageOf(bob, 'b', '2', '3');
    const [sizeOfAda, sizeOfBob] = [await world.sizeOf(ada), await world.sizeOf(bob)];

    await keepAllPictures(keeper);

    const size = await pictureSize();
    expect(await world.countedOf(ada)).toEqual(['1', '2', '3']);
    expect(await world.countedOf(bob)).toEqual(['2', '3']);
    expect(await world.sizeOf(ada)).toBe(sizeOfAda + 3 * size);
    expect(await world.sizeOf(bob)).toBe(sizeOfBob + 2 * size);
    expect(await world.measure(ada)).toBe(sizeOfAda + 3 * size);
  });

  it('count for a user who saves the page later, without a further fetch', async () => {
    const [ada, bob] = users as [string, string];
    await world.storePageOf(ada, 'a', '1', '2');
    await keepAllPictures(keeper);
    await world.savePageOf(bob, 'a');

    await listAll(keeper);

    expect(await world.countedOf(bob)).toEqual(['1', '2']);
    expect(world.host.heads).toHaveLength(2);
  });

  it('count as long as another item of the user has them', async () => {
    const [ada] = users as [string];
    await world.storePageOf(ada, 'a', '1', '2');
    await world.storePageOf(ada, 'b', '2', '3');
    await keepAllPictures(keeper);
    const before = await world.measure(ada);

    await remove(ada, 'a');
    await world.measure(ada);

    expect(await world.countedOf(ada)).toEqual(['2', '3']);
    expect(await world.sizeOf(ada)).toBeLessThan(before - (await pictureSize()));
    await world.savePageOf(ada, 'a');
    await listAll(keeper);
    expect(await world.countedOf(ada)).toEqual(['1', '2', '3']);
  });

  it('do not count any more when a page shows others, and when they are deleted', async () => {
    const [ada, bob] = users as [string, string];
    await world.storePageOf(ada, 'a', '1');
    await keepAllPictures(keeper);
    await world.storePageOf(bob, 'a', '2');
    await keepAllPictures(keeper);

    await keeper.sweep(running);

    expect(await world.countedOf(bob)).toEqual(['2']);
    expect(await world.countedOf(ada)).toEqual([]);
    expect(await world.lists.faults(ada)).toEqual([]);
    const before = await world.sizeOf(ada);
    expect(await world.measure(ada)).toBe(before - (await pictureSize()));
  });

  it('are counted exactly by two instances at the same time', async () => {
    const [ada, bob] = users as [string, string];
    const names = ['a', 'b', 'c', 'd', 'e', 'f'];
    for (const [at, name] of names.entries()) {
      await world.storePageOf(at % 2 === 0 ? ada : bob, name, 'shared', `${at}`);
    }
    for (const name of names.slice(0, 3)) {
      await world.savePageOf(name === 'b' ? ada : bob, name);
    }
    const others = [keeper, world.anInstance(), world.anInstance()];

    await Promise.all(others.map((one) => keepAllPictures(one)));
    await keepAllPictures(keeper);

    expect(await world.countedOf(ada)).toEqual(['0', '1', '2', '4', 'shared']);
    expect(await world.countedOf(bob)).toEqual(['0', '1', '2', '3', '5', 'shared']);
  });

  it('count for a user whose page is listed while a picture is being stored', async () => {
    const [ada, bob] = users as [string, string];
    await world.storePageOf(ada, 'a', '1');
    await listAll(keeper);
    await world.savePageOf(bob, 'a');
    const { database, tables } = world.lists;
    const claim = await database.transaction((manager) => PictureRepository.in(manager).claim());
    const listings: Promise<void>[] = [];

    await database.transaction(async (manager) => {
      await PictureRepository.in(manager).store(claim!, Buffer.from('an image'));
      listings.push(listAll(keeper));
      await until(async () => (await tables.query(WAITING_FOR_A_LOCK)).length > 0);
    });
    await Promise.all(listings);

    expect(await world.countedOf(bob)).toEqual(['1']);
    await listAll(keeper);
    expect(await world.countedOf(ada)).toEqual(['1']);
  });

  it('count for lists from before the update', async () => {
    const [ada] = users as [string];
    await world.storePageOf(ada, 'a', '1');
    const runner = world.lists.dataSource.createQueryRunner();
    const migration = new CountPictures1765605300000();
    await migration.down(runner);
    await migration.up(runner);
    await runner.release();

    await keepAllPictures(keeper);

    expect(await world.countedOf(ada)).toEqual(['1']);
  });

  it('are gone with the account', async () => {
    const [ada, bob] = users as [string, string];
    await world.storePageOf(ada, 'a', '1');
    await world.savePageOf(bob, 'a');
    await keepAllPictures(keeper);
    await world.lists.tables.query('DELETE FROM users WHERE id = $1', [ada]);

    await keepAllPictures(keeper);

    const left = await world.lists.tables.query(
      'SELECT DISTINCT user_id AS id FROM picture_shares',
    );
    expect(left).toEqual([{ id: bob }]);
  });
});

describe('a user whose storage is full', () => {
  /** Returns an instance whose limit has room for this number of pictures in the list of a user. */
  const withRoomFor = async (user: string, pictures: number): Promise<PictureKeeper> => {
    const bytes = (await world.sizeOf(user)) + pictures * SIZE + SIZE / 2;
    return world.anInstance({ storageLimitBytes: Math.ceil(bytes / 0.9) });
  };
  let SIZE = 0;

  beforeEach(async () => {
    const one = await world.storePage('size', 'size');
    await keepAllPictures(keeper);
    SIZE = await pictureSize();
    await world.lists.tables.query('DELETE FROM users WHERE id = $1', [one]);
    await world.lists.tables.query('DELETE FROM pages; DELETE FROM pictures');
    world.host.heads.length = 0;
  });

  it('keeps the articles, and only as many pictures as fit', async () => {
    const [ada] = users as [string];
    await world.storePageOf(ada, 'a', '1', '2', '3', '4', '5');
    const small = await withRoomFor(ada, 2);

    await keepAllPictures(small);
    await small.sweep(running);

    expect(await world.countedOf(ada)).toHaveLength(2);
    expect(world.host.heads.length).toBeLessThan(5);
    expect(await world.fullUsers()).toEqual([ada]);
    await world.storePageOf(ada, 'b', '6');
    const asked = world.host.heads.length;
    await keepAllPictures(small);
    expect(await world.countedOf(ada)).toHaveLength(2);
    expect(world.host.heads).toHaveLength(asked);
    const saved = await world.lists.tables.query('SELECT FROM items WHERE resolved_id > 0');
    expect(saved).toHaveLength(2);
  });

  it('does not prevent others from keeping the pictures of the same page', async () => {
    const [ada, bob] = users as [string, string];
    await world.storePageOf(ada, 'a', '1', '2', '3');
    await world.storePageOf(ada, 'b', '4');
    await world.savePageOf(bob, 'a');
    const small = await withRoomFor(bob, 3);

    await keepAllPictures(small);

    expect(await world.countedOf(bob)).toEqual(['1', '2', '3']);
    expect((await world.countedOf(ada)).length).toBeLessThan(3);
  });

  it('keeps the missing pictures as soon as there is room', async () => {
    const [ada] = users as [string];
    await world.storePageOf(ada, 'a', '1', '2', '3', '4');
    await world.storePageOf(ada, 'b');
    const small = await withRoomFor(ada, 2);
    await keepAllPictures(small);
    await small.sweep(running);
    expect(await world.countedOf(ada)).toHaveLength(2);

    await remove(ada, 'b');
    await small.sweep(running);
    await keepAllPictures(small);

    expect(await world.countedOf(ada)).toEqual(['1', '2', '3', '4']);
    await small.sweep(running);
    expect(await world.fullUsers()).toEqual([]);
  });
});

describe('a user who waits for pictures', () => {
  const waitingUser = (): Promise<string | undefined> =>
    PictureRepository.in(world.lists.database.manager).nextWaitingUser('0');

  it('takes no turns when the storage is full, and gets them back when there is room', async () => {
    const [ada] = users as [string];
    await world.storePageOf(ada, 'a', '1', '2');
    await listAll(keeper);
    expect(await waitingUser()).toBe(ada);
    const tiny = world.anInstance({ storageLimitBytes: 10 });
    await tiny.keepNext(running);
    await listAll(tiny);
    await world.storePageOf(ada, 'b', '3');
    await listAll(tiny);
    expect(await world.fullUsers()).toEqual([ada]);

    expect(await waitingUser()).toBeUndefined();

    await keeper.sweep(running);
    await keepAllPictures(keeper);
    expect(await world.countedOf(ada)).toEqual(['1', '2', '3']);
  });

  it('does not wait for a picture that was given up before', async () => {
    const [ada, bob] = users as [string, string];
    await world.storePageOf(ada, 'a', '1');
    await listAll(keeper);
    await world.lists.tables.query(
      'UPDATE pictures SET attempts = 6, due_at = NULL; DELETE FROM picture_shares',
    );
    await world.savePageOf(bob, 'a');
    await listAll(keeper);

    expect(await waitingUser()).toBeUndefined();
  });
});

describe('the pictures of a user with few articles', () => {
  it('do not wait for those of a user who saves many articles later', async () => {
    const [ada, bob] = users as [string, string];
    await world.storePageOf(bob, 'b', 'mine');
    await listAll(keeper);
    await world.storePageOf(ada, 'a', ...Array.from({ length: 150 }, (_, at) => `${at}`));
    await listAll(keeper);
    const turns = new PictureTurns(world.lists.database);
    const claimed: (string | undefined)[] = [];
    for (let turn = 1; turn <= 4; turn += 1) {
      const claim = await turns.claim();
      claimed.push(claim?.url.split('/').at(-1));
      await world.lists.database.transaction(async (manager) => {
        await PictureRepository.in(manager).release(claim!);
      });
    }

    expect(claimed).toContain('mine');
  });
});
