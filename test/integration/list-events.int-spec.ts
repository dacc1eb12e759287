import { Clock } from '../../src/platform/common/clock.js';
import { parseAction } from '../../src/reading-list/actions/action.parser.js';
import { applyActions } from '../../src/reading-list/actions/apply-actions.js';
import { DeletionsService } from '../../src/reading-list/deletions/deletions.service.js';
import { normalAddress } from '../../src/reading-list/list/address.js';
import { ListRepository } from '../../src/reading-list/list/list.repository.js';
import { importItems } from '../../src/reading-list/list/list-import.js';
import { ListTransactions } from '../../src/reading-list/list-transactions.js';
import { recordGivenUp, recordPages } from '../../src/reading-list/pages/record-pages.js';
import { checkedRow } from '../../src/transfer/import/checked-row.js';
import { ListsOnPostgres, NOW } from '../support/a-list.js';
import { aParsedPage } from '../support/a-page.js';
import { eventsIn, subscribe, unsubscribe, type WrittenEvent } from '../support/list-events.js';

const NAMES = ['a', 'b', 'c', 'd'];
const MANY = Array.from({ length: 100 }, (_, at) => `n${at}`);
const urlOf = (name: string): string => `https://${name}.example/`;
const idOf = (name: string): string => normalAddress(urlOf(name))!.itemId;
const act = (action: string, name: string, members: object = {}): object => ({
  ...{ action, item_id: idOf(name) },
  ...members,
});
const add = (name: string, members: object = {}): object => ({
  ...{ action: 'add', url: urlOf(name) },
  ...members,
});
const mark = (name: string, annotation_id: string): object =>
  act('add_annotation', name, {
    annotation: { annotation_id, quote: 'words', patch: 'words', version: '2' },
  });
const event = (kind: string, name: string): WrittenEvent => ({ kind, item_id: idOf(name) });

let lists: ListsOnPostgres;
let user: string;

beforeAll(async () => {
  lists = await ListsOnPostgres.start();
});
afterAll(() => lists.stop());
beforeEach(async () => {
  user = await lists.aUser();
});

const written = (): Promise<WrittenEvent[]> => eventsIn(lists.tables, user);

/** Returns the events of the actions of one call, on a list with the items of NAMES. */
async function eventsOf(...actions: object[]): Promise<WrittenEvent[]> {
  await lists.send(
    user,
    NAMES.map((name) => add(name)),
  );
  await subscribe(lists, user, 'test');
  expect(await lists.results(user, actions)).not.toContain(false);
  return written();
}

const imported = (names: readonly string[]): Promise<unknown> =>
  lists.database.transaction((manager) =>
    importItems(manager, user, {
      items: names.map(
        (name, at) =>
          checkedRow({ url: urlOf(name), status: at > 0 ? 1 : 0 }, { now: NOW, timeAdded: NOW })!
            .item,
      ),
      now: NOW,
      rules: { restoresDeleted: true },
    }),
  );

describe('a change of a list with a subscriber', () => {
  it.each<[string, object[], WrittenEvent[]]>([
    ['an added item', [add('new')], [event('item.added', 'new')]],
    ['an item that is added again', [add('a')], [event('item.changed', 'a')]],
    ['an archived item', [act('archive', 'a')], [event('item.archived', 'a')]],
    ['a favorite', [act('favorite', 'a')], [event('item.changed', 'a')]],
    ['tags', [act('tags_add', 'a', { tags: 'x' })], [event('item.changed', 'a')]],
    ['a deleted item', [act('delete', 'a')], [event('item.deleted', 'a')]],
    ['a highlight', [mark('a', 'h1')], [{ ...event('highlight.added', 'a'), annotation_id: 'h1' }]],
    [
      'a highlight that is sent again',
      [mark('a', 'h1'), mark('a', 'h1')],
      [{ ...event('highlight.added', 'a'), annotation_id: 'h1' }],
    ],
    [
      'several changes of an item',
      [act('favorite', 'a'), act('tags_add', 'a', { tags: 'x' })],
      [event('item.changed', 'a')],
    ],
    [
      'an archived item that is also a favorite',
      [act('archive', 'a'), act('favorite', 'a')],
      [event('item.changed', 'a'), event('item.archived', 'a')],
    ],
    [
      'an item that is added and archived',
      [add('new'), act('archive', 'new')],
      [event('item.added', 'new'), event('item.archived', 'new')],
    ],
    ['an item that is added and deleted', [add('new'), act('delete', 'new')], []],
    [
      'an item that is deleted and added again',
      [act('delete', 'a'), add('a')],
      [event('item.deleted', 'a'), event('item.added', 'a')],
    ],
    [
      'an archived item that is archived again',
      [act('archive', 'a'), act('archive', 'a')],
      [event('item.archived', 'a')],
    ],
    ['an action without an effect', [act('unfavorite', 'a')], []],
    [
      'several items',
      [mark('c', 'h1'), act('archive', 'b'), add('new'), act('delete', 'a'), act('favorite', 'd')],
      [
        event('item.deleted', 'a'),
        event('item.added', 'new'),
        event('item.changed', 'd'),
        event('item.archived', 'b'),
        { ...event('highlight.added', 'c'), annotation_id: 'h1' },
      ],
    ],
    [
      '99 items',
      MANY.slice(1).map((name) => add(name)),
      MANY.slice(1).map((name) => event('item.added', name)),
    ],
    ['100 items', MANY.map((name) => add(name)), [{ kind: 'item.added', count: 100 }]],
  ])('writes the events of %s', async (_, actions, expected) => {
    expect(await eventsOf(...actions)).toEqual(expected);
  });

  it('writes item.changed for a stored highlight that changes', async () => {
    await lists.send(user, [add('a'), mark('a', 'h1')]);

    expect(await eventsOf(mark('a', 'h1'))).toEqual([event('item.changed', 'a')]);
  });

  it('writes the changes of several calls in the order of their versions', async () => {
    await subscribe(lists, user, 'test');

    for (const actions of [[add('a')], [act('archive', 'a')], [act('delete', 'a')]]) {
      await lists.send(user, actions);
    }

    expect(await written()).toEqual(
      ['item.added', 'item.archived', 'item.deleted'].map((kind) => event(kind, 'a')),
    );
  });

  it('writes one count for a tag on all items, and one for each batch of a tag move', async () => {
    await lists.send(
      user,
      NAMES.map((name) => add(name, { tags: 'old' })),
    );
    const rename = (from: string, to: string): object => ({
      ...{ action: 'tag_rename', old_tag: from, new_tag: to },
    });

    const atOnce = await eventsOf(rename('old', 'new'));
    await lists.send(user, [rename('new', 'newer')], NOW, 3);
    await lists.followAll(user, { atMost: 3 });

    expect(atOnce).toEqual([{ kind: 'item.changed', count: 4 }]);
    expect((await written()).slice(1)).toEqual([
      { kind: 'item.changed', count: 3 },
      { kind: 'item.changed', count: 1 },
    ]);
  });

  it('writes one count for each kind in an import, even of few rows', async () => {
    await lists.send(user, [add('a')]);
    await subscribe(lists, user, 'test');

    await imported(['b', 'c']);

    expect(await written()).toEqual([{ kind: 'item.added', count: 2 }]);
  });

  it('writes item.fetched for a fetched page, and item.changed for a page that is given up', async () => {
    await lists.send(
      user,
      NAMES.map((name) => add(name)),
    );
    await subscribe(lists, user, 'test');
    const { record } = aParsedPage();
    const page = { ...record.item, resolvedId: '7' };

    await lists.database.transaction((manager) =>
      recordPages(manager, user, new Map(['a', 'gone'].map((name) => [idOf(name), page]))),
    );
    await lists.database.transaction((manager) =>
      recordGivenUp(manager, user, ['a', 'b', 'gone'].map(idOf)),
    );

    expect(await written()).toEqual([event('item.fetched', 'a'), event('item.changed', 'b')]);
  });

  it('writes item.added for an item that is restored from the trash, without item.fetched', async () => {
    await lists.send(user, [add('a')]);
    const { record } = aParsedPage();
    await lists.database.transaction((manager) =>
      recordPages(manager, user, new Map([[idOf('a'), { ...record.item, resolvedId: '7' }]])),
    );
    await subscribe(lists, user, 'test');
    const transactions = new ListTransactions(
      lists.database,
      new Clock(),
      ListRepository.in(lists.database.manager),
    );
    const deletions = new DeletionsService(transactions);

    await deletions.delete(user, [idOf('a')]);
    await deletions.restore(user, [idOf('a')]);

    expect(await written()).toEqual([event('item.deleted', 'a'), event('item.added', 'a')]);
  });

  it('writes nothing if the transaction is rolled back', async () => {
    await subscribe(lists, user, 'test');
    const undone = new Error('undone');
    const actions = [parseAction(add('a'))];

    const change = lists.database.transaction(async (manager) => {
      await applyActions(manager, user, { actions, now: NOW });
      const sql = 'SELECT FROM list_events WHERE user_id = $1';
      expect(await manager.query(sql, [user])).toHaveLength(1);
      throw undone;
    });

    await expect(change).rejects.toBe(undone);
    expect(await written()).toEqual([]);
  });

  it('writes the events of calls at the same time in the order of the versions of their items', async () => {
    await subscribe(lists, user, 'test');

    await Promise.all(MANY.slice(0, 30).map((name) => lists.send(user, [add(name)])));

    const items = await lists.tables.query<{ item_id: string }>(
      'SELECT item_id FROM items WHERE user_id = $1 ORDER BY stamp',
      [user],
    );
    expect(await written()).toEqual(items.map(({ item_id }) => ({ kind: 'item.added', item_id })));
  });
});

describe('a list', () => {
  it('writes no events without a subscriber', async () => {
    await lists.send(
      user,
      NAMES.map((name) => add(name, { tags: 'old' })),
    );
    await imported(['e']);
    await lists.send(user, [{ action: 'tag_delete', tag: 'old' }, act('delete', 'a')]);

    expect(await written()).toEqual([]);
  });

  it('writes events only for its own subscriber', async () => {
    const other = await lists.aUser();
    await subscribe(lists, other, 'test');

    await lists.send(user, [add('a')]);

    expect([await written(), await eventsIn(lists.tables, other)]).toEqual([[], []]);
  });

  it('writes no more events after the last subscriber has left, and keeps none', async () => {
    await subscribe(lists, user, 'one');
    await subscribe(lists, user, 'two');
    await lists.send(user, [add('a')]);

    await unsubscribe(lists, user, 'one');
    const forTwo = await written();
    await unsubscribe(lists, user, 'two');
    await lists.send(user, [add('b')]);

    expect(forTwo).toEqual([event('item.added', 'a')]);
    expect(await written()).toEqual([]);
  });

  it('writes no events after the last two subscribers have left at the same time', async () => {
    for (let round = 0; round < 5; round += 1) {
      const names = ['one', 'two', 'three'];
      await Promise.all(names.map((name) => subscribe(lists, user, name)));

      await Promise.all(names.map((name) => unsubscribe(lists, user, name)));
      await lists.send(user, [add(`r${round}`)]);

      expect(await written()).toEqual([]);
    }
  });
});
