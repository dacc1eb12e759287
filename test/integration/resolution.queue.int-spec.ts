import { type PageCompletion } from '../../src/articles/resolver/page-completion.service.js';
import { type PageDelivery } from '../../src/articles/resolver/page-delivery.service.js';
import { type PageQueue } from '../../src/articles/resolver/page-queue.service.js';
import type { PageClaim, ParsedPage } from '../../src/articles/resolver/page-reader.js';
import { ItemQuery } from '../../src/reading-list/query/item.query.js';
import { ListsOnPostgres } from '../support/a-list.js';
import { aParsedPage } from '../support/a-page.js';
import { timePasses } from '../support/page-times.js';
import { resolverParts } from '../support/resolver-parts.js';

let lists: ListsOnPostgres;
let queue: PageQueue;
let completion: PageCompletion;
let delivery: PageDelivery;

beforeAll(async () => {
  lists = await ListsOnPostgres.start();
});
afterAll(() => lists.stop());
beforeEach(async () => {
  await lists.clear();
  queue = resolverParts(lists.database).queue;
  completion = resolverParts(lists.database).completion;
  delivery = resolverParts(lists.database).delivery;
});

const add = (user: string, ...urls: string[]) =>
  lists.results(
    user,
    urls.map((url) => ({ action: 'add', url })),
  );

async function aUserWith(...urls: string[]): Promise<string> {
  const user = await lists.aUser();
  await add(user, ...urls);
  return user;
}

const itemsOf = async (user: string) =>
  (
    await new ItemQuery(lists.dataSource.manager, user).find({
      filter: {},
      order: 'oldest',
      page: { count: 30, offset: 0 },
    })
  ).rows;

async function claimAll(): Promise<PageClaim[]> {
  const claims: PageClaim[] = [];
  for (let claim = await queue.claim(); claim !== undefined; claim = await queue.claim()) {
    claims.push(claim);
  }
  return claims;
}

const waiting = async (): Promise<number> =>
  (await lists.tables.query('SELECT FROM page_requests')).length;
const later = (interval: string): Promise<unknown> => timePasses(lists.tables, interval);

describe('the queue of pages', () => {
  it('returns one page of each user before the second page of any user', async () => {
    await aUserWith('http://a1.example', 'http://a2.example', 'http://a3.example');
    await aUserWith('http://b1.example', 'http://b2.example');

    expect((await claimAll()).map(({ host }) => host)).toEqual([
      'a1.example',
      'b1.example',
      'a2.example',
      'b2.example',
      'a3.example',
    ]);
  });

  it('returns a page once, even for concurrent claims and several users', async () => {
    await aUserWith('http://example.com/1', 'http://example.org/1');
    await aUserWith('https://www.example.com/1/');

    const claims = await Promise.all(Array.from({ length: 8 }, () => queue.claim()));

    expect(claims.flatMap((claim) => claim?.host ?? []).sort()).toEqual([
      'example.com',
      'example.org',
    ]);
  });

  it('returns at most two pages of a host at a time', async () => {
    await aUserWith(...[1, 2, 3, 4].map((n) => `http://example.com/${n}`), 'http://example.org');

    const [first, ...others] = await claimAll();
    expect(others.map(({ host }) => host)).toEqual(['example.com', 'example.org']);

    await completion.complete(first!, aParsedPage());
    expect(await claimAll()).toHaveLength(1);
  });

  it('returns a page again after its lease has ended or was released', async () => {
    await aUserWith('http://example.com', 'http://example.org');
    const [first, second] = await claimAll();

    await queue.release(second!.lease);
    expect((await claimAll()).map(({ url }) => url)).toEqual([second!.url]);
    await later('61 seconds');
    const [again] = await claimAll();

    expect([again?.url, again?.attempts]).toEqual([first!.url, 2]);
    expect(await completion.complete(first!, aParsedPage('Too late'))).toBe(false);
    expect(await completion.complete(again!, aParsedPage())).toBe(true);
  });

  it('returns the page of a given item before other pages', async () => {
    await aUserWith(...Array.from({ length: 20 }, (_, n) => `http://a${n}.example`));
    const userId = await aUserWith('http://b.example');
    const [item] = await itemsOf(userId);
    const itemId = item!.item_id;

    const claim = (await queue.claimFor({ userId, itemId })) as PageClaim;

    expect(claim.host).toBe('b.example');
    expect(await queue.claimFor({ userId, itemId })).toBe('busy');
    await completion.complete(claim, aParsedPage());
    expect(await queue.claimFor({ userId, itemId })).toBe('ready');
    await delivery.deliverTo(userId);
    expect(await queue.claimFor({ userId, itemId })).toBe('gone');
  });
});

describe('a fetched page', () => {
  it('is delivered to all users who saved it, and to no others', async () => {
    const [one, other, third] = [
      await aUserWith('http://example.com/1'),
      await aUserWith('https://www.example.com/1/?utm_source=x'),
      await aUserWith('http://example.com/2'),
    ];
    const [claim] = await claimAll();

    await completion.complete(claim!, aParsedPage());
    expect(await delivery.deliverAll()).toBe(2);

    for (const user of [one, other]) {
      expect(await itemsOf(user)).toMatchObject([
        { resolved_id: claim!.pageId, resolved_title: 'A page', is_article: 1, word_count: 300 },
      ]);
      expect(await lists.faults(user)).toEqual([]);
    }
    expect(await itemsOf(third)).toMatchObject([{ resolved_id: '0', resolved_title: '' }]);
    expect(await waiting()).toBe(1);
  });

  it('appears as a change in the next delta', async () => {
    const user = await aUserWith('http://example.com/1', 'http://example.com/2');
    const query = new ItemQuery(lists.dataSource.manager, user);
    const page = { filter: {}, order: 'newest', page: { count: 30, offset: 0 } } as const;
    const { since } = await query.find(page);
    const [claim] = await claimAll();

    await completion.complete(claim!, aParsedPage());
    await delivery.deliverAll();

    const { rows } = await query.find({ ...page, filter: { since } });
    expect(rows.map(({ resolved_title }) => resolved_title)).toEqual(['A page']);
  });

  it('is delivered without a fetch to a user who saves it later, until it is outdated', async () => {
    await aUserWith('http://example.com/1');
    const [claim] = await claimAll();
    await completion.complete(claim!, aParsedPage());

    const second = await aUserWith('http://example.com/1');
    expect(await claimAll()).toEqual([]);
    await delivery.deliverAll();
    expect(await itemsOf(second)).toMatchObject([{ resolved_title: 'A page' }]);

    await later('31 days');
    await aUserWith('http://example.com/1');
    expect(await claimAll()).toMatchObject([{ isFresh: false, etag: '"1"' }]);
  });

  it('changes no version if it is fetched again without changes', async () => {
    const user = await aUserWith('http://example.com/1');
    const [claim] = await claimAll();
    await completion.complete(claim!, aParsedPage());
    await delivery.deliverAll();
    const stamps = () =>
      lists.tables.query(
        'SELECT stamp FROM items WHERE user_id = $1 UNION ALL SELECT stamp FROM lists WHERE user_id = $1',
        [user],
      );
    const before = await stamps();
    const again = async (read: ParsedPage): Promise<void> => {
      await resolverParts(lists.database).administration.refresh();
      const [claimed] = await claimAll();
      await completion.complete(claimed!, read);
      await delivery.deliverAll();
    };

    await again(aParsedPage());
    expect(await stamps()).toEqual(before);
    await again(aParsedPage('Another title'));

    expect(await stamps()).not.toEqual(before);
    expect(await itemsOf(user)).toMatchObject([{ resolved_title: 'Another title' }]);
  });

  it('is delivered even if the delivery of another page fails', async () => {
    await aUserWith('http://a.example');
    const other = await aUserWith('http://b.example');
    for (const claim of await claimAll()) {
      await completion.complete(claim, aParsedPage());
    }
    await lists.tables.query(`UPDATE pages SET content = '{}' WHERE host = 'a.example'`);

    await delivery.deliverAll();

    expect(await itemsOf(other)).toMatchObject([{ resolved_title: 'A page' }]);
    expect(await waiting()).toBe(0);
  });

  it('is not written to an item that was deleted in the meantime', async () => {
    const user = await aUserWith('http://example.com/1');
    const [claim] = await claimAll();
    await lists.results(user, [{ action: 'delete', url: 'http://example.com/1' }]);

    await completion.complete(claim!, aParsedPage());
    await delivery.deliverAll();

    expect(await itemsOf(user)).toEqual([]);
    expect(await waiting()).toBe(0);
    expect(await lists.faults(user)).toEqual([]);
  });

  it('keeps the changes that the user has made to the item', async () => {
    const user = await aUserWith('http://example.com/1');
    const [claim] = await claimAll();
    const url = 'http://example.com/1';
    await lists.results(user, [
      { action: 'favorite', url },
      { action: 'archive', url },
      { action: 'tags_add', url, tags: 'red' },
    ]);

    await completion.complete(claim!, aParsedPage());
    await delivery.deliverAll();

    expect(await itemsOf(user)).toMatchObject([
      { favorite: 1, status: 1, tags: ['red'], resolved_title: 'A page' },
    ]);
    expect(await lists.faults(user)).toEqual([]);
  });
});

describe('a page that could not be fetched', () => {
  const temporary = { kind: 'failed', reason: 'timeout', isTemporary: true } as const;

  it('is retried after increasing delays, and abandoned after five attempts', async () => {
    await aUserWith('http://example.com/1');
    const pauses: string[] = [];

    for (const pause of ['1 minute', '4 minutes', '16 minutes', '64 minutes']) {
      const [claim] = await claimAll();
      await completion.complete(claim!, temporary);
      expect(await claimAll()).toEqual([]);
      await later(pause);
      pauses.push(pause);
    }
    const [last] = await claimAll();
    expect(last?.attempts).toBe(5);
    await completion.complete(last!, temporary);
    await delivery.deliverAll();
    expect(await waiting()).toBe(0);
    await later('2 hours');
    expect(await claimAll()).toEqual([]);
  });

  it('is abandoned at once after a permanent failure', async () => {
    const user = await aUserWith('http://example.com/1');
    const [claim] = await claimAll();

    await completion.complete(claim!, { kind: 'failed', reason: 'refused', isTemporary: false });
    await delivery.deliverAll();

    expect(await waiting()).toBe(0);
    expect(await itemsOf(user)).toMatchObject([{ resolved_id: '0' }]);
  });

  it('pauses its host for as long as the host requests', async () => {
    await aUserWith('http://example.com/1', 'http://example.com/2', 'http://example.org');
    const claim = await queue.claim();

    await completion.complete(claim!, {
      ...temporary,
      pause: { host: 'example.com', seconds: 600 },
    });

    expect((await claimAll()).map(({ host }) => host)).toEqual(['example.org']);
    await later('601 seconds');
    expect((await claimAll()).map(({ host }) => host)).toContain('example.com');
  });
});
