import { GoneItems } from '../../src/articles/link-checks/gone-items.service.js';
import { configFrom } from '../../src/platform/config/config.js';
import { BackgroundWork } from '../../src/platform/jobs/background-work.js';
import type { GetResponse } from '../../src/reading-list/get/get.presenter.js';
import { aFetcher } from '../support/a-fetcher.js';
import { brokenPromises } from '../support/list-invariants.js';
import { aVisitor } from '../support/oauth-api.js';
import { locationOf, type PageVisitor, shownText } from '../support/page-visitor.js';
import { until } from '../support/processes.js';
import { PublicHost } from '../support/public-host.js';
import { ReadingListApi } from '../support/reading-list-api.js';
import { bodyOf, titlesAt } from '../support/shown-list.js';
import { storeArticle } from '../support/stored-articles.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

let app: TestApp;
let host: PublicHost;

beforeAll(async () => {
  host = await PublicHost.start();
  app = await aTestApp({ config: { checksLinks: true } });
});
afterAll(async () => {
  await app.close();
  await host.stop();
});

const SINCE = '2025-03-04T12:00:00Z';
const NOTHING = 'HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n';

interface Reader {
  readonly api: ReadingListApi;
  readonly visitor: PageVisitor;
}

async function aReader(): Promise<Reader> {
  const api = await ReadingListApi.of(app);
  return { api, visitor: await aVisitor(app, api.user) };
}

/** Saves an item with a stored article. Returns its id. */
async function anArticle({ api }: Reader, title: string): Promise<string> {
  await api.send([{ action: 'add', url: `https://${title}.example/`, title }]).expect(200);
  const [item] = await api.items({ search: title });
  await storeArticle(app.database, api.user.id, item!.item_id);
  return item!.item_id;
}

const mark = (): Promise<void> => app.app.get(GoneItems).mark(new AbortController().signal);

/** Makes the page of an item gone since a time, or found if there is no time. Then marks the items. */
async function setGone(itemId: string, since: string | null): Promise<void> {
  await app.database.query(
    `UPDATE pages SET missing_since = $2::timestamptz, gone_since = $2::timestamptz
     WHERE page_id IN (SELECT resolved_id FROM items WHERE item_id = $1)`,
    [itemId, since],
  );
  await mark();
}

describe('an item whose page is gone', () => {
  it('is found by the filter of the list, with the date', async () => {
    const reader = await aReader();
    const lost = await anArticle(reader, 'lost');
    await anArticle(reader, 'alive');

    await setGone(lost, SINCE);

    expect(await titlesAt(reader.visitor, '/list?gone=yes')).toEqual(['lost']);
    const list = await reader.visitor.open('/list').expect(200);
    expect(shownText(list, '.facts .gone')).toBe('Gone from the web since 4 March 2025');
    expect(bodyOf(list).querySelectorAll('.facts .gone')).toHaveLength(1);
  });

  it('keeps its article, and its page says so', async () => {
    const reader = await aReader();
    const lost = await anArticle(reader, 'kept');

    await setGone(lost, SINCE);

    const page = await reader.visitor.open(`/read/${lost}`).expect(200);
    expect(shownText(page, '.reading .notice')).toBe(
      'This page has been gone from the web since 4 March 2025. Satchel keeps the article.',
    );
    expect(shownText(page, '#article-text')).toBe('An article.');
  });

  it('is no longer marked after its page was found again', async () => {
    const reader = await aReader();
    const lost = await anArticle(reader, 'back');
    await setGone(lost, SINCE);

    await setGone(lost, null);

    expect(await titlesAt(reader.visitor, '/list?gone=yes')).toEqual([]);
    const page = await reader.visitor.open(`/read/${lost}`).expect(200);
    expect(bodyOf(page).querySelector('.reading .notice')).toBeNull();
  });

  it('is sent to clients as changed once, with the time of its last change', async () => {
    const reader = await aReader();
    const got = async (members: object): Promise<GetResponse> =>
      (await reader.api.get(members).expect(200)).body as GetResponse;
    const lost = await anArticle(reader, 'synced');
    const before = await got({ state: 'all' });
    await setGone(lost, SINCE);
    const changes = await got({ since: before.since });

    await Promise.all([mark(), mark()]);

    expect(Object.keys(changes.list)).toEqual([lost]);
    expect(changes.list).toEqual(before.list);
    expect((await got({ since: changes.since })).list).toEqual({});
  });

  it('changes no list of another user who saved another page', async () => {
    const [reader, other] = [await aReader(), await aReader()];
    const lost = await anArticle(reader, 'mine');
    await anArticle(other, 'theirs');

    await setGone(lost, SINCE);

    expect(await titlesAt(reader.visitor, '/list?gone=yes')).toEqual(['mine']);
    expect(await titlesAt(other.visitor, '/list?gone=yes')).toEqual([]);
  });

  it('is marked for all users who saved the page', async () => {
    const [reader, other] = [await aReader(), await aReader()];
    const lost = await anArticle(reader, 'shared');
    await anArticle(other, 'shared');
    await app.database.query(
      `UPDATE items SET resolved_id = (SELECT min(resolved_id) FROM items WHERE item_id = $1) WHERE item_id = $1`,
      [lost],
    );

    await Promise.all([setGone(lost, SINCE), setGone(lost, SINCE)]);

    expect(await titlesAt(reader.visitor, '/list?gone=yes')).toEqual(['shared']);
    expect(await titlesAt(other.visitor, '/list?gone=yes')).toEqual(['shared']);
  });
});

describe('marks of many items', () => {
  it('are written in batches', async () => {
    const readers = [await aReader(), await aReader(), await aReader()];
    const items = app.app.get(GoneItems);
    const atOnce = items.itemsLoaded;
    items.itemsLoaded = 2;
    try {
      for (const reader of readers) {
        await setGone(await anArticle(reader, 'first'), null);
        await setGone(await anArticle(reader, 'second'), null);
      }
      const marks = (since: string | null): Promise<unknown> =>
        app.database.query(
          `UPDATE pages SET gone_since = $2::timestamptz WHERE page_id IN (SELECT resolved_id FROM items WHERE user_id = ANY ($1))`,
          [readers.map(({ api }) => api.user.id), since],
        );
      await marks(SINCE);
      await mark();
      for (const { visitor } of readers) {
        expect(await titlesAt(visitor, '/list?gone=yes')).toHaveLength(2);
      }

      await marks(null);
      await mark();

      for (const { visitor } of readers) {
        expect(await titlesAt(visitor, '/list?gone=yes')).toEqual([]);
      }
    } finally {
      items.itemsLoaded = atOnce;
    }
  });

  it('are not written after the service was stopped', async () => {
    const reader = await aReader();
    const lost = await anArticle(reader, 'stopped');
    await app.database.query(
      `UPDATE pages SET gone_since = $2 WHERE page_id IN (SELECT resolved_id FROM items WHERE item_id = $1)`,
      [lost, SINCE],
    );

    await app.app.get(GoneItems).mark(AbortSignal.abort());

    expect(await titlesAt(reader.visitor, '/list?gone=yes')).toEqual([]);
  });

  it('leave all counters exact while the items are deleted', async () => {
    const reader = await aReader();
    const ids = [];
    for (const title of ['one', 'two', 'three', 'four']) {
      ids.push(await anArticle(reader, title));
    }
    await app.database.query(
      `UPDATE pages SET gone_since = $2 WHERE page_id IN (SELECT resolved_id FROM items WHERE item_id = ANY ($1))`,
      [ids, SINCE],
    );

    await Promise.all([
      mark(),
      reader.api.send(ids.slice(0, 2).map((id) => ({ action: 'delete', item_id: id }))),
      mark(),
    ]);

    expect(await brokenPromises(app.database)).toEqual({});
    expect(await titlesAt(reader.visitor, '/list?gone=yes')).toHaveLength(2);
  });
});

describe('the filter', () => {
  it('is a condition of saved lists', async () => {
    const reader = await aReader();
    await setGone(await anArticle(reader, 'listed'), SINCE);
    await anArticle(reader, 'unlisted');

    const form = await reader.visitor.form('/list?state=all&gone=yes', '/list/lists');
    await reader.visitor.submit(form, { name: 'Vanished' }).expect(303);

    const path = locationOf(await reader.visitor.open('/list/l/Vanished').expect(303));
    expect(await titlesAt(reader.visitor, path)).toEqual(['listed']);
  });

  it('is in the form if the service checks pages', async () => {
    const page = await (await aReader()).visitor.open('/list?more=1').expect(200);

    expect(shownText(page, '[name="gone"]')).toBe('Any Gone from the web');
  });

  it('rejects other values', async () => {
    await (await aReader()).visitor.open('/list?gone=no').expect(400);
  });
});

describe('the setting CHECK_LINKS', () => {
  const CHECK = 'LinkChecker';

  async function started(checksLinks: boolean): Promise<TestApp> {
    const config = { checksLinks, resolverConcurrency: 1 };
    return aTestApp({ config, fetcher: aFetcher(host) });
  }

  /** Stores a page that is due. */
  const aDuePage = ({ database }: TestApp): Promise<unknown> =>
    database.query(
      `INSERT INTO pages (page_key, url, host, fetched_at, check_at)
       VALUES ('\\x01', $1, 'page.example', now(), now() - interval '1 day')`,
      [host.url()],
    );

  it('makes the service check pages', async () => {
    host.answer(NOTHING);
    const on = await started(true);
    try {
      await aDuePage(on);
      await until(
        async () =>
          (await on.database.query(`SELECT FROM pages WHERE missing_since IS NOT NULL`)).length ===
          1,
        'a check',
      );
      expect(Object.keys(on.app.get(BackgroundWork).reports())).toContain(CHECK);
    } finally {
      await on.close();
    }
  });

  it('is off by default', async () => {
    expect(configFrom({}).checksLinks).toBe(false);
    const off = await started(configFrom({}).checksLinks);
    try {
      expect(Object.keys(off.app.get(BackgroundWork).reports())).not.toContain(CHECK);
    } finally {
      await off.close();
    }
  });
});
