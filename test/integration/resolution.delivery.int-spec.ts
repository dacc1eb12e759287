import { Logger } from '@nestjs/common';

import { type PageDelivery } from '../../src/articles/resolver/page-delivery.service.js';
import { type PageQueue } from '../../src/articles/resolver/page-queue.service.js';
import { ListsOnPostgres } from '../support/a-list.js';
import { aParsedPage } from '../support/a-page.js';
import { timePasses } from '../support/page-times.js';
import { resolverParts } from '../support/resolver-parts.js';

let lists: ListsOnPostgres;
let queue: PageQueue;
let delivery: PageDelivery;
let errors: jest.SpyInstance;

beforeEach(async () => {
  lists = await ListsOnPostgres.start();
  queue = resolverParts(lists.database).queue;
  delivery = resolverParts(lists.database).delivery;
  errors = jest.spyOn(Logger.prototype, 'error').mockImplementation();
});
afterEach(async () => {
  errors.mockRestore();
  await lists.stop();
});

async function aUserWith(...urls: string[]): Promise<string> {
  const user = await lists.aUser();
  await lists.results(
    user,
    urls.map((url) => ({ action: 'add', url })),
  );
  return user;
}

async function readAll(): Promise<void> {
  const completion = resolverParts(lists.database).completion;
  for (let claim = await queue.claim(); claim !== undefined; claim = await queue.claim()) {
    await completion.complete(claim, aParsedPage());
  }
}

const unfetched = async (user: string): Promise<unknown[]> =>
  (
    await lists.tables.query<{ given_url: string }>(
      'SELECT given_url FROM items WHERE user_id = $1 AND resolved_id = 0 ORDER BY given_url',
      [user],
    )
  ).map(({ given_url }) => given_url);

/** PostgreSQL rejects NUL. */
const spoil = (...hosts: string[]): Promise<unknown> =>
  lists.tables.query(
    String.raw`UPDATE pages SET content = replace(content::text, '"A page"', '"A\u0000page"')::json WHERE host = ANY ($1)`,
    [hosts],
  );

const GONE = { kind: 'failed', reason: 'status 404', isTemporary: false } as const;
const urls = Array.from({ length: 20 }, (_, n) => `http://a${n}.example`);

describe('a page that the database rejects', () => {
  it('does not block the delivery of other pages, and its request is deleted', async () => {
    const user = await aUserWith(...urls);
    await readAll();
    await spoil('a3.example', 'a11.example');

    await delivery.deliverAll();

    expect(await unfetched(user)).toEqual(['http://a11.example', 'http://a3.example']);
    expect(await lists.tables.query('SELECT FROM page_requests')).toEqual([]);
    expect(await lists.faults(user)).toEqual([]);
  });

  it('is logged once', async () => {
    await aUserWith(...urls);
    await readAll();
    await spoil('a3.example');
    const [page] = await lists.tables.query<{ page_id: string }>(
      `SELECT page_id FROM pages WHERE host = 'a3.example'`,
    );

    await delivery.deliverAll();
    await delivery.deliverAll();

    expect(errors.mock.calls.map(([error]) => String(error))).toEqual([
      expect.stringContaining(`page ${page!.page_id} `),
    ]);
  });

  it('is abandoned for all users at once', async () => {
    const people = [await aUserWith('http://a.example'), await aUserWith('http://a.example')];
    await readAll();
    await spoil('a.example');

    await delivery.deliverAll();

    expect(errors).toHaveBeenCalledTimes(1);
    expect(await lists.tables.query('SELECT FROM page_requests')).toEqual([]);
    expect(await Promise.all(people.map(unfetched))).toEqual(
      people.map(() => ['http://a.example']),
    );
  });

  it('is abandoned for a call that waits for it', async () => {
    const user = await aUserWith('http://a.example');
    const [item] = await lists.tables.query<{ item_id: string }>('SELECT item_id FROM items');
    await readAll();
    await spoil('a.example');

    await delivery.deliverTo(user, item!.item_id);

    expect(await queue.claimFor({ userId: user, itemId: item!.item_id })).toBe('gone');
  });

  it('is fetched again if a user saves it after an hour', async () => {
    await aUserWith('http://a.example');
    await readAll();
    await spoil('a.example');
    await delivery.deliverAll();

    const later = await aUserWith('http://a.example');
    expect(await queue.claim()).toBeUndefined();
    await timePasses(lists.tables, '61 minutes');
    await readAll();
    await delivery.deliverAll();

    expect(await unfetched(later)).toEqual([]);
  });
});

describe('a stored page that lacks a field', () => {
  it.each([
    ['excerpt', { excerpt: '' }],
    ['topImageUrl', { top_image_url: '' }],
    ['wordCount', { word_count: 0 }],
    ['hasVideo', { has_video: 0 }],
    ['media', { media: { authors: [], images: [], videos: [] } }],
  ])('is delivered with the default value of the column: %s', async (value, shown) => {
    const user = await aUserWith('http://a.example');
    await readAll();
    await lists.tables.query(
      `UPDATE pages SET content = (content::jsonb #- '{item,${value}}')::json`,
    );

    await delivery.deliverAll();

    expect(await lists.tables.query('SELECT * FROM items WHERE resolved_id <> 0')).toEqual([
      expect.objectContaining({ resolved_title: 'A page', lang: 'en', ...shown }),
    ]);
    expect(await lists.faults(user)).toEqual([]);
  });
});

describe('a PDF document that was stored before items had a flag for them', () => {
  it('is delivered with this flag', async () => {
    await aUserWith('http://a.example');
    await readAll();
    await lists.tables.query(
      `UPDATE pages SET content = jsonb_set(content::jsonb #- '{item,isPdf}', '{facts,mimeType}', '"application/pdf"')::json`,
    );

    await delivery.deliverAll();

    expect(await lists.tables.query('SELECT is_pdf FROM items')).toEqual([{ is_pdf: 1 }]);
  });
});

describe('a page that could not be fetched', () => {
  const versions = (user: string) =>
    lists.tables.query<{ given_url: string; stamp: string }>(
      'SELECT given_url, stamp FROM items WHERE user_id = $1 ORDER BY given_url',
      [user],
    );

  it('increases the version of its items once, and of no other items', async () => {
    const people = [await aUserWith('http://a.example', 'http://b.example')];
    people.push(await aUserWith('http://a.example'));
    const before = await Promise.all(people.map(versions));
    const failed = await queue.claim();
    await resolverParts(lists.database).completion.complete(failed!, GONE);

    await delivery.deliverAll();
    const after = await Promise.all(people.map(versions));
    await delivery.deliverAll();

    const moved = after.map((items, of) =>
      items.filter(({ stamp }, at) => Number(stamp) > Number(before[of]![at]!.stamp)),
    );
    expect(moved.map((items) => items.map((item) => item.given_url))).toEqual([
      ['http://a.example'],
      ['http://a.example'],
    ]);
    expect(await Promise.all(people.map(versions))).toEqual(after);
    expect(await lists.faults(people[0]!)).toEqual([]);
  });
});

describe('a list that the database rejects', () => {
  it('gets no pages, while other lists get theirs', async () => {
    const broken = await aUserWith('http://a.example', 'http://b.example');
    const other = await aUserWith('http://a.example', 'http://b.example');
    await readAll();
    await lists.tables.query(
      `ALTER TABLE items ADD CONSTRAINT broken CHECK (user_id <> ${broken} OR resolved_id = 0)`,
    );

    await delivery.deliverAll();

    expect(await unfetched(other)).toEqual([]);
    expect(await unfetched(broken)).toHaveLength(2);
    expect(await lists.tables.query('SELECT FROM pages WHERE content IS NULL')).toEqual([]);
    expect(await lists.tables.query('SELECT FROM page_requests')).toEqual([]);
  });
});

describe('an outdated page', () => {
  it('is delivered as stored if its host no longer has it', async () => {
    await aUserWith('http://a.example');
    await readAll();
    await timePasses(lists.tables, '31 days');
    const later = await aUserWith('http://a.example');
    const claim = await queue.claim();

    await resolverParts(lists.database).completion.complete(claim!, GONE);
    await delivery.deliverAll();

    expect(await unfetched(later)).toEqual([]);
    expect(await lists.tables.query('SELECT FROM page_requests')).toEqual([]);
  });
});

describe('pages for a locked list', () => {
  it('are delivered when the lock is released', async () => {
    const user = await aUserWith('http://a.example');
    await readAll();
    await lists.database.transaction(async (manager) => {
      await manager.query('SELECT FROM lists WHERE user_id = $1 FOR UPDATE', [user]);
      await delivery.deliverAll();
    });

    expect(await unfetched(user)).toEqual(['http://a.example']);
    await delivery.deliverAll();

    expect(await unfetched(user)).toEqual([]);
    expect(errors).not.toHaveBeenCalled();
  });

  it('do not delay the pages of other users', async () => {
    const locked = await aUserWith('http://a.example');
    const others = await Promise.all(
      Array.from({ length: 5 }, () => aUserWith('http://a.example')),
    );
    await readAll();

    const warnings = jest.spyOn(Logger.prototype, 'warn').mockImplementation();

    await lists.database.transaction(async (manager) => {
      await manager.query('SELECT FROM lists WHERE user_id = $1 FOR UPDATE', [locked]);
      await delivery.deliverAll();
    });

    // The database times out the wait for a lock that is never released.
    expect(warnings).not.toHaveBeenCalled();
    warnings.mockRestore();
    expect(await Promise.all(others.map(unfetched))).toEqual(others.map(() => []));
    expect(await unfetched(locked)).toEqual(['http://a.example']);
    await delivery.deliverAll();
    expect(await unfetched(locked)).toEqual([]);
  });
});
