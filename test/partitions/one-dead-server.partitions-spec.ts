import request from 'supertest';

import { Callers } from '../../src/auth/consumers/callers.js';
import { UserAdministrationService } from '../../src/auth/user-administration.service.js';
import { Trash } from '../../src/reading-list/deletions/trash.service.js';
import { Sharing } from '../../src/reading-list/sharing/sharing.service.js';
import { TagMoveSweep } from '../../src/reading-list/tag-moves/tag-move-sweep.js';
import { TombstoneSweep } from '../../src/reading-list/tombstone-sweep.js';
import { ImportRepository } from '../../src/transfer/import/import.repository.js';
import { killServer, reviveServer } from '../support/dead-server.js';
import { ImportApi } from '../support/import-api.js';
import { until } from '../support/processes.js';
import { ReadingListApi } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

const URLS = Array.from({ length: 12 }, (_, at) => `https://example.com/${at}`);

interface Person {
  readonly api: ReadingListApi;
  readonly id: string;
  /** The number of the partition with the rows of this user. */
  readonly place: string;
}

let app: TestApp;
/** Two users in different partitions. In the tests, the partition of `ada` is unreachable. */
let ada: Person;
let grace: Person;

beforeAll(async () => {
  app = await aTestApp();
  ada = await aPerson();
  do {
    grace = await aPerson();
  } while (grace.place === ada.place);
});
afterEach(reviveServer);
afterAll(() => app.close());

async function aPerson(): Promise<Person> {
  const api = await ReadingListApi.of(app);
  await api.saved('https://example.org/first');
  const { id } = await app.app.get(UserAdministrationService).find(api.user.email);
  const [row] = await app.database.query<{ place: string }>(
    `SELECT substring(tableoid::regclass::text FROM '\\d+$') AS place FROM lists WHERE user_id = $1`,
    [id],
  );
  return { api, id, place: row?.place ?? '' };
}

/** Does work while the server of `ada` is unreachable. */
async function without<T>(work: () => Promise<T>): Promise<T> {
  killServer(ada);
  try {
    return await work();
  } finally {
    reviveServer();
  }
}

const count = async (table: string, { id }: Person): Promise<number> =>
  (await app.database.query(`SELECT FROM ${table} WHERE user_id = $1`, [id])).length;

const counts = async (table: string): Promise<number[]> => [
  await count(table, ada),
  await count(table, grace),
];

describe('while the server of another user is unreachable', () => {
  it('calls that arrive at the same time as calls of this user succeed', async () => {
    const callers = app.app.get(Callers);
    const credentials = [ada, grace].map(({ api }) => api.credentials);

    // Calls of one turn of the event loop share a statement that finds their users.
    const [absent, found] = await without(() =>
      Promise.allSettled(
        credentials.map(({ consumer_key: key, access_token: token }) => callers.find(key, token)),
      ),
    );

    expect(absent).toMatchObject({ status: 'rejected', reason: { message: 'connection refused' } });
    expect(found).toMatchObject({ status: 'fulfilled', value: { user: { id: grace.id } } });
  });

  it('the words of new items are indexed', async () => {
    for (const url of URLS) {
      await ada.api.saved(url);
    }

    await without(async () => {
      // The items of the unreachable list are first in the queue.
      await app.database.query(
        `INSERT INTO due_texts (user_id, item_id, marked_at)
         SELECT user_id, item_id, now() - CASE WHEN user_id = $1 THEN interval '1 hour' ELSE interval '0' END FROM items
         ON CONFLICT (user_id, item_id) DO UPDATE SET marked_at = excluded.marked_at`,
        [grace.id],
      );
      await until(async () => (await count('due_texts', grace)) === 0);
      expect(await count('due_texts', ada)).toBe(URLS.length + 1);
    });

    await until(async () => (await count('due_texts', ada)) === 0);
  });

  it('renames of tags are finished', async () => {
    await Promise.all([ada, grace].map(({ api }) => api.saved(URLS[0]!, { tags: 'old' })));
    await app.database.query(`
      INSERT INTO tag_moves (user_id, source_id, source) SELECT user_id, tag_id, name FROM tags WHERE name = 'old'`);

    await without(() => app.app.get(TagMoveSweep).sweep());
    const left = await counts('tag_moves');
    await app.app.get(TagMoveSweep).sweep();

    expect([left, await counts('tag_moves')]).toEqual([
      [1, 0],
      [0, 0],
    ]);
  });

  it.each([
    ['tombstones', () => app.app.get(TombstoneSweep).sweep()],
    ['deleted_items', () => app.app.get(Trash).sweep()],
  ] as const)('old rows of %s are deleted', async (table, sweep) => {
    await app.database.query(
      table === 'tombstones'
        ? `INSERT INTO tombstones (user_id, item_id, stamp) SELECT user_id, 1, 1 FROM lists`
        : `INSERT INTO deleted_items (user_id, item_id, deleted_at, item, annotations, bytes)
           SELECT user_id, 1, 'epoch', '{}', '[]', 0 FROM lists`,
    );
    const before = await counts(table);

    await without<unknown>(sweep);
    const left = await counts(table);
    await sweep();

    expect([before, left, await counts(table)]).toEqual([
      [1, 1],
      [1, 0],
      [0, 0],
    ]);
  });

  it('public links of items work', async () => {
    const itemId = await grace.api.saved('https://example.com/public');
    const sharing = app.app.get(Sharing);
    const item = { userId: grace.id, itemId };
    await sharing.share(item, { days: 'never', includesNote: false });
    const link = await sharing.linkOf(item);

    await without(() => request(app.url).get(link!.path).expect(200));
  });
});

describe('while the server of a user is unreachable', () => {
  it('attempts to continue an import do not count', async () => {
    const imports = new ImportApi(app, ada.api);
    const state = async () =>
      (
        await app.database.query<{ attempts: number; isPostponed: boolean }>(
          `SELECT attempts, lease IS NULL AND leased_until IS NOT NULL AS "isPostponed" FROM imports WHERE user_id = $1`,
          [ada.id],
        )
      )[0];
    const claim = jest.spyOn(app.app.get(ImportRepository), 'claim').mockResolvedValue(undefined);
    const { body } = await imports.upload('https://example.com/imported').expect(200);

    killServer(ada);
    claim.mockRestore();
    await until(async () => (await state())?.isPostponed === true);
    const postponed = await state();
    reviveServer();
    await app.database.query('UPDATE imports SET leased_until = now()');

    expect(postponed?.attempts).toBe(0);
    expect(await imports.ended(String(body.import.id))).toMatchObject({ state: 'done' });
  });
});
