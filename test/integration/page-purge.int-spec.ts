import { PageRepository } from '../../src/articles/resolver/page.repository.js';
import { type PageCompletion } from '../../src/articles/resolver/page-completion.service.js';
import { KEEP_DELETED } from '../../src/reading-list/deletions/deleted-item.sql.js';
import { ListsOnPostgres } from '../support/a-list.js';
import { aParsedPage } from '../support/a-page.js';
import { timePasses } from '../support/page-times.js';
import { resolverParts } from '../support/resolver-parts.js';

let lists: ListsOnPostgres;

beforeAll(async () => {
  lists = await ListsOnPostgres.start();
});
afterAll(() => lists.stop());
beforeEach(() => lists.clear());

const URL = 'http://a.example';

async function saving(...urls: string[]): Promise<string> {
  const user = await lists.aUser();
  await lists.results(
    user,
    urls.map((url) => ({ action: 'add', url })),
  );
  return user;
}

const discarding = (user: string, url = URL): Promise<boolean[]> =>
  lists.results(user, [{ action: 'delete', url }]);

/** Completes all requested pages and delivers them to the items. */
async function readAll(outcome: Parameters<PageCompletion['complete']>[1] = aParsedPage()) {
  const queue = resolverParts(lists.database).queue;
  const completion = resolverParts(lists.database).completion;
  for (let claim = await queue.claim(); claim !== undefined; claim = await queue.claim()) {
    await completion.complete(claim, outcome);
  }
  await resolverParts(lists.database).delivery.deliverAll();
}

async function days(count: number): Promise<void> {
  await timePasses(lists.tables, `${count} days`);
}

const hosts = async (): Promise<string[]> =>
  (await lists.tables.query<{ host: string }>(`SELECT host FROM pages ORDER BY host`)).map(
    ({ host }) => host,
  );

/** Creates a fetched page without any item. */
async function anOrphan(): Promise<void> {
  const user = await saving(URL);
  await readAll();
  await discarding(user);
}

const failed = { kind: 'failed', reason: 'dns', isTemporary: false } as const;

describe('a stored page', () => {
  it('is deleted 90 days after it was fetched if no item has it', async () => {
    await anOrphan();
    await days(89);
    expect(await resolverParts(lists.database).administration.purge()).toBe(0);
    expect(await hosts()).toEqual(['a.example']);

    await days(2);

    expect(await resolverParts(lists.database).administration.purge()).toBe(1);
    expect(await hosts()).toEqual([]);
  });

  it('is kept while the deletion of its item can be undone', async () => {
    const user = await saving(URL);
    await readAll();
    await days(100);
    const ids = await lists.tables.query<{ id: string }>(`SELECT item_id AS id FROM items`);
    await lists.tables.query(KEEP_DELETED, [user, ids.map(({ id }) => id), [], [], []]);

    await discarding(user);
    expect(await resolverParts(lists.database).administration.purge()).toBe(0);

    await lists.tables.query(`DELETE FROM deleted_items`);
    expect(await resolverParts(lists.database).administration.purge()).toBe(1);
  });

  it('is kept while an item has it', async () => {
    const [one] = [await saving(URL), await saving(URL)];
    await readAll();
    await days(100);

    await discarding(one);

    expect(await resolverParts(lists.database).administration.purge()).toBe(0);
    expect(await hosts()).toEqual(['a.example']);
  });

  it('is kept while an item waits for it', async () => {
    await anOrphan();
    await days(100);

    await saving(URL);

    expect(await resolverParts(lists.database).administration.purge()).toBe(0);
    expect(await hosts()).toEqual(['a.example']);
  });

  it('is deleted 90 days after a failed fetch', async () => {
    await saving(URL, 'http://b.example');
    await readAll(failed);
    await days(89);
    expect(await resolverParts(lists.database).administration.purge()).toBe(0);

    await days(2);

    expect(await resolverParts(lists.database).administration.purge()).toBe(2);
  });

  it('is kept with its item if a client has sent it', async () => {
    const user = await saving(URL);
    await lists.tables.query(
      `INSERT INTO pages (page_key, url, host, owner_id, item_id, fetched_at)
       SELECT '\\x01', '', 'own', user_id, item_id, now() - interval '1 year' FROM items WHERE user_id = $1`,
      [user],
    );

    expect(await resolverParts(lists.database).administration.purge()).toBe(0);
    expect(await hosts()).toEqual(['own']);
  });
});

describe('a page that is saved while it is purged', () => {
  it.each([
    ['waits for it', () => Promise.resolve()],
    ['has it already', () => readAll()],
    ['got it as it was before', () => readAll(failed)],
    [
      'got it as it was before, while failures are forgotten',
      async () => {
        await readAll(failed);
        await resolverParts(lists.database).administration.retry();
      },
    ],
  ])('is kept if the user %s', async (_what, meanwhile) => {
    await anOrphan();
    await days(100);
    const found = await lists.database.transaction((manager) =>
      PageRepository.in(manager).findUnused(100),
    );
    expect(found).toHaveLength(1);

    const user = await saving(URL);
    await meanwhile();

    expect(await resolverParts(lists.database).pages.deleteIdle(found)).toBe(0);
    await readAll();
    expect(await lists.faults(user)).toEqual([]);
  });

  it('is fetched again if it was deleted before', async () => {
    await anOrphan();
    await days(100);
    const user = await saving(URL);
    await lists.tables.query('DELETE FROM pages');

    await readAll();

    expect(
      await lists.tables.query('SELECT resolved_title FROM items WHERE user_id = $1', [user]),
    ).toEqual([{ resolved_title: 'A page' }]);
  });
});

it('a purge deletes the pauses of hosts that have ended', async () => {
  await lists.tables.query(
    `INSERT INTO host_pauses VALUES ('over.example', now() - interval '1 second'), ('still.example', now() + interval '1 hour')`,
  );

  await resolverParts(lists.database).administration.purge();

  expect(await lists.tables.query('SELECT host FROM host_pauses')).toEqual([
    { host: 'still.example' },
  ]);
});
