import { setTimeout as pause } from 'node:timers/promises';

import { Dialect } from '../../src/auth/consumers/entities/consumer-key.entity.js';
import { ListsOnPostgres } from '../support/a-list.js';
import { ReadingListApi } from '../support/reading-list-api.js';
import { aSharedAction, type Delta, dice, SyncingReader } from '../support/syncing-reader.js';
import { aTestApp, type TestApp } from '../support/test-app.js';
import { WallabagCalls } from '../support/wallabag-calls.js';
import { everyEntry, WallabagReader } from '../support/wallabag-reader.js';
import { WallabagWriter } from '../support/wallabag-writer.js';

const WRITERS = 4;
const BATCHES = 12;

let app: TestApp;
let other: TestApp;
let lists: ListsOnPostgres;
let v3: ReadingListApi;
let calls: WallabagCalls;

beforeAll(async () => {
  app = await aTestApp();
  other = await aTestApp({ beside: app });
  lists = await ListsOnPostgres.start(app.database);
});
afterAll(async () => {
  await lists.dataSource.destroy();
  await other.close();
  await app.close();
});
beforeEach(async () => {
  v3 = await ReadingListApi.of(app, { dialect: Dialect.Classic });
  calls = await WallabagCalls.of(app, { v3 });
});

const range = (length: number): number[] => Array.from({ length }, (_, n) => n);
/** Alternates writers between both instances. */
const at = (n: number): TestApp => (n % 2 === 0 ? app : other);
const ownUrl = (world: string, writer: number, batch: number): string =>
  `https://own.example/${world}/${writer}/${batch}`;

async function ask(since?: number): Promise<Delta> {
  const asked = { since, state: 'all', count: 5000, detailType: 'complete', annotations: 1 };
  const { list, since: next } = await v3.found(asked);
  const changes = Object.entries(list).map(([id, item]) => {
    return [id, item.status === '2' ? null : { ...item, sort_id: 0 }] as const;
  });
  return { since: next, changes: new Map(changes) };
}

async function writeAsV3(writer: number): Promise<void> {
  const roll = dice(writer + 1);
  for (const batch of range(BATCHES)) {
    const shared = range(roll(4)).map(() => aSharedAction(roll));
    const add = { action: 'add', url: ownUrl('v3', writer, batch) };
    await v3.at(at(writer)).sent(...shared, add);
    await pause(roll(30));
  }
}

async function writeAsWallabag(writer: number): Promise<void> {
  const roll = dice(writer + 101);
  const client = calls.at(at(writer));
  const changing = new WallabagWriter(client, roll);
  for (const batch of range(BATCHES)) {
    await changing.change();
    await client.saved({ url: ownUrl('wallabag', writer, batch) });
    await pause(roll(30));
  }
}

/** If an address was deleted and saved again, the app still has the old entry. This drops it. */
function withoutGhosts(reader: WallabagReader): unknown[] {
  const inOrder = [...reader.copy.values()].toSorted((one, two) => two.id - one.id);
  const seen = new Set<string>();
  return inOrder.filter(({ given_url: url }) => {
    const isNew = !seen.has(url);
    seen.add(url);
    return isNew;
  });
}

describe('v3 clients and wallabag clients that change one list at the same time', () => {
  it('all have the same list at the end', async () => {
    const readers = range(2).map(() => new SyncingReader(ask));
    const apps = await Promise.all(
      [3, 30].map(async (perPage) => {
        const client = await WallabagCalls.of(app, { v3 });
        return new WallabagReader(client, perPage);
      }),
    );
    let isOver = false;
    const following = [...readers, ...apps].map((reader) =>
      reader.follow(
        () => isOver,
        () => pause(20),
      ),
    );
    const writing = range(WRITERS).flatMap((n) => [writeAsV3(n), writeAsWallabag(n)]);

    await Promise.all(writing).finally(() => (isOver = true));
    await Promise.all(following);

    const { changes: items } = await ask();
    const entries = await everyEntry(calls);
    for (const { copy } of readers) {
      expect(Object.fromEntries(copy)).toEqual(Object.fromEntries(items));
    }
    for (const reader of apps) {
      expect(withoutGhosts(reader)).toEqual(entries);
    }
    const urls = [...items.values()].map((item) => (item as { given_url: string }).given_url);
    expect(entries.map(({ given_url: url }) => url).toSorted()).toEqual(urls.toSorted());
    expect(urls.filter((url) => url.includes('own.example'))).toHaveLength(2 * WRITERS * BATCHES);
    expect(await lists.faults(v3.user.id)).toEqual([]);
  });

  it('create one item with one number for a URL that both save', async () => {
    const urls = range(8).map((n) => `https://example.com/both-${n}`);

    const saved = await Promise.all(
      urls.flatMap((url, n) => [
        v3.at(at(n)).saved(url, { tags: 'v3' }),
        calls.at(at(n + 1)).saved({ url, tags: 'wallabag' }),
        calls.at(at(n)).saved({ url, tags: 'again' }),
      ]),
    );

    expect(saved).toHaveLength(24);
    const entries = await everyEntry(calls);
    expect(entries.map(({ given_url: url }) => url).toSorted()).toEqual(urls);
    for (const { tags } of entries) {
      // Either change may have come last.
      expect(tags.map(({ label }) => label)).toContain('v3');
    }
    for (const [n] of urls.entries()) {
      const [, one, two] = saved.slice(3 * n, 3 * n + 3) as [
        string,
        { id: number },
        { id: number },
      ];
      expect(one.id).toBe(two.id);
    }
    expect(await lists.faults(v3.user.id)).toEqual([]);
  });

  it('keep the tag counts consistent with the entries', async () => {
    const { tags } = await calls.saved({ url: 'https://example.com/0', tags: 'red' });
    await calls.saved({ url: 'https://example.com/other', tags: 'green' });
    const ids = await Promise.all(
      range(6).map(async (n) => (await calls.saved({ url: `https://example.com/${n}` })).id),
    );

    const answers = await Promise.all([
      ...ids.map((id, n) => calls.at(at(n)).call('post', `entries/${id}/tags`, { tags: 'red' })),
      calls.at(other).call('delete', `tags/${tags[0]!.id}`),
      v3.at(other).send([{ action: 'tag_delete', tag: 'red' }]),
      v3.send([{ action: 'tag_rename', old_tag: 'red', new_tag: 'green' }]),
    ]);

    expect(answers.map(({ status }) => status).filter((one) => one >= 500)).toEqual([]);
    const entries = await everyEntry(calls);
    const shown = entries.flatMap((entry) => entry.tags);
    const { body } = await calls.call('get', 'tags').expect(200);
    const counted = (body as { id: number; nbEntries: number }[]).map((tag) => [
      tag.id,
      tag.nbEntries,
    ]);
    const used = [...new Set(shown.map(({ id }) => id))];
    expect(Object.fromEntries(counted)).toEqual(
      Object.fromEntries(used.map((id) => [id, shown.filter((tag) => tag.id === id).length])),
    );
    expect(await lists.faults(v3.user.id)).toEqual([]);
  });

  it('leave no annotation on an item that another client deletes', async () => {
    const { id } = await calls.saved({ url: 'https://example.com/gone' });
    const answers = await Promise.all([
      ...range(4).map((n) => calls.at(at(n)).call('post', `annotations/${id}`, { quote: 'Words' })),
      v3.at(other).send([{ action: 'delete', url: 'https://example.com/gone' }]),
      ...range(4).map((n) => calls.at(at(n)).call('post', `annotations/${id}`, { quote: 'More' })),
    ]);
    const made = answers.flatMap(({ status, body }) =>
      status === 200 && body.id ? [body.id] : [],
    );

    expect(answers.map(({ status }) => status).filter((one) => ![200, 404].includes(one))).toEqual(
      [],
    );
    for (const number of made) {
      await calls.call('put', `annotations/${number}`, { text: 'x' }).expect(404);
      await calls.call('delete', `annotations/${number}`).expect(404);
    }
    await calls.call('post', `annotations/${id}`, { quote: 'Late' }).expect(404);
    expect(await lists.faults(v3.user.id)).toEqual([]);
  });
});
