import { FOUND, GONE, LinkCheckWorld, MISSING, status } from '../support/link-checks.js';
import { redirect } from '../support/public-host.js';

let world: LinkCheckWorld;

beforeAll(async () => {
  world = await LinkCheckWorld.start();
});
afterAll(() => world.stop());
beforeEach(() => world.clear());
afterEach(() => {
  expect(world.host.canaryHits).toBe(0);
});

const methods = (): string[] => world.host.heads.map((head) => head.split(' ', 1).join(''));

describe('a check', () => {
  it('sends one HEAD request without reading the page', async () => {
    await world.save(world.host.url());
    world.host.answer(status(200));

    expect(await world.checkAll()).toBe(1);

    expect(methods()).toEqual(['HEAD']);
    expect(await world.pages()).toEqual([FOUND]);
    expect(await world.checkDue()).toBe(0);
    expect(world.counts()).toEqual({ found: 1, missing: 0, gone: 0, unknown: 0 });
  });

  it.each([403, 405, 501, 404])('sends a GET request after status %d', async (code) => {
    await world.save(world.host.url());
    world.host.answer(status(code), status(200));

    await world.checkAll();

    expect(methods()).toEqual(['HEAD', 'GET']);
    expect(await world.pages()).toEqual([FOUND]);
  });

  it.each([404, 410])('finds a page gone after status %d on two days', async (code) => {
    await world.save(world.host.url());
    world.host.answer(status(code));

    await world.checkAll();
    expect(await world.pages()).toEqual([MISSING]);
    await world.pass('23 hours');
    await world.checkAll();
    expect(await world.pages()).toEqual([MISSING]);
    await world.pass('2 hours');
    await world.checkAll();

    expect(await world.pages()).toEqual([GONE]);
    expect(world.counts()).toMatchObject({ missing: 2, gone: 1 });
  });

  it('finds a page again', async () => {
    await world.save(world.host.url());
    await world.lose();
    world.host.answer(status(200));

    await world.checkAll();

    expect(await world.pages()).toEqual([FOUND]);
  });

  it.each([401, 403, 429, 451, 500, 503])('changes nothing after status %d', async (code) => {
    await world.save(world.host.url());
    world.host.answer(status(code));
    await world.checkAll();
    expect(await world.pages()).toEqual([FOUND]);

    await world.lists.tables.query('DELETE FROM host_pauses');
    await world.lose();
    world.host.answer(status(code));
    await world.checkAll();

    expect(await world.pages()).toEqual([GONE]);
  });

  it('changes nothing if the connection breaks', async () => {
    await world.save(world.host.url());
    await world.lose();
    world.host.speak((socket) => socket.destroy());

    await world.checkAll();

    expect(await world.pages()).toEqual([GONE]);
    expect(world.counts()).toMatchObject({ unknown: 1 });
  });

  it('follows redirects', async () => {
    await world.save(world.host.url('/old'));
    world.host.answer(redirect(world.host.url('/new', 'other.example')), status(200));

    await world.checkAll();

    expect(world.host.heads.map((head) => /host: ([a-z.]+)/i.exec(head)?.[1])).toEqual([
      ...['page.example', 'other.example'],
    ]);
    expect(await world.pages()).toEqual([FOUND]);
  });

  it.each(['127.0.0.1', '[::1]', 'localhost'])('never follows a redirect to %s', async (name) => {
    await world.save(world.host.url());
    world.host.answer(redirect(world.host.url('/', name)));

    await world.checkAll();

    expect(await world.pages()).toEqual([FOUND]);
    expect(world.counts()).toMatchObject({ found: 0, unknown: 1 });
  });

  it('contains no user name and no password', async () => {
    await world.save(world.host.url().replace('http://', 'http://ada:secret@'));
    world.host.answer(status(401));

    await world.checkAll();

    expect(world.host.heads).toHaveLength(1);
    expect(world.host.heads.join('')).not.toMatch(/ada|secret|authorization|YWRh/i);
    expect(await world.pages()).toEqual([FOUND]);
  });

  it('is not sent for the page that a client has sent', async () => {
    await world.save(world.host.url());
    await world.lists.tables.query(
      `UPDATE pages SET (owner_id, item_id) = (SELECT user_id, item_id FROM items)`,
    );
    world.host.answer(status(404));

    expect(await world.checkAll()).toBe(0);
    expect(world.host.heads).toEqual([]);
  });

  it('respects the pause that a host requests', async () => {
    await world.save(world.host.url());
    world.host.answer(
      'HTTP/1.1 429 Slow\r\nRetry-After: 900\r\nContent-Length: 0\r\nConnection: close\r\n\r\n',
    );
    await world.checkAll();

    expect(await world.checkAll()).toBe(0);
    expect(world.host.heads).toHaveLength(1);
  });

  it('is aborted when the service stops, and is due again', async () => {
    await world.save(world.host.url());
    const stopping = new AbortController();
    world.host.speak(() => {
      stopping.abort();
    });
    await world.makeDue();

    expect(await world.checker.checkNext(stopping.signal)).toBe(0);

    world.host.answer(status(200));
    expect(await world.checkDue()).toBe(1);
  });
});

describe('a host that DNS does not know', () => {
  const LOST = 'http://page.lost';

  it('is gone after two days on which other hosts answered', async () => {
    await world.save(LOST, world.host.url());
    world.host.answer(status(200));

    await world.checkAll();
    await world.pass('25 hours');
    await world.checkAll();

    expect(await world.pages()).toEqual([FOUND, GONE]);
  });

  it('is not marked while no other host answers', async () => {
    await world.save(LOST, 'http://page.lost2', 'http://page.lost3');

    await world.checkAll();
    await world.pass('25 hours');
    await world.checkAll();

    expect(await world.pages()).toEqual([FOUND, FOUND, FOUND]);
    expect(world.counts()).toMatchObject({ missing: 0, gone: 0, unknown: 6 });
  });

  it('is not marked if the only other page must not be requested', async () => {
    await world.save(LOST, 'http://page.example:1/');

    await world.checkAll();
    await world.pass('25 hours');
    await world.checkAll();

    expect(await world.pages()).toEqual([FOUND, FOUND]);
    expect(world.counts()).toMatchObject({ missing: 0, gone: 0, unknown: 4 });
  });

  it('is not marked if the service went offline', async () => {
    await world.save(world.host.url(), LOST, 'http://page.lost2', 'http://page.lost3');
    world.host.answer(status(200));
    await world.makeDue('page.example');
    expect(await world.checkDue()).toBe(1);

    await world.makeDue('lost');
    expect(await world.checkDue()).toBe(3);

    expect(await world.pages()).toEqual([FOUND, FOUND, FOUND, FOUND]);
  });
});
