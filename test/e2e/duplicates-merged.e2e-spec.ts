import { ReadingPositionRepository } from '../../src/reading-list/list/reading-position.repository.js';
import { ListsOnPostgres } from '../support/a-list.js';
import { DuplicateReader } from '../support/duplicate-reader.js';
import { whileHeld } from '../support/held-row.js';
import { eventsIn, subscribe } from '../support/list-events.js';
import { locationOf } from '../support/page-visitor.js';
import { tagsOf } from '../support/reading-list-api.js';
import { titlesAt } from '../support/shown-list.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

let app: TestApp;
/** Another instance on the same database, so that only the database orders the changes of both. */
let beside: TestApp;
let lists: ListsOnPostgres;
let reader: DuplicateReader;

beforeAll(async () => {
  app = await aTestApp();
  beside = await aTestApp({ beside: app });
  lists = await ListsOnPostgres.start(app.database);
});
afterAll(async () => {
  await lists.dataSource.destroy();
  await beside.close();
  await app.close();
});
beforeEach(async () => {
  reader = await DuplicateReader.of(app, lists);
});
afterEach(async () => {
  expect(await reader.faults()).toEqual([]);
});

const MERGED = 'Merged. The other items are in the trash.';

/** Restores items from the trash, as the undo button does. */
const undo = async (...itemIds: readonly string[]): Promise<void> => {
  const _csrf = await reader.visitor.csrfToken();
  const form = { _csrf, action: 'undo_delete', back: '/list', 'item[]': [...itemIds] };
  await reader.visitor.post('/list/actions', form).expect(303);
};

const whole = async (itemId: string): Promise<Record<string, unknown> | undefined> => {
  const [row] = await app.database.query<Record<string, unknown>>(
    `SELECT status, favorite, time_added::int, time_favorited::int, added_sequence, given_title,
       prefers_given_title, tags, note FROM items WHERE user_id = $1 AND item_id = $2`,
    [reader.api.user.id, itemId],
  );
  return row;
};

describe('the item that a merge keeps', () => {
  it('has the tags, the note, the favorite mark, the title and the date of all', async () => {
    const [short, target] = await reader.pair();
    await reader.api.sent(
      { action: 'add', item_id: short, time: 1_700_000_000, tags: 'Green,both' },
      { action: 'add', item_id: target, time: 1_700_000_500, tags: 'blue,Both' },
      { action: 'favorite', item_id: short, time: 1_700_000_100 },
      { action: 'set_note', item_id: short, note: 'First' },
      { action: 'set_note', item_id: target, note: 'Second' },
      { action: 'archive', item_id: target },
      { action: 'add', item_id: short, title: 'My ferns', time: 1_700_000_000 },
    );
    const earlier = await whole(short);

    expect(await reader.merge(target, short)).toBe(MERGED);

    expect(await reader.ids()).toEqual([target]);
    const merged = await whole(target);
    expect(merged).toMatchObject({
      ...{ status: 0, favorite: 1, time_added: 1_700_000_000, time_favorited: 1_700_000_100 },
      ...{ note: 'Second\n\nFirst', added_sequence: earlier?.['added_sequence'] },
    });
    expect(
      tagsOf(await reader.api.item(target))
        .map((tag) => tag.toLowerCase())
        .sort(),
    ).toEqual([...['blue', 'both', 'green']]);
  });

  it('has the title that the user has set for another item', async () => {
    const [short, target] = await reader.pair();
    const _csrf = await reader.visitor.csrfToken();
    const edit = { _csrf, title: 'My ferns', tags: '', was: '', url: '' };
    await reader.visitor.post(`/read/${short}/edit`, edit).expect(303);

    await reader.merge(target, short);

    expect((await reader.api.item(target))?.given_title).toBe('My ferns');
  });

  it('is archived only if all items are, at the time at which it was archived', async () => {
    const [short, target] = await reader.pair();
    await reader.api.sent(
      { action: 'archive', item_id: short, time: 1_700_000_100 },
      { action: 'archive', item_id: target, time: 1_700_000_200 },
    );

    await reader.merge(target, short);

    const item = await reader.api.item(target);
    expect(item).toMatchObject({ status: '1', time_read: '1700000200' });
  });

  it('has the highlights of all items once, and a restored item has its own', async () => {
    const [short, target] = await reader.pair();
    await reader.highlight(short, 'An article');
    await reader.highlight(target, 'article.');

    await reader.merge(target, short);
    expect(await reader.quotes(target)).toEqual(['An article', 'article.']);
    await undo(short);
    expect(await reader.quotes(short)).toEqual(['An article']);
    await reader.merge(target, short);

    expect(await reader.quotes(target)).toEqual(['An article', 'article.']);
  });

  it('keeps more than 100 highlights', async () => {
    const [short, target] = await reader.pair();
    const [letters] = ['An article.'];
    for (const [at, id] of [short, target].entries()) {
      const actions = Array.from({ length: 60 }, (_, n) => ({
        ...{ action: 'add_annotation', item_id: id },
        annotation: {
          annotation_id: `${id}-${n}`,
          quote: letters,
          patch: `${at}-${n}`,
          version: '2',
        },
      }));
      await reader.api.sent(...actions);
    }

    expect(await reader.merge(target, short)).toBe(MERGED);

    expect(await reader.quotes(target)).toHaveLength(120);
  });

  it.each([
    [0.2, 0.7, 0.7],
    [0.7, 0.2, 0.7],
    [undefined, 0.7, 0.7],
    [0.2, undefined, 0.2],
  ])('is read to the furthest position: %s and %s give %s', async (kept, other, expected) => {
    const [short, target] = await reader.pair();
    const positions = app.app.get(ReadingPositionRepository, { strict: false });
    const userId = reader.api.user.id;
    const at = Date.parse('2025-01-01T00:00:00Z');
    for (const [itemId, fraction] of [[target, kept] as const, [short, other] as const]) {
      const place = { fraction: fraction ?? 0, paragraph: 3, atMs: at };
      await (fraction === undefined || positions.keep({ userId, itemId }, place, at));
    }

    await reader.merge(target, short);

    expect((await positions.of({ userId, itemId: target }))?.fraction).toBeCloseTo(expected);
  });

  it('is opened by the addresses of the other items', async () => {
    const [short, target] = await reader.pair();

    await reader.merge(target, short);

    const answer = await reader.visitor.open(`/read/${short}`).expect(307);
    expect(locationOf(answer)).toBe(`/read/${target}`);
  });
});

describe('an item that a merge moves to the trash', () => {
  it('is as before after an undo, and the kept item stays merged', async () => {
    const [short, target] = await reader.pair();
    await reader.api.sent(
      { action: 'tags_add', item_id: short, tags: 'green' },
      { action: 'set_note', item_id: short, note: 'Mine' },
      { action: 'archive', item_id: short },
    );
    await reader.highlight(short, 'article');
    const before = await whole(short);

    await reader.merge(target, short);
    await undo(short);

    // A restored item is the newest of its second (docs/decisions/0107).
    const after = await whole(short);
    expect({ ...after, added_sequence: 0 }).toEqual({ ...before, added_sequence: 0 });
    expect(await reader.quotes(short)).toEqual(['article']);
    expect(await whole(target)).toMatchObject({ tags: ['green'], note: 'Mine', status: 0 });
    expect(await reader.groups()).toHaveLength(1);
    await reader.visitor.open(`/read/${short}`).expect(200);
  });

  it('writes the events of a deletion and of a change', async () => {
    const [short, target] = await reader.pair();
    await subscribe(lists, reader.api.user.id, 'test');

    await reader.merge(target, short);

    expect(await eventsIn(app.database, reader.api.user.id)).toEqual([
      { kind: 'item.deleted', item_id: short },
      { kind: 'item.changed', item_id: target },
    ]);
  });
});

describe('items that would lose something', () => {
  it('are not merged if the kept article does not contain all highlights', async () => {
    const [short, target] = await reader.pair();
    await reader.highlight(short, 'other words');

    expect(await reader.merge(target, short)).toContain('does not contain all highlighted text');
    expect(await reader.quotes(short)).toEqual(['other words']);
    expect(await reader.merge(short, target)).toBe(MERGED);
  });

  it('are not merged if the notes are too long', async () => {
    const [short, target] = await reader.pair();
    for (const [id, letter] of [[short, 'a'] as const, [target, 'b'] as const]) {
      await reader.api.sent({ action: 'set_note', item_id: id, note: letter.repeat(6000) });
    }

    expect(await reader.merge(short, target)).toContain('The notes together are too long');
    expect(await reader.ids()).toHaveLength(2);
  });

  it('are not merged if the tags are too many', async () => {
    const [short, target] = await reader.pair();
    for (const [at, id] of [short, target].entries()) {
      const tags = Array.from({ length: 26 }, (_, n) => `${at}-${n}`).join();
      await reader.api.sent({ action: 'tags_add', item_id: id, tags });
    }

    expect(await reader.merge(short, target)).toBe('An item can have at most 50 tags.');
    expect(tagsOf(await reader.api.item(short))).toHaveLength(26);
  });
});

describe('merges at once', () => {
  it('that keep different items merge once', async () => {
    const [short, target] = await reader.pair();
    const _csrf = await reader.visitor.csrfToken();
    const there = await DuplicateReader.at(beside, lists, reader.api);
    const theirs = await there.visitor.csrfToken();

    const answers = await Promise.all([
      ...[1, 2].map(() => post(reader, { _csrf, keep: short, 'item[]': [target] })),
      ...[1, 2].map(() => post(there, { _csrf: theirs, keep: target, 'item[]': [short] })),
    ]);

    expect(answers.map(doneIn).sort()).toEqual([
      ...['merge-changed', 'merge-changed', 'merge-changed', 'merged'],
    ]);
    expect(await reader.ids()).toHaveLength(1);
    expect(await titlesAt(reader.visitor, '/list/trash')).toHaveLength(1);
  });

  it('with a change of an item change nothing', async () => {
    const [short, target] = await reader.pair();
    const _csrf = await reader.visitor.csrfToken();
    let answer = '';

    await whileHeld(app.database, {
      lock: 'SELECT FROM lists WHERE user_id = $1 AND $2::bigint > 0 FOR UPDATE',
      waiting: async () => {
        answer = doneIn(await post(reader, { _csrf, keep: short, 'item[]': [target] }));
      },
      change: `UPDATE items SET resolved_id = 0 WHERE user_id = $1 AND item_id = $2`,
      values: [reader.api.user.id, target],
    });

    expect(answer).toBe('merge-changed');
    expect(await reader.ids()).toHaveLength(2);
  });
});

const post = async (
  { visitor }: DuplicateReader,
  fields: Record<string, string | string[]>,
): Promise<string> => locationOf(await visitor.post('/list/duplicates', fields).expect(303));

const doneIn = (location: string): string =>
  new URL(location, 'https://x.example').searchParams.get('done') ?? '';
