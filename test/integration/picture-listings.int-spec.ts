import { PictureRepository } from '../../src/articles/images/picture.repository.js';
import { listAll } from '../support/kept-pictures.js';
import { PictureWorld } from '../support/picture-world.js';
import { until } from '../support/processes.js';

const WAITING_FOR_A_LOCK = `
  SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;

let world: PictureWorld;

beforeAll(async () => {
  world = await PictureWorld.start();
});
afterAll(() => world.stop());
afterEach(() => {
  jest.restoreAllMocks();
});

/** Lets each listing wait until another one has listed its pages, or waits for a lock. Returns the number of listings. */
function meetings(): () => number {
  const list = PictureRepository.prototype.list;
  let listed = 0;
  const spy = jest.spyOn(PictureRepository.prototype, 'list').mockImplementation(async function (
    this: PictureRepository,
    pageIds,
  ) {
    await list.call(this, pageIds);
    listed += 1;
    await until(
      async () => listed > 1 || (await world.lists.tables.query(WAITING_FOR_A_LOCK)).length > 0,
      'another listing',
    );
  });
  return () => spy.mock.calls.length;
}

it('two listings that lock the same pictures in different orders do not deadlock', async () => {
  const [here, elsewhere] = [world.anInstance(), world.anInstance()];
  const [ada, bob, eve] = [
    ...[await world.lists.aUser(), await world.lists.aUser(), await world.lists.aUser()],
  ] as const;
  await world.storePageOf(eve, 'listed-1', '1');
  await world.storePageOf(eve, 'listed-2', '2');
  await listAll(here);
  await world.storePageOf(ada, 'other', '3');
  // This instance continues with the next user.
  await elsewhere.listNext();
  await world.storePageOf(ada, 'new-1', '1');
  await world.savePageOf(ada, 'listed-2');
  await world.storePageOf(bob, 'new-2', '2');
  await world.savePageOf(bob, 'listed-1');
  const listings = meetings();

  await Promise.all([here.listNext(), elsewhere.listNext()]);

  // A transaction that a deadlock has ended would be repeated.
  expect(listings()).toBe(2);
  const shares = await world.lists.tables.query(
    `SELECT user_id AS user, substring(url FROM '[^/]/([^/]*)$') AS path
     FROM picture_shares JOIN pictures USING (picture_id) WHERE user_id IN ($1, $2) ORDER BY user_id, url`,
    [ada, bob],
  );
  expect(shares).toEqual([
    ...['1', '2', '3'].map((path) => ({ user: ada, path })),
    ...['1', '2'].map((path) => ({ user: bob, path })),
  ]);
});
