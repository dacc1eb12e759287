import { PictureRepository } from '../../src/articles/images/picture.repository.js';
import type { PictureKeeper } from '../../src/articles/images/picture-keeper.service.js';
import { keepAllPictures, listAll } from '../support/kept-pictures.js';
import { status } from '../support/link-checks.js';
import { timePasses } from '../support/page-times.js';
import { PICTURE, PictureWorld } from '../support/picture-world.js';
import { resolverParts } from '../support/resolver-parts.js';

let world: PictureWorld;
let keeper: PictureKeeper;

beforeAll(async () => {
  world = await PictureWorld.start();
});
afterAll(() => world.stop());
beforeEach(async () => {
  await world.clear();
  keeper = world.anInstance();
});

const running = new AbortController().signal;

/** Keeps all pictures that are due. */
const keepAll = (by = keeper): Promise<void> => keepAllPictures(by);

const STORED = { isStored: true, attempts: 1, dueIn: null };
const UNTRIED = { isStored: false, attempts: 0, dueIn: 0 };

describe('pictures of a page', () => {
  it('are replaced when the page is fetched again', async () => {
    await world.storePage('a', '1', '2');
    await keepAll();
    await world.storePage('a', '2', '3');
    await keepAll();
    await keeper.sweep(running);

    expect(await world.pictures()).toEqual([
      { path: '2', ...STORED },
      { path: '3', ...STORED },
    ]);
    expect(world.host.heads.map((head) => head.split(' ')[1])).toEqual(
      expect.arrayContaining(['/1', '/2', '/3']),
    );
    expect(world.host.heads).toHaveLength(3);
  });

  it('are stored for pages from before the setting was turned on', async () => {
    await world.storePage('a', '1');
    await world.storePage('b', '2');
    await keepAll();

    expect((await world.pictures()).map(({ isStored }) => isStored)).toEqual([true, true]);
    expect(await keeper.listNext()).toBe(false);
  });

  it('are deleted after the last page with them', async () => {
    const user = await world.storePage('a', '1', '2');
    await world.storePage('b', '2');
    await keepAll();
    await world.lists.results(user, [{ action: 'delete', url: 'https://a.example' }]);
    await timePasses(world.lists.tables, '91 days');
    await resolverParts(world.lists.database).administration.purge();

    await keeper.sweep(running);

    expect(await world.pictures()).toEqual([{ path: '2', ...STORED }]);
  });

  it('are not deleted by a sweep that runs while a page gets them', async () => {
    await world.storePage('a', '1');
    await keepAll();
    await world.lists.tables.query('DELETE FROM pages');
    await world.storePage('b', '1');

    await world.lists.database.transaction(async (manager) => {
      const pages = await world.lists.tables.query<{ id: string }>(
        'SELECT page_id AS id FROM pages',
      );
      await PictureRepository.in(manager).list(pages.map(({ id }) => id));
      await keeper.sweep(running);
    });
    await keeper.sweep(running);

    expect(await world.pictures()).toEqual([{ path: '1', ...STORED }]);
  });

  it('are not deleted by a sweep that has checked them before a page got them', async () => {
    await world.storePage('a', '1');
    await keepAll();
    await world.lists.tables.query('DELETE FROM pages');
    const { unused } = (await PictureRepository.in(world.lists.database.manager).checkNext('0'))!;
    await world.storePage('b', '1');
    await listAll(keeper);

    await world.lists.database.transaction((manager) =>
      PictureRepository.in(manager).deleteUnused(unused),
    );

    expect(unused).toHaveLength(1);
    expect(await world.pictures()).toEqual([{ path: '1', ...STORED }]);
  });

  it('are all checked by a sweep, and deleted only if they are in no page', async () => {
    await world.storePage('a', '1');
    await keepAll();
    await world.storePage('b', '2');
    await keepAll();
    await world.queue('old.example', 2500);
    await world.storePage('c', '3');
    await listAll(keeper);

    await keeper.sweep(running);

    expect((await world.pictures()).map(({ path }) => path)).toEqual(['1', '2', '3']);
    expect(keeper.storedBytes()).toEqual([{ value: await world.storedBytes() }]);
  });

  it('of a busy host do not delay the pictures of other hosts', async () => {
    await world.queue('quiet.example', 1);
    await world.queue('busy.example', 300);
    await world.queue('later.example', 1, `'1 hour'`);
    const hosts: string[] = [];
    while (hosts.length < 4) {
      const claim = await world.lists.database.transaction((manager) =>
        PictureRepository.in(manager).claim(),
      );
      hosts.push(claim === undefined ? 'none' : new URL(claim.url).hostname);
    }

    expect(hosts).toEqual(['busy.example', 'busy.example', 'quiet.example', 'none']);
  });

  it('are leased by one instance at a time, and at most two of one host', async () => {
    await world.storePage('a', '1', '2', '3');
    await listAll(keeper);
    const claims = await Promise.all(
      [1, 2, 3, 4].map(() =>
        world.lists.database.transaction((manager) => PictureRepository.in(manager).claim()),
      ),
    );

    const claimed = claims.flatMap((claim) => claim?.pictureId ?? []);
    expect(new Set(claimed).size).toBe(2);
    expect(claimed).toHaveLength(2);
    await world.pass('6 minutes');
    await keepAll(world.anInstance());
    expect((await world.pictures()).map(({ isStored }) => isStored)).toEqual([true, true, true]);
  });
});

describe('a picture that cannot be fetched', () => {
  it('is fetched again after growing pauses, and then given up until its page is stored again', async () => {
    world.host.answer(status(503));
    await world.storePage('a', '1');
    const pauses: (number | null)[] = [];
    for (let attempt = 1; attempt <= 6; attempt += 1) {
      await keepAll();
      pauses.push((await world.pictures())[0]!.dueIn);
      await world.pass('64 hours');
    }

    expect(pauses).toEqual([15, 60, 240, 960, 3840, null]);
    await world.pass('1000 days');
    await keepAll();
    expect(world.host.heads).toHaveLength(6);
    world.host.answer(PICTURE);
    await world.storePage('a', '1');
    await keepAll();
    expect(await world.pictures()).toEqual([{ path: '1', ...STORED }]);
  });

  it('does not count an attempt that the end of the service has aborted', async () => {
    const stopping = new AbortController();
    world.host.speak(() => {
      stopping.abort();
    });
    await world.storePage('a', '1');
    await listAll(keeper);

    await keeper.keepNext(stopping.signal);

    expect(await world.pictures()).toEqual([{ path: '1', ...UNTRIED }]);
    world.host.answer(PICTURE);
    await keepAll(world.anInstance());
    expect(await world.pictures()).toEqual([{ path: '1', ...STORED }]);
  });

  it('is given up if the process ends in each attempt', async () => {
    await world.storePage('a', '1');
    await listAll(keeper);
    for (let attempt = 1; attempt <= 6; attempt += 1) {
      await world.lists.database.transaction((manager) => PictureRepository.in(manager).claim());
      await world.pass('6 minutes');
    }

    await keepAll();

    expect(await world.pictures()).toMatchObject([{ isStored: false, dueIn: null }]);
    expect(world.host.heads).toEqual([]);
  });
});

describe('the settings of pictures', () => {
  it('limit the size of all pictures', async () => {
    const [small, large] = [1, 2].map((megabytes) =>
      world.anInstance({ keptPicturesMegabytes: megabytes }),
    );
    await world.lists.tables.query(
      `INSERT INTO pictures (url_key, url, host, image) VALUES ('', '', '', $1)`,
      [Buffer.alloc(1_000_000)],
    );
    await world.storePage('a', '1');

    await keepAll(small);
    expect((await world.pictures()).slice(1)).toEqual([{ path: '1', ...UNTRIED }]);
    expect(world.host.heads).toEqual([]);
    await keepAll(large);
    expect((await world.pictures())[1]).toEqual({ path: '1', ...STORED });
    await small!.sweep(running);
    await world.storePage('b', '2');
    await keepAll(small);
    expect((await world.pictures())[1]).toEqual({ path: '2', ...STORED });
  });

  it('empty the queue and keep the stored pictures when they are turned off', async () => {
    await world.storePage('a', '1');
    await keepAll();
    await world.storePage('b', '2');
    await listAll(keeper);

    await world.anInstance({ keepsPictures: false }).sweep(running);

    expect(await world.pictures()).toEqual([{ path: '1', ...STORED }]);
    await keepAll();
    expect(await world.pictures()).toEqual([
      { path: '1', ...STORED },
      { path: '2', ...STORED },
    ]);
  });
});
