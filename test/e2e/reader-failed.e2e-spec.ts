import { PageDelivery } from '../../src/articles/resolver/page-delivery.service.js';
import { PageRequestRepository } from '../../src/articles/resolver/page-request.repository.js';
import { whileHeld } from '../support/held-row.js';
import { aReader, locationOf, type Reader } from '../support/list-reader.js';
import { formIn, shownText } from '../support/page-visitor.js';
import { bodyOf, titlesAt } from '../support/shown-list.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

const FAILED = '/list?state=failed';

let app: TestApp;

beforeAll(async () => {
  app = await aTestApp({ config: { resolverPagesPerHour: 2, resolveWaitMs: 0 } });
});
afterAll(() => app.close());

/** Pretends that the service has given up the pages of items. `minutes` is the time since the last attempt. */
async function giveUp({ api }: Reader, failure: string, minutes = 30): Promise<void> {
  const { database } = app;
  await database.query(
    `INSERT INTO pages (page_key, url, host, failure, retry_at)
     SELECT page_key, url, host, $2, now() + interval '1 hour' - make_interval(mins => $3)
     FROM page_requests WHERE user_id = $1
     ON CONFLICT (page_key) DO UPDATE SET failure = excluded.failure, retry_at = excluded.retry_at, attempts = 0`,
    [api.user.id, failure, minutes],
  );
  await database.query(
    `UPDATE page_requests SET page_id = page.page_id FROM pages page
     WHERE page.page_key = page_requests.page_key AND user_id = $1`,
    [api.user.id],
  );
  await app.app.get(PageDelivery, { strict: false }).deliverTo(api.user.id);
  await database.query('DELETE FROM page_quotas WHERE user_id = $1', [api.user.id]);
}

const waiting = async ({ api, ids }: Reader): Promise<boolean[]> => {
  const requests = app.app.get(PageRequestRepository, { strict: false });
  const among = await requests.waitingAmong(api.user.id, ids);
  return ids.map((id) => among.has(id));
};

const laterOf = async ({ api }: Reader): Promise<number> => {
  const [row] = await app.database.query<{ later: number }>(
    `SELECT count(*)::int AS later FROM page_requests WHERE user_id = $1 AND retry_at > now() + interval '50 minutes'`,
    [api.user.id],
  );
  return row?.later ?? 0;
};

async function retry(reader: Reader, fields: Record<string, string> = {}, view = FAILED) {
  const form = formIn(await reader.open(view).expect(200), '/list/retry');
  const answer = await reader.submit(form, fields).expect(303);
  return reader.open(locationOf(answer)).expect(200);
}

/** Each test has pages of its own, because all users share a page. */
async function aReaderOfOwn(): Promise<Reader> {
  const reader = await aReader(app);
  const own = ['a', 'b', 'c'].map((name) => ({
    ...{ action: 'add', title: name, url: `https://u${reader.api.user.id}.example/${name}` },
  }));
  await reader.api
    .send([...reader.ids.map((id) => ({ action: 'delete', item_id: id })), ...own])
    .expect(200);
  const items = await reader.api.items({ sort: 'title' });
  return Object.assign(reader, { ids: items.map(({ item_id: id }) => id) });
}

describe('the view of pages that could not be fetched', () => {
  it('shows only pages that were given up, with the reason, and not those that are still queued', async () => {
    const reader = await aReaderOfOwn();
    expect(await titlesAt(reader, FAILED)).toEqual([]);

    await giveUp(reader, 'refused: timeout');

    const page = await reader.open(FAILED).expect(200);
    expect((await titlesAt(reader, FAILED)).toSorted()).toEqual(['a', 'b', 'c']);
    expect(shownText(page, '.over')).toBe('Could not be fetched 3 items');
    const reasons = [...bodyOf(page).querySelectorAll('.failure span')];
    expect(reasons.map(({ textContent }) => textContent)).toEqual(
      Array.from({ length: 3 }, () => 'The site took too long to respond.'),
    );
    const list = await reader.open('/list').expect(200);
    expect(bodyOf(list).querySelector('.failure')).toBeNull();
    // Pages without an article cannot be opened at random.
    expect([list, page].map((one) => shownText(one, '.surprise'))).toEqual(['Surprise me', '']);
  });

  it('fetches one page again', async () => {
    const reader = await aReaderOfOwn();
    await giveUp(reader, 'HTTP 404');

    const page = await retry(reader, { one: `retry:${reader.ids[1] ?? ''}` });

    expect(shownText(page, '.done')).toBe('Satchel is fetching this page again.');
    expect(await waiting(reader)).toEqual([false, true, false]);
    expect(shownText(page, '.items')).toContain('Satchel is fetching this page again.');
    expect(bodyOf(page).querySelectorAll('.failure button')).toHaveLength(2);
  });

  it('fetches all pages again within the hourly quota of the user', async () => {
    const reader = await aReaderOfOwn();
    await giveUp(reader, 'HTTP 500');

    const page = await retry(reader);
    await retry(reader);

    expect(shownText(page, '.done')).toContain('Satchel is fetching these pages again.');
    expect(await waiting(reader)).toEqual([true, true, true]);
    expect(await laterOf(reader)).toBe(1);
  });

  it.each([
    [`${FAILED}&tag=low`, ['b']],
    ['/list?failed=yes&tag=low', ['b']],
    [`${FAILED}&search=C&in=titles`, ['c']],
    ['/list?failed=yes&sort=title', ['a', 'b', 'c']],
  ])('fetches only the pages of the view again: %s', async (view, titles) => {
    const reader = await aReaderOfOwn();
    const [, b = ''] = reader.ids;
    await reader.api.send([{ action: 'tags_add', item_id: b, tags: 'low' }]).expect(200);
    await giveUp(reader, 'HTTP 500');

    const page = await retry(reader, {}, view);

    const states = await waiting(reader);
    expect(['a', 'b', 'c'].filter((_, at) => states[at])).toEqual(titles);
    expect(shownText(page, '.chips')).toBe(shownText(await reader.open(view), '.chips'));
  });

  it('fetches pages whose pause another user ends at the same time', async () => {
    const reader = await aReaderOfOwn();
    await giveUp(reader, 'HTTP 500');
    const pages = `WHERE url LIKE 'https://u' || $1 || '.example/%'`;

    await whileHeld(app.database, {
      lock: `SELECT FROM pages ${pages} FOR UPDATE`,
      waiting: () => retry(reader),
      change: `UPDATE pages SET failure = NULL, retry_at = clock_timestamp() ${pages}`,
      values: [reader.api.user.id],
    });

    expect(await waiting(reader)).toEqual([true, true, true]);
  });

  it('does not repeat an attempt of the last minute', async () => {
    const reader = await aReaderOfOwn();
    await giveUp(reader, 'HTTP 500', 0);

    await retry(reader);
    expect(await waiting(reader)).toEqual([false, false, false]);
    const page = await retry(reader, { one: `retry:${reader.ids[0] ?? ''}` });

    expect(shownText(page, '.done')).toContain('a moment ago');
    expect(await waiting(reader)).toEqual([false, false, false]);
  });

  it('no longer shows an item that has its page', async () => {
    const reader = await aReaderOfOwn();
    await giveUp(reader, 'HTTP 500');
    await retry(reader);
    await app.database.query(
      `WITH page AS (UPDATE pages SET failure = NULL, content = $2 FROM page_requests r
         WHERE r.page_key = pages.page_key AND r.user_id = $1 AND r.item_id = $3 RETURNING pages.page_id)
       UPDATE page_requests SET page_id = page.page_id, retry_at = NULL FROM page
       WHERE user_id = $1 AND item_id = $3`,
      [
        reader.api.user.id,
        JSON.stringify({ facts: {}, item: { resolvedTitle: 'Here it is', resolvedUrl: '' } }),
        reader.ids[0],
      ],
    );

    await app.app.get(PageDelivery, { strict: false }).deliverTo(reader.api.user.id);

    expect((await titlesAt(reader, FAILED)).toSorted()).toEqual(['b', 'c']);
  });

  it.each([
    ['retry:x', 400],
    ['retry:1', 404],
  ])('answers %s with %d', async (one, status) => {
    const reader = await aReaderOfOwn();
    await giveUp(reader, 'HTTP 500');
    const form = formIn(await reader.open(FAILED).expect(200), '/list/retry');

    await reader.submit(form, { one }).expect(status);
    await reader.post('/list/retry', { one: `retry:${reader.ids[0] ?? ''}` }).expect(403);

    expect(await waiting(reader)).toEqual([false, false, false]);
  });
});
