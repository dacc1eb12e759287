import { aVisitor } from '../support/oauth-api.js';
import { ReadingListApi } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

let app: TestApp;

beforeAll(async () => {
  app = await aTestApp({ config: { resolverPagesPerHour: 1, resolveWaitMs: 0 } });
});
afterAll(() => app.close());

/** Returns true if the item's page is queued for a later hour. Undefined if it is not queued. */
async function isLater(itemId: string): Promise<boolean | undefined> {
  const [row] = await app.database.query<{ later: boolean }>(
    `SELECT coalesce(retry_at > now() + interval '50 minutes', false) AS later FROM page_requests WHERE item_id = $1`,
    [itemId],
  );
  return row?.later;
}

it('counts retries of pages against the quota of the user, even if they are repeated', async () => {
  const api = await ReadingListApi.of(app);
  const reader = await aVisitor(app, api.user);
  const added = ['a', 'b'].map((name) => ({ action: 'add', url: `https://quota.example/${name}` }));
  await api.send(added).expect(200);
  const [first = '', second = ''] = (await api.items({ sort: 'oldest' })).map(
    ({ item_id: id }) => id,
  );
  const _csrf = await reader.csrfToken();
  const tryAgain = (id: string) => reader.post(`/read/${id}/retry`, { _csrf }).expect(303);
  // Pretends that both pages have failed. Each is then requested once more.
  await app.database.query(
    `INSERT INTO pages (page_key, url, host, failure, retry_at)
     SELECT page_key, url, host, 'timeout', now() + interval '5 minutes' FROM page_requests
     ON CONFLICT DO NOTHING`,
  );
  await app.database.query(`DELETE FROM page_quotas`);
  await app.database.query(
    `UPDATE page_requests SET retry_at = page.retry_at FROM pages page WHERE page.page_key = page_requests.page_key`,
  );

  await tryAgain(first);
  await tryAgain(second);
  await tryAgain(second);

  expect([await isLater(first), await isLater(second)]).toEqual([false, true]);
});
