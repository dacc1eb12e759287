import { Refusal } from '../list/action-outcome.js';
import { normalAddress } from '../list/address.js';
import { changesOf, isNothing } from '../list/list-changes.js';
import type { StoredItem } from '../list/list-state.js';
import { ListUnitOfWork } from '../list/list-unit-of-work.js';
import { tagId } from '../list/tag-name.js';
import { parseAction } from './action.parser.js';
import { applyAction } from './apply-actions.js';

const NOW = 1000;
const HERE = 'https://here.example/';
const GONE = 'https://gone.example/';
const idOf = (url: string): string => normalAddress(url)!.itemId;

const STORED: StoredItem = {
  itemId: idOf(HERE),
  status: 0,
  favorite: 0,
  timeAdded: 10,
  addedSequence: 7,
  timeRead: 0,
  timeFavorited: 0,
  givenUrl: HERE,
  givenTitle: 'Old',
  prefersGivenTitle: false,
  note: '',
  tags: ['x', 'Y'],
  kind: 8,
  resolvedUrl: '',
  resolvedTitle: '',
  timeUpdated: 10,
  importedAsOf: null,
};

const aUnit = (facts: Partial<StoredItem> = {}): ListUnitOfWork =>
  new ListUnitOfWork(
    {
      items: [{ ...STORED, ...facts }],
      tombstones: [{ itemId: idOf(GONE), deletedAt: 20 }],
      tags: [
        { id: tagId('x'), name: 'x', itemCount: 2 },
        { id: tagId('y'), name: 'Y', itemCount: 1 },
      ],
    },
    NOW,
  );

function apply(unit: ListUnitOfWork, sent: object) {
  const action = parseAction(sent);
  if (action === 'ignored' || action instanceof Refusal) {
    throw new Error(`${JSON.stringify(sent)} is no action`);
  }
  return applyAction(unit, action);
}

/** Applies one action and returns the state of the item afterwards. */
function after(sent: Readonly<Record<string, unknown>>, facts: Partial<StoredItem> = {}) {
  const unit = aUnit(facts);
  const { timeAdded, status } = { ...STORED, ...facts };
  const savedBefore = { timeAdded, isArchived: status === 1 };
  expect(apply(unit, sent)).toEqual({
    ok: true,
    itemId: idOf(HERE),
    ...(sent['action'] === 'add' && { savedBefore }),
  });
  const changes = changesOf(unit);
  const [item] = [...changes.upserted, ...changes.stateChanged];
  return item && { ...item.state, tags: item.tags };
}

const ARCHIVED = { status: 1, timeRead: 20 } as const;
const FAVORITE = { favorite: 1, timeFavorited: 30 } as const;

describe('an action on an item of the list', () => {
  it.each([
    [
      'add',
      {},
      {},
      { status: 0, timeAdded: NOW, timeRead: 0, givenTitle: 'Old', tags: ['x', 'Y'] },
    ],
    [
      'add',
      { ...ARCHIVED, ...FAVORITE },
      { title: 'New', tags: 'y,z' },
      {
        ...FAVORITE,
        status: 0,
        timeRead: 0,
        timeAdded: NOW,
        givenTitle: 'New',
        prefersGivenTitle: true,
        tags: ['x', 'Y', 'z'],
      },
    ],
    ['archive', {}, { time: 900 }, { status: 1, timeRead: 900, timeAdded: 10 }],
    ['archive', {}, { time: 9_999 }, { status: 1, timeRead: NOW }],
    ['readd', ARCHIVED, { time: 900 }, { status: 0, timeRead: 0, timeAdded: 900 }],
    ['undo_archive', ARCHIVED, {}, { status: 0, timeRead: 0, timeAdded: 10 }],
    ['favorite', {}, { time: 900 }, { favorite: 1, timeFavorited: 900, status: 0 }],
    ['favorite', {}, { status: 2 }, { favorite: 1, timeFavorited: NOW, status: 0 }],
    ['unfavorite', FAVORITE, {}, { favorite: 0, timeFavorited: 0 }],
    ['tags_add', {}, { tags: 'X,z' }, { tags: ['x', 'Y', 'z'] }],
    ['tags_remove', {}, { tags: 'y,other' }, { tags: ['x'] }],
    ['tags_replace', {}, { tags: 'z,y' }, { tags: ['z', 'Y'] }],
    ['tags_replace', {}, { tags: '' }, { tags: [] }],
    ['tags_clear', {}, {}, { tags: [] }],
  ])('%s on %j with %j', (action, facts, more, expected) => {
    expect(after({ action, item_id: idOf(HERE), ...more }, facts)).toMatchObject(expected);
    expect(after({ action, url: 'here.example', ...more }, facts)).toMatchObject(expected);
  });

  it.each([
    ['archive', ARCHIVED, {}],
    ['readd', {}, {}],
    ['undo_archive', {}, {}],
    ['undo_delete', {}, {}],
    ['favorite', FAVORITE, {}],
    ['unfavorite', {}, {}],
    ['tags_add', {}, { tags: 'X' }],
    ['tags_remove', {}, { tags: 'other' }],
    ['tags_replace', {}, { tags: 'y,X' }],
    ['tags_clear', { tags: [] }, {}],
  ])('%s on %j with %j changes nothing', (action, facts, more) => {
    expect(after({ action, item_id: idOf(HERE), ...more }, facts)).toBeUndefined();
  });

  it('delete leaves a tombstone', () => {
    const unit = aUnit();

    expect(apply(unit, { action: 'delete', item_id: idOf(HERE) }).ok).toBe(true);

    expect(changesOf(unit)).toMatchObject({
      deleted: [idOf(HERE)],
      tombstones: [{ itemId: idOf(HERE) }],
      upserted: [],
      stateChanged: [],
    });
  });

  it('takes 50 tags, and not one more', () => {
    const tags = Array.from({ length: 50 }, (_, n) => `t${n}`);

    expect(after({ action: 'tags_replace', item_id: idOf(HERE), tags })).toMatchObject({ tags });
    for (const action of ['tags_add', 'add']) {
      const unit = aUnit();
      expect(apply(unit, { action, url: HERE, tags })).toMatchObject({
        ok: false,
        refusal: { code: 130 },
      });
      expect(isNothing(changesOf(unit))).toBe(true);
    }
  });
});

describe.each([
  'archive',
  'readd',
  'favorite',
  'unfavorite',
  'delete',
  'undo_archive',
  'undo_delete',
  'tags_add',
  'tags_remove',
  'tags_replace',
  'tags_clear',
])('%s', (action) => {
  it('is refused for an item that is not there', () => {
    const unit = aUnit();
    expect(apply(unit, { action, item_id: 7, tags: 'x' })).toEqual({
      ok: false,
      refusal: expect.objectContaining({
        code: 198,
        type: 'Internal Server Error',
        message: 'Error - Not Found: SavedItem does not exist',
      }) as Refusal,
    });
    expect(isNothing(changesOf(unit))).toBe(true);
  });

  it('changes nothing of a deleted item', () => {
    const unit = aUnit();
    expect(apply(unit, { action, url: GONE, tags: 'x' }).ok).toBe(action === 'delete');
    expect(apply(unit, { action, item_id: idOf(GONE), tags: 'x' }).ok).toBe(action === 'delete');
    expect(isNothing(changesOf(unit))).toBe(true);
  });
});

describe('add', () => {
  it('saves what is not there', () => {
    const unit = aUnit();
    const sent = { action: 'add', url: 'new.example', title: 'T', tags: 'X,n', time: 900 };

    expect(apply(unit, sent)).toEqual({ ok: true, itemId: idOf('new.example') });
    expect(changesOf(unit)).toMatchObject({
      upserted: [
        {
          itemId: idOf('new.example'),
          tags: ['x', 'n'],
          state: { timeAdded: 900, givenTitle: 'T', prefersGivenTitle: true },
        },
      ],
      newNames: [{ id: tagId('n'), name: 'n' }],
    });
  });

  it('brings a deleted item back as a fresh one', () => {
    const unit = aUnit();

    expect(apply(unit, { action: 'add', url: GONE })).toEqual({ ok: true, itemId: idOf(GONE) });

    expect(changesOf(unit)).toMatchObject({
      revived: [idOf(GONE)],
      upserted: [{ tags: [] }],
      tombstones: [],
    });
  });

  it.each(['7', idOf(GONE)])('needs the URL of what is not there (%s)', (item_id) => {
    expect(apply(aUnit(), { action: 'add', item_id })).toMatchObject({
      ok: false,
      refusal: { code: 198 },
    });
  });
});

describe('retitle', () => {
  const retitled = (item: object, title: string) => {
    const unit = aUnit();
    const outcome = applyAction(unit, {
      action: 'retitle',
      time: undefined,
      title,
      item: item as { itemId: string },
    });
    return { outcome, changes: changesOf(unit) };
  };

  it('gives an item a title that wins, and leaves its place and its state', () => {
    const { outcome, changes } = retitled({ itemId: idOf(HERE) }, 'New');

    expect(outcome).toEqual({ ok: true, itemId: idOf(HERE) });
    const state = { givenTitle: 'New', prefersGivenTitle: true, timeAdded: 10, addedSequence: 7 };
    expect(changes).toMatchObject({ additions: 0, requested: [], upserted: [{ state }] });
  });

  it('is refused for an item that is not there', () => {
    expect(retitled({ itemId: '7' }, 'New').outcome).toMatchObject({ refusal: { code: 198 } });
    expect(parseAction({ action: 'retitle', url: HERE, title: 'New' })).toBeInstanceOf(Refusal);
  });
});

describe('an action on all items with a tag', () => {
  const retagged = (...sent: object[]) => {
    const unit = aUnit();
    const outcomes = sent.map((one) => apply(unit, one).ok);
    const { retagged: tags } = changesOf(unit);
    return [outcomes, tags.map(({ from, to }) => [from.name, to?.name])];
  };
  const rename = (old_tag: string, new_tag: string) => ({ action: 'tag_rename', old_tag, new_tag });

  it.each([
    ['renames', [rename('X', 'Z')], [true], [['x', 'Z']]],
    ['merges into the spelling that is there', [rename('x', 'y')], [true], [['x', 'Y']]],
    ['does nothing for the same name', [rename('x', 'x')], [true], []],
    ['changes the spelling', [rename('x', 'X')], [true], [['x', 'X']]],
    ['refuses an unknown tag', [rename('other', 'x')], [false], []],
    ['follows a chain', [rename('x', 'b'), rename('b', 'c')], [true, true], [['x', 'c']]],
    [
      'swaps',
      [rename('x', 't'), rename('y', 'x'), rename('t', 'y')],
      [true, true, true],
      [
        ['x', 'y'],
        ['Y', 'x'],
      ],
    ],
    ['forgets the old name', [rename('x', 'b'), rename('x', 'c')], [true, false], [['x', 'b']]],
    ['deletes', [{ action: 'tag_delete', tag: 'X' }], [true], [['x', undefined]]],
    ['deletes what is not there', [{ action: 'tag_delete', tag: 'other' }], [true], []],
    [
      'forgets a deleted tag',
      [{ action: 'tag_delete', tag: 'x' }, rename('x', 'b')],
      [true, false],
      [['x', undefined]],
    ],
    [
      'forgets a tag with its last item',
      [{ action: 'tags_clear', url: HERE }, rename('y', 'b'), rename('x', 'c')],
      [true, false, true],
      [['x', 'c']],
    ],
  ])('%s', (_, sent, outcomes, tags) => {
    expect(retagged(...sent)).toEqual([outcomes, tags]);
  });
});
