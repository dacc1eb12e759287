import { FOUND, LinkCheckWorld, status } from '../support/link-checks.js';

let world: LinkCheckWorld;

beforeAll(async () => {
  world = await LinkCheckWorld.start();
});
afterAll(() => world.stop());
beforeEach(async () => {
  await world.clear();
  world.host.answer(status(200));
});
afterEach(() => {
  expect(world.host.canaryHits).toBe(0);
});

describe('the plan', () => {
  it('checks a page 30 to 60 days after it was fetched', async () => {
    await world.save(world.host.url());
    world.host.answer(status(200));
    await world.checkDue();

    const [page] = await world.lists.tables.query<{ days: number }>(
      `SELECT extract(epoch FROM check_at - fetched_at)::float8 / 86400 AS days FROM pages`,
    );

    expect(page!.days).toBeGreaterThanOrEqual(30);
    expect(page!.days).toBeLessThanOrEqual(60);
    await world.pass('61 days');
    expect(await world.checkDue()).toBe(1);
  });

  it('spreads the first checks of old pages over a month', async () => {
    await world.lists.tables.query(
      `INSERT INTO pages (page_key, url, host, fetched_at)
       SELECT int4send(n), 'http://' || n || '.example/', n || '.example', now() - interval '1 year' FROM generate_series(1, 300) n`,
    );

    expect(await world.checkDue()).toBe(0);

    const weeks = await world.lists.tables.query<{ pages: number }>(
      `SELECT count(*)::int AS pages FROM pages WHERE check_at BETWEEN now() AND now() + interval '30 days'
       GROUP BY width_bucket(extract(epoch FROM check_at - now()), 0, 30 * 86400, 3) ORDER BY 1`,
    );
    expect(weeks).toHaveLength(3);
    expect(weeks[0]!.pages).toBeGreaterThan(30);
    expect(world.host.heads).toEqual([]);
  });

  it('starts again after the page was fetched again', async () => {
    await world.save(world.host.url());
    await world.lose();
    await world.lists.tables.query(`UPDATE pages SET fresh_until = NULL`);

    await world.save(world.host.url());

    expect(await world.pages()).toEqual([FOUND]);
    expect(await world.checkDue()).toBe(0);
  });

  it('checks one page per host at a time, and different hosts together', async () => {
    await world.save(
      world.host.url('/a'),
      world.host.url('/b'),
      world.host.url('/c', 'other.example'),
    );
    world.host.answer(status(200));

    expect(await world.checkAll()).toBe(2);
    expect(await world.checkDue()).toBe(0);
    await world.pass('1 minute');
    expect(await world.checkDue()).toBe(1);

    expect(world.host.heads).toHaveLength(3);
  });

  it('checks a page once if two instances check at the same time', async () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f'];
    await world.save(...names.map((name) => world.host.url('/', `${name}.example`)));
    world.host.answer(status(200));
    await world.makeDue();

    const checked = await Promise.all([world.checkDue(), world.checkDue(world.anInstance())]);

    expect(checked[0] + checked[1]).toBe(names.length);
    expect(world.host.heads).toHaveLength(names.length);
  });

  it('does not overtake a fetch of the same page', async () => {
    await world.save(world.host.url());
    await world.lists.tables.query(
      `UPDATE pages SET lease = gen_random_uuid(), leased_until = now() + interval '1 minute'`,
    );
    world.host.answer(status(404));

    expect(await world.checkAll()).toBe(0);
  });

  it('checks a page again after a crash', async () => {
    await world.save(world.host.url());
    await world.makeDue();
    await world.lists.tables.query(
      `UPDATE pages SET lease = gen_random_uuid(), leased_until = now() - interval '1 second'`,
    );
    world.host.answer(status(200));

    expect(await world.checkDue()).toBe(1);
  });
});
