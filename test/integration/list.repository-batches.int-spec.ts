import fc from 'fast-check';

import { normalAddress } from '../../src/reading-list/list/address.js';
import { ListsOnPostgres, NOW } from '../support/a-list.js';

const URLS = ['a.example/1', 'https://www.a.example/1/', 'b.example', 'c.example', 'd.example'];
const idOf = (url: string): string => normalAddress(url)!.itemId;

let lists: ListsOnPostgres;

beforeAll(async () => {
  lists = await ListsOnPostgres.start();
});
afterAll(() => lists.stop());

const tag = fc.constantFrom('a', 'A', 'b', 'B', 'c"\\');
const item = fc.oneof(
  fc.record({ url: fc.constantFrom(...URLS) }),
  fc.record({ item_id: fc.constantFrom(...URLS.map(idOf), '5') }),
);
const tags = fc.record({ tags: fc.array(tag, { minLength: 1, maxLength: 3 }) });
const act = (names: string[], ...members: fc.Arbitrary<object>[]): fc.Arbitrary<object> =>
  fc
    .tuple(fc.constantFrom(...names), fc.constantFrom(null, 5, 6, 9e9), ...members)
    .map(([action, time, ...others]) => Object.assign({ action, time }, ...others));
const action = fc.oneof(
  {
    weight: 4,
    arbitrary: act(['add'], item, tags, fc.record({ title: fc.constantFrom(null, 'T') })),
  },
  {
    weight: 4,
    arbitrary: act(
      ['archive', 'readd', 'favorite', 'unfavorite', 'delete', 'undo_archive', 'tags_clear'],
      item,
    ),
  },
  { weight: 4, arbitrary: act(['tags_add', 'tags_remove', 'tags_replace'], item, tags) },
  { weight: 4, arbitrary: act(['tag_rename'], fc.record({ old_tag: tag, new_tag: tag })) },
  {
    weight: 1,
    arbitrary: act(['tag_delete', 'nonsense', 'constructor', 'pv'], fc.record({ tag })),
  },
);

describe('a batch of actions', () => {
  it('stores the same as its actions one by one', async () => {
    const batches = fc.array(fc.array(action, { minLength: 1, maxLength: 15 }), {
      minLength: 1,
      maxLength: 4,
    });

    await fc.assert(
      fc.asyncProperty(batches, async (sent) => {
        const [together, apart] = [await lists.aUser(), await lists.aUser()];
        for (const batch of sent) {
          const results = await lists.results(together, batch);
          const singly = [];
          for (const one of batch) {
            singly.push(...(await lists.results(apart, [one])));
          }
          expect(results).toEqual(singly);
        }
        expect(await lists.contents(together)).toEqual(await lists.contents(apart));
        expect(await lists.faults(together)).toEqual([]);
      }),
      { numRuns: 40 },
    );
  });

  it('can swap the names of two tags', async () => {
    const user = await lists.aUser();
    await lists.send(user, [
      { action: 'add', url: 'a.example', tags: 'a' },
      { action: 'add', url: 'b.example', tags: 'b,x,a' },
      { action: 'add', url: 'c.example', tags: 'b' },
    ]);

    await lists.send(user, [
      { action: 'tag_rename', old_tag: 'a', new_tag: 't' },
      { action: 'tag_rename', old_tag: 'b', new_tag: 'a' },
      { action: 'tag_rename', old_tag: 't', new_tag: 'b' },
    ]);

    expect(await tagsByUrl(user)).toEqual([['b'], ['a', 'x', 'b'], ['a']]);
    expect(await lists.faults(user)).toEqual([]);
  });

  it('applies renames and added tags in their order', async () => {
    const user = await lists.aUser();
    await lists.send(
      user,
      ['a', 'b', 'c'].map((host) => ({ action: 'add', url: `${host}.example` })),
    );
    await lists.send(user, [{ action: 'tags_add', url: 'c.example', tags: 'a' }]);

    await lists.send(user, [
      { action: 'tags_add', url: 'a.example', tags: 'a' },
      { action: 'tag_rename', old_tag: 'a', new_tag: 'b' },
      { action: 'tags_add', url: 'b.example', tags: 'a' },
      { action: 'tag_rename', old_tag: 'b', new_tag: 'c' },
    ]);

    expect(await tagsByUrl(user)).toEqual([['c'], ['a'], ['c']]);
    expect(await lists.faults(user)).toEqual([]);
  });
});

describe('concurrent writers of one list', () => {
  it('get a different version for each change', async () => {
    const user = await lists.aUser();
    const writers = Array.from({ length: 8 }, (_, writer) => `https://w${writer}.example/`);

    await Promise.all(
      writers.map(async (url) => {
        for (let n = 0; n < 10; n += 1) {
          await lists.send(user, [{ action: 'add', url: `${url}${n}`, tags: `t${n}` }]);
        }
      }),
    );

    const [row] = await lists.tables.query(
      `SELECT count(*)::integer AS items, count(DISTINCT stamp)::integer AS stamps FROM items WHERE user_id = $1`,
      [user],
    );
    expect(row).toEqual({ items: 80, stamps: 80 });
    expect(await lists.faults(user)).toEqual([]);
  });

  it('save one item when they add different spellings of one URL', async () => {
    const user = await lists.aUser();
    const spellings = [
      'example.com/x',
      'https://www.example.com/x/',
      'HTTP://EXAMPLE.com/x#y',
      'example.com/x?fbclid=1',
    ];

    const outcomes = await Promise.all(
      Array.from({ length: 24 }, (_, n) =>
        lists.send(user, [{ action: 'add', url: spellings[n % 4] }]),
      ),
    );

    expect(new Set(outcomes.flat().map((outcome) => outcome.ok && outcome.itemId))).toEqual(
      new Set([idOf('example.com/x')]),
    );
    expect(await lists.faults(user)).toEqual([]);
  });

  it('do not deadlock with batches in opposite order', async () => {
    const user = await lists.aUser();
    const adds = Array.from({ length: 100 }, (_, n) => ({
      action: 'add',
      url: `https://o.example/${n}`,
      tags: `t${n % 7}`,
    }));
    const archives = adds.map(({ url }) => ({ action: 'archive', url }));
    const retags = adds.map(({ url }, n) => ({ action: 'tags_replace', url, tags: `u${n % 5}` }));
    await lists.send(user, adds);

    const outcomes = await Promise.all(
      Array.from({ length: 12 }, (_, n) =>
        lists.send(user, n % 2 === 0 ? [...archives, ...retags] : [...adds].reverse()),
      ),
    );

    expect(outcomes.flat().every(({ ok }) => ok)).toBe(true);
    expect(await lists.faults(user)).toEqual([]);
  });
});

describe('a list of more than 5,000 items', () => {
  it('gets a search index, and its tags can be renamed and deleted', async () => {
    const user = await lists.aUser();
    const adds = Array.from({ length: 5000 }, (_, n) => ({
      action: 'add',
      url: `https://site${n % 50}.example/${n}`,
      title: `Title ${n}`,
      tags: n % 2 === 0 ? 'even,all' : 'all',
    }));
    await lists.send(user, adds);
    expect(await listOf(user)).toMatchObject({ item_count: 5000, has_search_index: false });

    await lists.send(user, [{ action: 'add', url: 'one.example/more', tags: 'all' }]);
    expect(await listOf(user)).toMatchObject({ item_count: 5001, has_search_index: true });
    expect(await lists.faults(user)).toEqual([]);

    const before = await versionOf(user);
    await lists.send(user, [{ action: 'tag_rename', old_tag: 'all', new_tag: 'EVEN' }], NOW + 1);
    await lists.followAll(user, { now: NOW + 1 });
    expect(await tagTable(user)).toEqual([{ name: 'even', item_count: 5001 }]);
    expect(await changedAt(user, NOW + 1, before)).toBe(5001);
    expect(await lists.faults(user)).toEqual([]);

    const renamed = await versionOf(user);
    await lists.send(
      user,
      [
        { action: 'tag_delete', tag: 'even' },
        { action: 'delete', url: adds[0]!.url },
        { action: 'readd', url: adds[1]!.url },
        { action: 'add', url: adds[2]!.url, title: 'Another' },
      ],
      NOW + 2,
    );
    await lists.followAll(user, { now: NOW + 2 });
    expect(await tagTable(user)).toEqual([]);
    expect(await changedAt(user, NOW + 2, renamed)).toBe(5000);
    expect(await lists.faults(user)).toEqual([]);
  });
});

const tagsByUrl = async (user: string): Promise<string[][]> =>
  (
    await lists.tables.query(`SELECT tags FROM items WHERE user_id = $1 ORDER BY given_url`, [user])
  ).map((row) => row.tags);
const listOf = async (user: string): Promise<object | undefined> =>
  (
    await lists.tables.query(`SELECT item_count, has_search_index FROM lists WHERE user_id = $1`, [
      user,
    ])
  )[0];
const tagTable = (user: string): Promise<object[]> =>
  lists.tables.query(`SELECT name, item_count FROM tags WHERE user_id = $1`, [user]);
const versionOf = async (user: string): Promise<unknown> =>
  (await lists.tables.query(`SELECT stamp FROM lists WHERE user_id = $1`, [user]))[0]?.stamp;
const changedAt = async (user: string, time: number, after: unknown): Promise<unknown> =>
  (
    await lists.tables.query(
      `SELECT count(*)::integer AS changed FROM items WHERE user_id = $1 AND time_updated = $2 AND stamp > $3`,
      [user, time, after],
    )
  )[0]?.changed;
