import fc from 'fast-check';

import { normalAddress } from '../../src/reading-list/list/address.js';
import { TagsMovingError } from '../../src/reading-list/tag-moves/tag-move.repository.js';
import { ListsOnPostgres, NOW } from '../support/a-list.js';

const URLS = ['a.example/1', 'b.example', 'c.example', 'd.example', 'e.example'];
const idOf = (url: string): string => normalAddress(url)!.itemId;
/** No item is updated within the call, if possible. */
const LATER = 0;

let lists: ListsOnPostgres;
let user: string;

beforeAll(async () => {
  lists = await ListsOnPostgres.start();
});
beforeEach(async () => {
  user = await lists.aUser();
});
afterAll(() => lists.stop());

const tag = fc.constantFrom('a', 'A', 'b', 'B', 'c"\\', 'd');
const url = fc.constantFrom(...URLS);
const tags = fc.array(tag, { minLength: 1, maxLength: 3 });
const named = (...names: string[]) => fc.constantFrom(...names);
const add = fc.record({ action: named('add'), url, tags });
const tagging = fc.record({ action: named('tags_add', 'tags_remove', 'tags_replace'), url, tags });
const rename = fc.record({ action: named('tag_rename'), old_tag: tag, new_tag: tag });
const takeOff = fc.record({ action: named('tag_delete'), tag });
/** Changes between tag moves that name no tag. */
const onItem = fc.record({
  action: named('add', 'archive', 'readd', 'favorite', 'delete', 'tags_clear', 'retitle'),
  url,
});
const batch = fc.array(fc.oneof(add, tagging, rename, takeOff, onItem), {
  minLength: 1,
  maxLength: 8,
});

const rename1 = (old_tag: string, new_tag: string) => ({ action: 'tag_rename', old_tag, new_tag });
const saved = (...urls: string[]): object[] =>
  urls.map((one) => ({ action: 'add', url: one, tags: 'old' }));
const tagsOf = async (): Promise<Record<string, string[]>> => {
  const rows = await lists.tables.query<{ given_url: string; tags: string[] }>(
    `SELECT given_url, tags FROM items WHERE user_id = $1 ORDER BY given_url`,
    [user],
  );
  return Object.fromEntries(rows.map((row) => [row.given_url.replace('http://', ''), row.tags]));
};
const versionOf = async (): Promise<number> => {
  const rows = await lists.tables.query<{ stamp: string }>(
    `SELECT stamp FROM lists WHERE user_id = $1`,
    [user],
  );
  return Number(rows[0]!.stamp);
};
const versionsOfItems = async (): Promise<number> => {
  const rows = await lists.tables.query<{ versions: number }>(
    `SELECT count(DISTINCT stamp)::integer AS versions FROM items WHERE user_id = $1`,
    [user],
  );
  return rows[0]!.versions;
};
const changedAfter = async (version: number): Promise<string[]> => {
  const rows = await lists.tables.query<{ item_id: string }>(
    `SELECT item_id FROM items WHERE user_id = $1 AND stamp > $2 ORDER BY item_id`,
    [user, version],
  );
  return rows.map((row) => row.item_id);
};

describe('a tag move', () => {
  it('stores the same in several batches as at once, even with changes between the batches', async () => {
    const step = fc.record({ batch, between: fc.array(onItem, { maxLength: 4 }) });

    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 1, maxLength: 4 }),
        fc.integer({ min: 1, max: 4 }),
        async (steps, atMost) => {
          const [atOnce, slowly] = [await lists.aUser(), await lists.aUser()];
          for (const { batch: sent, between } of steps) {
            const results = (await lists.send(slowly, sent, NOW, LATER)).map(({ ok }) => ok);
            expect(results).toEqual(await lists.results(atOnce, sent));
            expect(await lists.faults(slowly)).toEqual([]);
            for (const one of between) {
              await lists.follow(slowly, { atMost });
              expect(await lists.faults(slowly)).toEqual([]);
              expect(await lists.results(slowly, [one])).toEqual(
                await lists.results(atOnce, [one]),
              );
            }
            await lists.followAll(slowly, { atMost });
          }
          expect(await lists.contents(slowly)).toEqual(await lists.contents(atOnce));
          expect(await lists.faults(slowly)).toEqual([]);
        },
      ),
      { numRuns: 40 },
    );
  });

  it('gives each batch a new version, which only the items of the batch get', async () => {
    await lists.send(user, saved('a.example/1', 'b.example', 'c.example'));
    await lists.send(user, [rename1('old', 'new')], NOW, LATER);
    const pieces: string[] = [];

    for (let before = await versionOf(); await lists.follow(user, { atMost: 2 });) {
      const changed = await changedAfter(before);
      before = await versionOf();
      pieces.push(...changed);
    }

    expect(pieces.sort()).toEqual(['a.example/1', 'b.example', 'c.example'].map(idOf).sort());
    expect(Object.values(await tagsOf())).toEqual([['new'], ['new'], ['new']]);
  });

  it('shares batches with other moves of few items', async () => {
    const few = Array.from({ length: 12 }, (_, at) => String(at));
    const added = few.map((at) => ({ action: 'add', url: `a.example/${at}`, tags: `old ${at}` }));
    await lists.send(user, added);
    await lists.send(
      user,
      few.map((at) => rename1(`old ${at}`, `new ${at}`)),
      NOW,
      LATER,
    );

    await lists.followAll(user, { atMost: 5 });

    expect(await versionsOfItems()).toBe(3);
    expect(await tagsOf()).toEqual(
      Object.fromEntries(few.map((at) => [`a.example/${at}`, [`new ${at}`]])),
    );
    expect(await lists.faults(user)).toEqual([]);
  });

  it('is completed even if the counter of the tag is wrong', async () => {
    await lists.send(user, saved('a.example/1', 'b.example'));
    await lists.send(user, [rename1('old', 'new')], NOW, LATER);
    await lists.tables.query(`UPDATE tags SET item_count = 5000 WHERE user_id = $1`, [user]);
    let pieces = 0;

    while (pieces < 10 && (await lists.follow(user, { atMost: 1 }))) {
      pieces += 1;
    }

    expect(pieces).toBe(3);
    expect(Object.values(await tagsOf())).toEqual([['new'], ['new']]);
  });

  it('stores a lone surrogate as a replacement character', async () => {
    await lists.send(user, saved('a.example/1'));

    await lists.send(user, [rename1('old', 'half \ud800')]);

    expect(await tagsOf()).toEqual({ 'a.example/1': ['half \ufffd'] });
    expect(await lists.faults(user)).toEqual([]);
  });

  it('allows other changes of the list between two batches', async () => {
    await lists.send(user, saved('a.example/1', 'b.example', 'c.example'));
    await lists.send(user, [rename1('old', 'new')], NOW, LATER);
    await lists.follow(user, { atMost: 1 });

    expect(
      await lists.results(user, [
        { action: 'archive', url: 'c.example' },
        { action: 'tags_add', url: 'c.example', tags: 'other' },
      ]),
    ).toEqual([true, true]);
    await lists.followAll(user);

    expect((await tagsOf())['c.example']).toEqual(['new', 'other']);
  });

  it.each([
    ['the old name', { action: 'tags_add', url: 'b.example', tags: 'OLD' }],
    ['the new name', { action: 'tags_remove', url: 'b.example', tags: 'new' }],
    ['a rename on from the new name', rename1('new', 'newer')],
    ['a rename back', rename1('new', 'old')],
    ['another rename of the old name', rename1('old', 'other')],
    ['a deletion', { action: 'tag_delete', tag: 'new' }],
    ['an addition', { action: 'add', url: 'new.example', tags: 'old' }],
  ])('rejects a change that names its tags until it is done: %s', async (_, action) => {
    await lists.send(user, saved('a.example/1', 'b.example'));
    await lists.send(user, [rename1('old', 'new')], NOW, LATER);
    await lists.follow(user, { atMost: 1 });

    await expect(lists.send(user, [action])).rejects.toThrow(TagsMovingError);

    await lists.followAll(user);
    expect(await lists.results(user, [action])).toHaveLength(1);
    expect(await lists.faults(user)).toEqual([]);
  });

  it('is deleted with its user', async () => {
    await lists.send(user, saved('a.example/1'));
    await lists.send(user, [rename1('old', 'new')], NOW, LATER);

    await lists.tables.query(`DELETE FROM users WHERE id = $1`, [user]);

    expect(await lists.tables.query(`SELECT FROM tag_moves`)).toEqual([]);
  });
});
