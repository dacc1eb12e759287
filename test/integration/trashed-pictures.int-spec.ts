import type { PictureKeeper } from '../../src/articles/images/picture-keeper.service.js';
import { keepAllPictures, listAll } from '../support/kept-pictures.js';
import { PictureTrash } from '../support/picture-trash.js';
import { PictureWorld } from '../support/picture-world.js';

let world: PictureWorld;
let trash: PictureTrash;
let keeper: PictureKeeper;
let ada: string;

beforeAll(async () => {
  world = await PictureWorld.start();
  trash = new PictureTrash(world);
});
afterAll(() => world.stop());
beforeEach(async () => {
  await world.clear();
  keeper = world.anInstance();
  ada = await world.lists.aUser();
});
afterEach(async () => {
  expect(await world.lists.faults(ada)).toEqual([]);
});

const running = new AbortController().signal;

/** Returns the paths of the stored pictures after a sweep. */
async function stored(by = keeper): Promise<string[]> {
  await by.sweep(running);
  return (await world.pictures()).flatMap(({ path, isStored }) => (isStored ? [path] : []));
}

/** Sends a private page, stores its pictures, and forgets the requests for them. */
async function aPrivatePage(...paths: string[]): Promise<void> {
  await trash.sendPageOf(ada, 'mine', ...paths);
  await keepAllPictures(keeper);
  world.host.heads.length = 0;
}

describe('the pictures of a private page', () => {
  it('stay while its item is in the trash, and count as before', async () => {
    await aPrivatePage('1', '2');
    const size = await world.measure(ada);

    await trash.moveOf(ada, 'mine');

    expect(await stored()).toEqual(['1', '2']);
    expect(keeper.storedBytes()).toEqual([{ value: await world.storedBytes() }]);
    expect(await world.measure(ada)).toBe(size);
    expect(await world.countedOf(ada)).toEqual(['1', '2']);
  });

  it('are linked to the restored page at once, and not fetched again', async () => {
    await aPrivatePage('1', '2');
    await trash.moveOf(ada, 'mine');
    await keeper.sweep(running);

    await trash.restoreOf(ada, 'mine');

    expect(await stored()).toEqual(['1', '2']);
    expect(await trash.links()).toBe(0);
    await keepAllPictures(keeper);
    expect(await stored()).toEqual(['1', '2']);
    expect(await world.countedOf(ada)).toEqual(['1', '2']);
    expect(world.host.heads).toEqual([]);
  });

  it('are deleted when the item leaves the trash', async () => {
    await aPrivatePage('1');
    await trash.sendPageOf(ada, 'other', '1', '2');
    await keepAllPictures(keeper);
    await trash.moveOf(ada, 'mine', 'other');

    await trash.removeOf(ada, 'other');
    expect(await stored()).toEqual(['1']);
    await world.measure(ada);
    expect(await world.countedOf(ada)).toEqual(['1']);
    await trash.expireAfter('29 days');
    expect(await stored()).toEqual(['1']);
    await trash.expireAfter('1 day');

    expect(await stored()).toEqual([]);
    expect(await world.measure(ada)).toBe(0);
    expect(await trash.links()).toBe(0);
  });

  it('are those of the latest copy if the page was saved and deleted again', async () => {
    await aPrivatePage('1', '2');
    await trash.moveOf(ada, 'mine');
    await trash.sendPageOf(ada, 'mine', '2', '3');
    await keepAllPictures(keeper);
    expect(await stored()).toEqual(['1', '2', '3']);

    await trash.moveOf(ada, 'mine');
    expect(await stored()).toEqual(['2', '3']);
    await trash.restoreOf(ada, 'mine');
    await keepAllPictures(keeper);

    expect(await stored()).toEqual(['2', '3']);
    await world.measure(ada);
    expect(await world.countedOf(ada)).toEqual(['2', '3']);
  });

  it('stay for the copy in the trash if a client deletes the page that was saved again', async () => {
    await aPrivatePage('1');
    await trash.moveOf(ada, 'mine');
    await trash.sendPageOf(ada, 'mine', '2');
    await keepAllPictures(keeper);
    await world.lists.results(ada, [{ action: 'delete', url: 'https://mine.example' }]);

    expect(await stored()).toEqual(['1']);
    await trash.restoreOf(ada, 'mine');
    await keepAllPictures(keeper);

    expect(await stored()).toEqual(['1']);
    expect(world.host.heads).toHaveLength(1);
  });

  it('are fetched while the item is in the trash, like those of other pages', async () => {
    await trash.sendPageOf(ada, 'mine', '1');
    await listAll(keeper);
    await trash.moveOf(ada, 'mine');
    await keeper.sweep(running);

    await keepAllPictures(keeper);

    expect(await stored()).toEqual(['1']);
    expect(await world.countedOf(ada)).toEqual(['1']);
  });

  it('are deleted with the account, except those of others', async () => {
    const bob = await world.lists.aUser();
    await aPrivatePage('1', '2');
    await trash.sendPageOf(bob, 'mine', '2');
    await keepAllPictures(keeper);
    await trash.moveOf(ada, 'mine');
    await trash.moveOf(bob, 'mine');

    await world.lists.tables.query('DELETE FROM users WHERE id = $1', [ada]);

    expect(await stored()).toEqual(['2']);
    expect(await world.lists.faults(bob)).toEqual([]);
  });

  it('stay when the setting is turned off and on, but are not fetched any more meanwhile', async () => {
    await aPrivatePage('1');
    await trash.sendPageOf(ada, 'late', '2');
    await listAll(keeper);
    await trash.moveOf(ada, 'mine', 'late');
    const off = world.anInstance({ keepsPictures: false });

    expect(await stored(off)).toEqual(['1']);
    expect(await world.pictures()).toHaveLength(1);
    await trash.restoreOf(ada, 'mine', 'late');
    expect(await stored(off)).toEqual(['1']);
    await keepAllPictures(keeper);

    expect(await stored()).toEqual(['1', '2']);
    expect(world.host.heads).toHaveLength(1);
  });
});

describe('a sweep', () => {
  it('deletes no picture of an item that moves to the trash and back meanwhile', async () => {
    await aPrivatePage(...Array.from({ length: 5 }, (_, at) => `${at}`));
    let isMoving = true;
    const sweeps = [keeper, world.anInstance()].map(async (one) => {
      while (isMoving) {
        await one.sweep(running);
      }
    });

    for (let time = 0; time < 25; time += 1) {
      await trash.moveOf(ada, 'mine');
      await trash.restoreOf(ada, 'mine');
    }
    isMoving = false;
    await Promise.all(sweeps);

    expect(await stored()).toEqual(['0', '1', '2', '3', '4']);
    await keepAllPictures(keeper);
    expect(world.host.heads).toEqual([]);
  });
});
