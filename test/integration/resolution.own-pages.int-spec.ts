import { PageJobs } from '../../src/articles/resolver/page-jobs.js';
import { WaitingPageResolver } from '../../src/articles/resolver/waiting-page-resolver.js';
import { ServiceBusyError } from '../../src/platform/common/common.errors.js';
import { keepSentPage, sentPage } from '../../src/reading-list/pages/page-requests.js';
import { ListsOnPostgres } from '../support/a-list.js';
import { EndlessReader } from '../support/endless-reader.js';
import { resolverParts } from '../support/resolver-parts.js';

/** How long a client waits here. Its page is still unparsed afterwards. */
const BUDGET_MS = 20;
const NO_CLIENT_WAITS = 0;

let lists: ListsOnPostgres;
let resolver: WaitingPageResolver;

beforeAll(async () => {
  lists = await ListsOnPostgres.start();
});
afterAll(() => lists.stop());
beforeEach(() => {
  const reader = new EndlessReader();
  const { queue, completion, delivery, sentPages } = resolverParts(lists.database);
  const jobs = new PageJobs(reader, completion, queue);
  resolver = new WaitingPageResolver(queue, jobs, delivery, sentPages(reader));
});

/** Returns false if the page is stored but not parsed yet. */
async function send(userId: string, itemId: string, budgetMs = BUDGET_MS): Promise<boolean> {
  const sent = await sentPage('<p>Seen behind a login.</p>');
  const url = 'http://example.com/';
  await lists.database.transaction((manager) =>
    keepSentPage(manager, { userId, itemId, url }, sent),
  );
  return resolver.resolve({ userId, itemId, url, sent }, budgetMs);
}

const sendMany = (userId: string, count: number): Promise<boolean[]> =>
  Promise.all(Array.from({ length: count }, (_, n) => send(userId, String(n))));

const storedOf = async (userId: string): Promise<number> =>
  (await lists.tables.query(`SELECT FROM sent_pages WHERE user_id = $1`, [userId])).length;

describe('pages that clients send', () => {
  it('are rejected and not stored if too many of them are queued', async () => {
    for (let n = 0; n < 10; n += 1) {
      expect(await sendMany(await lists.aUser(), 5)).not.toContain(true);
    }
    expect(await send(await lists.aUser(), '1')).toBe(false);
    const late = await lists.aUser();

    await expect(send(late, '1')).rejects.toThrow(ServiceBusyError);
    expect(await storedOf(late)).toBe(0);
  });

  it('are rejected if too many of one user are queued, but accepted from another user', async () => {
    const [user, other] = [await lists.aUser(), await lists.aUser()];
    await sendMany(user, 10);

    await expect(send(user, '11')).rejects.toThrow(ServiceBusyError);
    expect(await send(other, '1')).toBe(false);
    expect([await storedOf(user), await storedOf(other)]).toEqual([10, 1]);
  });

  it('are stored without a place in the queue if no client waits for them', async () => {
    const user = await lists.aUser();
    await sendMany(user, 10);

    expect(await send(user, '11', NO_CLIENT_WAITS)).toBe(false);
    expect(await storedOf(user)).toBe(11);
  });
});
