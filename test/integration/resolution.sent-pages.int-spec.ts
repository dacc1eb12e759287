import { setTimeout as pause } from 'node:timers/promises';

import { PageReader, type ParsedPage } from '../../src/articles/resolver/page-reader.js';
import type { SentPages } from '../../src/articles/resolver/sent-pages.service.js';
import { keepSentPage, sentPage } from '../../src/reading-list/pages/page-requests.js';
import { ListsOnPostgres } from '../support/a-list.js';
import { aParsedPage } from '../support/a-page.js';
import { EndlessReader } from '../support/endless-reader.js';
import { INTERVALS_ONLY } from '../support/fake-intervals.js';
import { until } from '../support/processes.js';
import { resolverParts } from '../support/resolver-parts.js';

const URL = 'http://example.com/private';

/** A page's title is its markup. */
class Titles extends PageReader {
  override read(): Promise<never> {
    return new Promise(() => undefined);
  }

  override readHtml(_url: string, html: string): Promise<ParsedPage> {
    return Promise.resolve(aParsedPage(html));
  }
}

const OTHER = { url: URL, html: 'Other' };

/** Takes a moment for each page, and signals the first one. */
class Crowd extends Titles {
  #isFirst = true;

  constructor(private readonly tell: () => void) {
    super();
  }

  override async readHtml(url: string, html: string): Promise<ParsedPage> {
    if (this.#isFirst) {
      this.#isFirst = false;
      this.tell();
    }
    await pause(10);
    return super.readHtml(url, html);
  }
}

let lists: ListsOnPostgres;
let sentPages: SentPages;
let userId: string;
let itemId: string;

beforeEach(async () => {
  lists = await ListsOnPostgres.start();
  sentPages = resolverParts(lists.database).sentPages(new Titles());
  userId = await lists.aUser();
  await lists.results(userId, [{ action: 'add', url: URL }]);
  const [item] = await lists.tables.query<{ item_id: string }>('SELECT item_id FROM items');
  itemId = item!.item_id;
});
afterEach(() => lists.stop());

/** Stores a page as add does, without parsing it. */
async function send(html: string) {
  const sent = await sentPage(html);
  const page = { userId, itemId, url: URL };
  await lists.database.transaction((manager) => keepSentPage(manager, page, sent));
  return { ...page, ...sent };
}

/** Ends all leases, as if their process had ended. */
const leasesEnd = (): Promise<unknown> =>
  lists.tables.query('UPDATE sent_pages SET leased_until = now()');
const titles = async (): Promise<unknown[]> =>
  (await lists.tables.query<{ resolved_title: string }>('SELECT resolved_title FROM items')).map(
    (item) => item.resolved_title,
  );
const leased = async (): Promise<number> =>
  (
    await lists.tables.query(
      `SELECT FROM sent_pages WHERE leased_until > now() + interval '30 seconds'`,
    )
  ).length;
const kept = async (): Promise<number> =>
  (await lists.tables.query('SELECT FROM sent_pages')).length;

describe('a page that a client has sent', () => {
  it('is parsed once by another process after its own process has ended', async () => {
    await send('Sent');
    expect(await sentPages.keepAbandoned()).toBe(false);
    await leasesEnd();

    expect(await sentPages.keepAbandoned()).toBe(true);

    expect(await titles()).toEqual(['Sent']);
    expect(await kept()).toBe(0);
    expect(await sentPages.keepAbandoned()).toBe(false);
  });

  it('is stored until it is parsed', async () => {
    const page = await send('Sent');
    expect(await kept()).toBe(1);

    expect(await sentPages.keep(page)).toBe(true);

    expect(await kept()).toBe(0);
  });

  it('replaces an earlier page of the item, whichever is parsed last', async () => {
    const [first, second] = [await send('First'), await send('Second')];

    expect(await sentPages.keep(second)).toBe(true);
    expect(await sentPages.keep(first)).toBe(false);

    expect(await titles()).toEqual(['Second']);
  });

  it('is deleted with its item', async () => {
    const page = await send('Sent');

    await lists.results(userId, [{ action: 'delete', item_id: itemId }]);

    expect(await kept()).toBe(0);
    expect(await sentPages.keep(page)).toBe(false);
  });

  it('has its lease renewed while it waits to be parsed', async () => {
    jest.useFakeTimers(INTERVALS_ONLY);
    try {
      const page = await send('Sent');
      await leasesEnd();
      void resolverParts(lists.database).sentPages(new EndlessReader()).keep(page);

      jest.advanceTimersByTime(20_000);
      await until(async () => (await leased()) === 1, 'the renewal');
    } finally {
      jest.useRealTimers();
    }
  });

  it('is parsed after its process has ended, even if many other pages are waiting', async () => {
    const { version } = await send('Sent');
    await leasesEnd();
    const others = Array.from({ length: 60 }, (_, n) => ({
      ...OTHER,
      userId,
      itemId: `${n}`,
      version,
    }));
    const crowd = new Crowd(() => {
      void Promise.allSettled(others.map((page) => crowded.keep(page)));
    });
    const crowded = resolverParts(lists.database).sentPages(crowd);

    const left = crowded.keepAbandoned();
    void crowded.keep({ ...OTHER, userId, itemId: '99', version });

    expect(await left).toBe(true);
    expect(await titles()).toEqual(['Sent']);
  });

  it('is deleted without a result after three processes have ended with it', async () => {
    await send('Sent');
    await lists.tables.query('UPDATE sent_pages SET attempts = 3');
    await leasesEnd();

    expect(await sentPages.keepAbandoned()).toBe(true);

    expect(await kept()).toBe(0);
    expect(await titles()).toEqual(['']);
  });
});
