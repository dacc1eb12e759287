import { type PageCompletion } from '../../src/articles/resolver/page-completion.service.js';
import { PageJobs } from '../../src/articles/resolver/page-jobs.js';
import { type PageQueue } from '../../src/articles/resolver/page-queue.service.js';
import { type PageClaim, PageReader } from '../../src/articles/resolver/page-reader.js';
import { allowLongStatements } from '../../src/platform/database/query-rows.js';
import { PagePriority, requestPages } from '../../src/reading-list/pages/page-requests.js';
import { ListsOnPostgres } from '../support/a-list.js';
import { aParsedPage } from '../support/a-page.js';
import { EndlessReader } from '../support/endless-reader.js';
import { INTERVALS_ONLY } from '../support/fake-intervals.js';
import { timePasses } from '../support/page-times.js';
import { until } from '../support/processes.js';
import { resolverParts } from '../support/resolver-parts.js';

let lists: ListsOnPostgres;
let queue: PageQueue;
let completion: PageCompletion;

beforeEach(async () => {
  lists = await ListsOnPostgres.start();
  queue = resolverParts(lists.database).queue;
  completion = resolverParts(lists.database).completion;
});
afterEach(() => lists.stop());

/** Creates a user who saves pages one by one. */
async function saving(...urls: string[]): Promise<string> {
  const user = await lists.aUser();
  await lists.results(
    user,
    urls.map((url) => ({ action: 'add', url })),
  );
  return user;
}

/** Creates a user who imports many pages at once. */
async function importing(urls: readonly string[]): Promise<string> {
  const user = await saving('http://first.example');
  await lists.tables.query('DELETE FROM page_requests WHERE user_id = $1', [user]);
  const items = urls.map((givenUrl, n) => ({ itemId: String(n + 1), givenUrl }));
  await lists.database.transaction(async (manager) => {
    // An import requests a hundred pages per statement. This test requests all at once.
    await allowLongStatements(manager, 120);
    await manager.query(`SET LOCAL idle_in_transaction_session_timeout = '2min'`);
    await requestPages(manager, user, items, { priority: PagePriority.Imported });
  });
  return user;
}

const many = (count: number, url: (n: number) => string): string[] =>
  Array.from({ length: count }, (_, n) => url(n + 1));

async function claims(count: number): Promise<PageClaim[]> {
  const made: PageClaim[] = [];
  for (let claim = await queue.claim(); claim !== undefined; claim = await queue.claim()) {
    made.push(claim);
    if (made.length === count) {
      break;
    }
  }
  return made;
}

const hosts = async (count: number): Promise<string[]> =>
  (await claims(count)).map(({ host }) => host);

const onlyItemOf = async (userId: string): Promise<string> =>
  (
    await lists.tables.query<{ item_id: string }>('SELECT item_id FROM items WHERE user_id = $1', [
      userId,
    ])
  )[0]!.item_id;

const longLeases = async (): Promise<number> =>
  (await lists.tables.query(`SELECT FROM pages WHERE leased_until > now() + interval '30 seconds'`))
    .length;

/** A reader that fails the test if it is used. */
class DeadlyReader extends PageReader {
  override read(): Promise<never> {
    throw new Error('the page is read once more');
  }

  override readHtml(): Promise<never> {
    throw new Error('no page of a client is read here');
  }
}

const temporary = { kind: 'failed', reason: 'timeout', isTemporary: true } as const;

describe('50,000 imported pages', () => {
  it('are queued behind every page that a user saves', async () => {
    await importing(many(50_000, (n) => `http://a${n}.example`));
    await hosts(3);
    await saving(...many(5, (n) => `http://b${n}.example`));

    // Even new pages that are queued after the fourth imported page come first.
    expect(await hosts(6)).toEqual(
      ['b1', 'b2', 'b3', 'b4', 'b5', 'a4'].map((name) => `${name}.example`),
    );
  });

  it('alternate with the few pages that another user imports', async () => {
    await importing(many(50_000, (n) => `http://a${n}.example`));
    await importing(many(2, (n) => `http://b${n}.example`));

    expect((await hosts(6)).toSorted()).toEqual(
      ['a1', 'a2', 'a3', 'a4', 'b1', 'b2'].map((name) => `${name}.example`),
    );
  });

  it('of one host do not delay other hosts while that host is busy or paused', async () => {
    await importing(many(50_000, (n) => `http://example.com/${n}`));
    await importing(['http://b1.example', 'http://b2.example']);

    const [first, second, third] = await claims(3);
    expect([first, second, third].map((claim) => claim?.host)).toEqual([
      'example.com',
      'b1.example',
      'example.com',
    ]);

    await completion.complete(first!, {
      ...temporary,
      pause: { host: 'example.com', seconds: 600 },
    });
    expect(await hosts(9)).toEqual(['b2.example']);
  });
});

describe('a page that a user waits for', () => {
  it('is not fetched while two other pages of its host are fetched', async () => {
    await importing(many(9, (n) => `http://example.com/${n}`));
    const [first] = await claims(2);
    const userId = await saving('http://example.com/mine');
    const waiting = { userId, itemId: await onlyItemOf(userId) };

    expect(await queue.claimFor(waiting)).toBe('busy');
    await completion.complete(first!, aParsedPage());

    expect(await queue.claimFor(waiting)).toMatchObject({ url: 'http://example.com/mine' });
  });

  it('is postponed if its host is paused or the page has just failed', async () => {
    await importing(['http://example.com/1', 'http://example.org/1']);
    for (const claim of await claims(2)) {
      const pause =
        claim.host === 'example.com' ? { pause: { host: claim.host, seconds: 600 } } : {};
      await completion.complete(claim, { ...temporary, ...pause });
    }
    const paused = await saving('http://example.com/2');
    const failed = await saving('http://example.org/1');

    for (const userId of [paused, failed]) {
      expect(await queue.claimFor({ userId, itemId: await onlyItemOf(userId) })).toBe('later');
    }
  });
});

describe('a page that was fetched for a waiting user', () => {
  it('is delivered at once, even if thousands of other pages are ready for the same user', async () => {
    const userId = await saving('http://mine.example');
    const itemId = await onlyItemOf(userId);
    const [claim] = await claims(1);
    await completion.complete(claim!, aParsedPage());
    await lists.tables.query(
      `INSERT INTO page_requests (user_id, item_id, page_key, url, host, priority, turn, page_id)
       SELECT $1, n, page_key, url, host, 0, 1, page_id FROM pages, generate_series(1, 2000) n`,
      [userId],
    );
    await lists.tables.query('UPDATE page_requests SET priority = 1 WHERE item_id = $1', [itemId]);

    await resolverParts(lists.database).delivery.deliverTo(userId, itemId);

    expect(await lists.tables.query('SELECT resolved_title FROM items')).toEqual([
      { resolved_title: 'A page' },
    ]);
    // One transaction delivers 500.
    expect(await lists.tables.query('SELECT FROM page_requests')).toHaveLength(2001 - 500);
  });
});

describe('a page that is retried', () => {
  it('is queued among other pages when its delay is over', async () => {
    await importing(many(3, (n) => `http://a${n}.example`));
    const [first] = await claims(1);
    await completion.complete(first!, temporary);
    await importing(['http://a1.example']);

    expect(await hosts(9)).toEqual(['a2.example', 'a3.example']);
    await timePasses(lists.tables, '61 seconds');
    await saving('http://b1.example');

    expect(await hosts(2)).toEqual(['b1.example', 'a1.example']);
  });

  it('is fetched before imported pages that are retried, if a user has saved it', async () => {
    await importing(many(9, (n) => `http://a${n}.example`));
    for (const claim of await claims(9)) {
      await completion.complete(claim, temporary);
    }
    await timePasses(lists.tables, '30 seconds');
    await saving('http://b1.example');
    await completion.complete((await claims(1))[0]!, temporary);
    await timePasses(lists.tables, '61 seconds');

    expect(await hosts(2)).toEqual(['b1.example', 'a1.example']);
  });

  it('waits for the paused host of its redirect, and does not pause its own host', async () => {
    await saving('http://short.example/1', 'http://short.example/2', 'http://long.example');
    const [first] = await claims(1);
    const pause = { host: 'long.example', seconds: 600 };

    await completion.complete(first!, { ...temporary, pause });
    await timePasses(lists.tables, '61 seconds');

    expect((await claims(9)).map(({ url }) => url)).toEqual(['http://short.example/2']);
    await timePasses(lists.tables, '540 seconds');
    expect(await hosts(9)).toContain('long.example');
  });

  it('is abandoned after five workers have crashed with it', async () => {
    await saving('http://example.com');
    const jobs = new PageJobs(new DeadlyReader(), completion, queue);
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      expect(await claims(1)).toMatchObject([{ attempts: attempt }]);
      await timePasses(lists.tables, '61 seconds');
    }

    const [last] = await claims(1);
    expect(await jobs.run(last!)).toBe(false);

    expect(await lists.tables.query('SELECT failure FROM pages')).toEqual([{ failure: 'crash' }]);
    expect(await lists.tables.query('SELECT FROM page_requests WHERE page_id IS NULL')).toEqual([]);
  });
});

describe('a page that takes a long time', () => {
  it('stays with its worker if the lease is renewed', async () => {
    await saving('http://example.com');
    const [claim] = await claims(1);

    await timePasses(lists.tables, '59 seconds');
    await queue.renew(claim!.lease);
    await timePasses(lists.tables, '59 seconds');

    expect(await claims(1)).toEqual([]);
    expect(await completion.complete(claim!, aParsedPage())).toBe(true);
  });

  it('has its lease renewed while it is fetched', async () => {
    jest.useFakeTimers(INTERVALS_ONLY);
    try {
      await saving('http://example.com');
      const [claim] = await claims(1);
      void new PageJobs(new EndlessReader(), completion, queue).run(claim!);
      await timePasses(lists.tables, '59 seconds');

      jest.advanceTimersByTime(20_000);
      await until(async () => (await longLeases()) === 1, 'the renewal');
    } finally {
      jest.useRealTimers();
    }
  });

  it('is released at once if its worker has already stopped', async () => {
    await saving('http://example.com');
    const [claim] = await claims(1);
    const jobs = new PageJobs(new DeadlyReader(), completion, queue);

    await jobs.stop();
    expect(await jobs.run(claim!)).toBe(false);

    expect(await claims(1)).toMatchObject([{ attempts: 1 }]);
  });

  it('is delivered to the other users if one of the waiting users is deleted', async () => {
    const gone = await saving('http://example.com');
    const other = await saving('http://example.com');
    const [claim] = await claims(1);

    await lists.tables.query('DELETE FROM users WHERE id = $1', [gone]);
    await completion.complete(claim!, aParsedPage());
    await resolverParts(lists.database).delivery.deliverAll();

    expect(
      await lists.tables.query('SELECT user_id, resolved_title FROM items ORDER BY user_id'),
    ).toEqual([{ user_id: other, resolved_title: 'A page' }]);
    expect(await lists.tables.query('SELECT FROM page_requests')).toEqual([]);
  });
});
