import { Dialect } from '../../src/auth/consumers/entities/consumer-key.entity.js';
import { ServiceBusyError } from '../../src/platform/common/common.errors.js';
import { parseAction } from '../../src/reading-list/actions/action.parser.js';
import { applyActions } from '../../src/reading-list/actions/apply-actions.js';
import { DeletionsService } from '../../src/reading-list/deletions/deletions.service.js';
import { ListTransactions } from '../../src/reading-list/list-transactions.js';
import { TagsMovingError } from '../../src/reading-list/tag-moves/tag-move.repository.js';
import { TagMoveSweep } from '../../src/reading-list/tag-moves/tag-move-sweep.js';
import { ListsOnPostgres } from '../support/a-list.js';
import { until } from '../support/processes.js';
import { ReadingListApi, tagsOf } from '../support/reading-list-api.js';
import { stopSchedule } from '../support/stop-schedule.js';
import { SyncingReader } from '../support/syncing-reader.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

/** More than two batches. The last one is not full. */
const MANY = 2200;
const now = (): number => Math.floor(Date.now() / 1000);
const urlOf = (at: number): string => `https://example.com/${at}`;
const rename = (old_tag: string, new_tag: string): object => ({
  action: 'tag_rename',
  old_tag,
  new_tag,
});

let app: TestApp;
let other: TestApp;
let lists: ListsOnPostgres;
let api: ReadingListApi;
/** The same user's calls at another instance. */
let elsewhere: ReadingListApi;

beforeAll(async () => {
  app = await aTestApp();
  other = await aTestApp({ beside: app });
  [app, other].forEach(stopSchedule);
  lists = await ListsOnPostgres.start(app.database);
});
afterAll(async () => {
  await lists.dataSource.destroy();
  await other.close();
  await app.close();
});

/** Creates a user with this many items that have the tag. */
async function saved(many: number): Promise<void> {
  api = await ReadingListApi.of(app, { dialect: Dialect.Classic });
  elsewhere = api.at(other);
  const urls = Array.from({ length: many }, (_, at) => urlOf(at));
  await api.sent(...urls.map((url) => ({ action: 'add', url, tags: 'old' })));
}

/** Creates a user with twelve items, five of which already have the new tag. */
async function onItsWay(): Promise<void> {
  await saved(12);
  await lists.send(api.user.id, [rename('old', 'new')], now(), 0);
  await lists.follow(api.user.id, { now: now(), atMost: 5 });
}

const WITHOUT_TAGS = 'https://example.org/';

/**
 * Creates a user whose tag move cannot finish, because the tag's number is taken. The user also has an item without
 * tags.
 */
async function stuck(): Promise<void> {
  await saved(1);
  await api.sent({ action: 'add', url: WITHOUT_TAGS });
  const { id } = api.user;
  await lists.send(id, [rename('old', 'new')], now(), 0);
  await lists.tables.query(
    `UPDATE lists SET numbers = (SELECT number FROM tags WHERE user_id = $1) - 1 WHERE user_id = $1`,
    [id],
  );
}

/** Waits until a database session waits for a lock. */
async function oneWaits(): Promise<void> {
  await until(async () => (await lists.tables.lockWaits()) > 0, 'the wait for a lock');
}

const numberWith = async (tag: string): Promise<number> =>
  Number((await api.found({ tag, total: 1, count: 1 })).total);

it('restores a deleted item with the tags it had at the deletion, not at the start of the call', async () => {
  await saved(1);
  const deletions = app.app.get(DeletionsService);
  const { id } = api.user;
  const ids = (await api.items({ state: 'all' })).map((item) => item.item_id);

  const deleting = await lists.database.transaction(async (manager) => {
    const actions = [parseAction(rename('old', 'new'))];
    await applyActions(manager, id, { actions, now: now() });
    const deleted = deletions.delete(id, ids);
    await oneWaits();
    return { deleted };
  });
  await deleting.deleted;
  await deletions.undo(id, ids);

  expect([await numberWith('old'), await numberWith('new')]).toEqual([0, 1]);
});

describe('a tag of thousands of items', () => {
  beforeEach(() => saved(MANY));

  it('is renamed on all items before the response, and each item is in the delta once', async () => {
    const copy = new Map<string, number>();
    let { since } = await api.found({ count: 1 });

    expect(
      await api.results(rename('old', 'new'), { action: 'tags_add', url: urlOf(0), tags: 'x' }),
    ).toEqual([true, true]);

    expect([await numberWith('old'), await numberWith('new')]).toEqual([0, MANY]);
    for (let offset = 0; offset < MANY; offset += 1000) {
      const page = await api.found({ since, count: 1000, offset, detailType: 'complete' });
      for (const [id, item] of Object.entries(page.list)) {
        expect(tagsOf(item as never)).toContain('new');
        copy.set(id, (copy.get(id) ?? 0) + 1);
      }
    }
    ({ since } = await api.found({ count: 1 }));
    expect([...copy.values()]).toEqual(Array.from({ length: MANY }, () => 1));
    expect(await api.found({ since })).toMatchObject({ list: {} });
    expect(await lists.faults(api.user.id)).toEqual([]);
  });

  it('is renamed during concurrent calls, and a client that syncs misses no change', async () => {
    const reader = new SyncingReader(async (since) => {
      const body = await elsewhere.found({ since, count: 5000, detailType: 'complete' });
      const changes = Object.entries(body.list).map(([id, item]) => {
        const isGone = (item as { status: string }).status === '2';
        return [id, isGone ? null : { ...(item as object), sort_id: 0 }] as const;
      });
      return { since: body.since, changes: new Map(changes) };
    });
    await reader.poll();
    let isOver = false;
    const following = reader.follow(
      () => isOver,
      () => Promise.resolve(),
    );

    const renaming = api.results(rename('old', 'new'));
    for (let at = 0; at < 12; at += 1) {
      await elsewhere.sent(
        { action: 'archive', url: urlOf(at * 100) },
        { action: 'delete', url: urlOf(at * 100 + 1) },
        { action: 'add', url: `https://example.org/${at}` },
      );
    }
    expect(await renaming).toEqual([true]);
    isOver = true;
    await following;

    const { list } = await api.found({ count: 5000, state: 'all', detailType: 'complete' });
    const all = Object.entries(list).map(([id, item]) => [id, { ...(item as object), sort_id: 0 }]);
    expect(Object.fromEntries(reader.copy)).toEqual(Object.fromEntries(all));
    expect([await numberWith('old'), await numberWith('new')]).toEqual([0, MANY - 12]);
    expect(await lists.faults(api.user.id)).toEqual([]);
  });

  it('is renamed on all items by only one of two concurrent calls', async () => {
    const results = await Promise.all([
      api.results(rename('old', 'first')),
      elsewhere.results(rename('old', 'second')),
    ]);

    expect(results.flat().sort()).toEqual([false, true]);
    const counts = [await numberWith('first'), await numberWith('second')];
    expect(counts).toEqual(results[0][0] === true ? [MANY, 0] : [0, MANY]);
    expect(await lists.faults(api.user.id)).toEqual([]);
  });
});

describe('an unfinished tag move', () => {
  beforeEach(onItsWay);

  it('is finished by the sweep if its call was aborted', async () => {
    expect([await numberWith('old'), await numberWith('new')]).toEqual([7, 5]);

    await other.app.get(TagMoveSweep).sweep();

    expect([await numberWith('old'), await numberWith('new')]).toEqual([0, 12]);
    expect((await api.found({ forcetaglist: 1 })).tags).toEqual(['new']);
  });

  it('is finished by the sweep even if the tag moves of other users fail', async () => {
    await stuck();
    await onItsWay();
    const good = api;
    await stuck();

    await other.app.get(TagMoveSweep).sweep();

    api = good;
    expect([await numberWith('old'), await numberWith('new')]).toEqual([0, 12]);
  });

  it('is finished before a change that uses the tag', async () => {
    expect(await api.results(rename('new', 'old'))).toEqual([true]);
    expect([await numberWith('old'), await numberWith('new')]).toEqual([12, 0]);
  });

  it('is finished before the tag limit of an item is checked', async () => {
    await saved(1);
    const labels = Array.from({ length: 48 }, (_, at) => `label ${at}`);
    await api.sent({ action: 'tags_add', url: urlOf(0), tags: ['new', ...labels] });
    await lists.send(api.user.id, [rename('old', 'new')], now(), 0);

    const addition = { action: 'tags_add', url: urlOf(0), tags: 'x' };
    expect(await api.results(addition, { ...addition, tags: 'y' })).toEqual([true, false]);

    expect([await numberWith('old'), await numberWith('x')]).toEqual([0, 1]);
  });

  it('is finished for items that a user deletes and restores in the reader', async () => {
    const deletions = app.app.get(DeletionsService);
    const ids = (await api.items({ count: 20, state: 'all' })).map((item) => item.item_id);

    await deletions.delete(api.user.id, ids);
    await deletions.undo(api.user.id, ids);

    expect([await numberWith('old'), await numberWith('new')]).toEqual([0, 12]);
  });
});

describe('a tag move that cannot finish', () => {
  beforeEach(stuck);

  const refusal = { status: 503, headers: { 'retry-after': '1' } };
  const addTag = (url: string, tags: string | string[]) => ({ action: 'tags_add', url, tags });

  it('does not block the deletion and restore of items without the tag', async () => {
    const deletions = app.app.get(DeletionsService);
    const urls = async () => (await api.items({ state: 'all' })).map((item) => item.given_url);
    const items = await api.items({ state: 'all' });
    const { item_id: id } = items.find((item) => item.given_url === WITHOUT_TAGS)!;

    expect(await deletions.delete(api.user.id, [id])).toMatchObject([{ ok: true }]);
    expect(await urls()).toEqual([urlOf(0)]);
    expect(await deletions.undo(api.user.id, [id])).toMatchObject([{ ok: true }]);
    expect(await urls()).toHaveLength(2);
  });

  it('rejects changes that use the tag with 503 and Retry-After', async () => {
    const [item] = await api.items({ tag: 'old', state: 'all' });
    const names = Array.from({ length: 51 }, (_, at) => `label ${at}`);

    expect(await api.send([addTag(urlOf(0), 'new')])).toMatchObject(refusal);
    expect(await api.send([addTag(urlOf(0), names)])).toMatchObject(refusal);
    await expect(
      app.app.get(DeletionsService).delete(api.user.id, [item!.item_id]),
    ).rejects.toThrow(ServiceBusyError);
    expect(await numberWith('old')).toBe(1);
  });

  it('is logged as an error from the third failure on', async () => {
    const sweep = app.app.get(TagMoveSweep);
    // Both instances log to the later one's output.
    const told = () =>
      other
        .log()
        .split('\n')
        .filter((line) => line.includes(`Tags of user ${api.user.id} are still on their way`))
        .map((line) => (JSON.parse(line) as { level: number }).level);

    await sweep.sweep();
    await sweep.sweep();
    expect(told()).toEqual([40, 40]);
    await sweep.sweep();
    expect(told()).toEqual([40, 40, 50]);
  });
});

it('rejects a change with ServiceBusyError after five attempts during tag moves', async () => {
  await saved(1);

  let attempts = 0;

  const change = app.app.get(ListTransactions).run(api.user.id, () => {
    attempts += 1;
    return Promise.reject(new TagsMovingError());
  });

  await expect(change).rejects.toThrow(ServiceBusyError);
  expect(attempts).toBe(5);
});
