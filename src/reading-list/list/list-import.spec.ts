import type { ImportedItem } from '../imports/imported-item.js';
import { normalAddress } from './address.js';
import { changesOf, isNothing } from './list-changes.js';
import { importItem, type ImportResult } from './list-import.js';
import type { ItemState, LoadedState, StoredItem } from './list-state.js';
import { ListUnitOfWork } from './list-unit-of-work.js';
import { parseTagName, tagId } from './tag-name.js';

const NOW = 1000;
const address = normalAddress('https://example.com/a')!;
const EARLIER = { saysStatus: true, saysFavorite: true, asOf: 50 };
const tag = (name: string) => parseTagName(name)!;

const aRow = (facts: Partial<ImportedItem> = {}): ImportedItem => ({
  address,
  title: undefined,
  prefersGivenTitle: undefined,
  tags: [],
  status: undefined,
  favorite: undefined,
  timeAdded: 100,
  saysTimeAdded: true,
  timeRead: 0,
  timeFavorited: 0,
  asOf: 100,
  isFromNewestFirst: false,
  earlier: undefined,
  number: undefined,
  note: '',
  annotations: [],
  ...facts,
});

const anItem = (facts: Partial<StoredItem> = {}): StoredItem => ({
  itemId: address.itemId,
  status: 0,
  favorite: 0,
  timeAdded: 50,
  addedSequence: 7,
  timeRead: 0,
  timeFavorited: 0,
  givenUrl: 'https://example.com/a',
  givenTitle: '',
  prefersGivenTitle: false,
  tags: [],
  kind: 0,
  resolvedUrl: '',
  resolvedTitle: '',
  timeUpdated: 50,
  importedAsOf: 50,
  note: '',
  ...facts,
});

interface Imported {
  readonly outcome: ImportResult;
  /** The item after the import. Undefined if nothing is written. */
  readonly item: object | undefined;
  readonly written: ItemState | undefined;
}

function imported(
  row: ImportedItem,
  stored: Partial<LoadedState>,
  restoresDeleted = false,
): Imported {
  const tags = [...new Set(stored.items?.flatMap((item) => item.tags))].map((name) => ({
    id: tagId(name),
    name,
    itemCount: 1,
  }));
  const unit = new ListUnitOfWork({ items: [], tombstones: [], tags, ...stored }, NOW);
  const outcome = importItem(unit, row, { restoresDeleted });
  const changes = changesOf(unit);
  const [written] = [...changes.upserted, ...changes.stateChanged];
  const { status, favorite, timeAdded, givenTitle } = written?.state ?? {};
  return {
    outcome,
    written: written?.state,
    item: isNothing(changes)
      ? undefined
      : {
          status,
          favorite,
          timeAdded,
          givenTitle,
          tags: written?.tags,
          timeUpdated: written?.timeUpdated,
          asOf: written?.importedAsOf,
        },
  };
}

const became = (name: string) => expect.objectContaining({ became: name }) as ImportResult;

describe('a row of a file, where the list has', () => {
  it('nothing: it is added as the file says, as of the newest of its times', () => {
    const row = aRow({ title: 'A', status: 1, favorite: 1, tags: [tag('x')], asOf: 120 });
    expect(imported(row, {})).toMatchObject({
      outcome: became('added'),
      item: {
        status: 1,
        favorite: 1,
        timeAdded: 100,
        givenTitle: 'A',
        tags: ['x'],
        timeUpdated: 120,
        asOf: 120,
      },
    });
  });

  it('nothing, and the file no time: it was updated now, and everything else is newer', () => {
    expect(imported(aRow({ asOf: 0 }), {}).item).toMatchObject({ timeUpdated: NOW, asOf: 0 });
  });

  it('an older import of it: the newer state wins, tags are joined', () => {
    const items = [anItem({ tags: ['x'], favorite: 1, givenTitle: 'Old' })];
    expect(imported(aRow({ status: 1, tags: [tag('y')], title: 'New' }), { items })).toMatchObject({
      outcome: became('changed'),
      item: {
        status: 1,
        favorite: 1,
        timeAdded: 100,
        givenTitle: 'New',
        tags: ['x', 'y'],
        timeUpdated: 100,
        asOf: 100,
      },
    });
  });

  it('an older import of it, and the row says not when it was added: that stays', () => {
    const row = aRow({ saysTimeAdded: false, timeAdded: NOW, status: 1 });
    expect(imported(row, { items: [anItem()] }).item).toMatchObject({ status: 1, timeAdded: 50 });
  });

  it('a row of the same file that is older: the newer state wins, the title stays', () => {
    const items = [anItem({ givenTitle: 'First row', tags: ['x'] })];
    const row = aRow({ earlier: EARLIER, status: 1, title: 'Later row', tags: [tag('y')] });
    const { outcome, item } = imported(row, { items });
    expect(outcome).toMatchObject({ became: 'changed', mergedInto: 'https://example.com/a' });
    expect(item).toMatchObject({ status: 1, givenTitle: 'First row', tags: ['x', 'y'] });
  });

  it('a row of the same file without a title: a later row fills it', () => {
    const row = aRow({ earlier: EARLIER, title: 'Later row' });
    expect(imported(row, { items: [anItem()] }).item).toMatchObject({ givenTitle: 'Later row' });
  });

  it('a newer import of it: its state stays, gaps are filled, tags are joined', () => {
    const items = [anItem({ tags: ['x'], importedAsOf: 200, timeUpdated: 200 })];
    const row = aRow({ status: 1, favorite: 1, tags: [tag('y')], title: 'A' });
    expect(imported(row, { items })).toMatchObject({
      outcome: became('changed'),
      item: {
        status: 0,
        favorite: 0,
        timeAdded: 50,
        givenTitle: 'A',
        tags: ['x', 'y'],
        timeUpdated: 200,
        asOf: 200,
      },
    });
  });

  it('the same import of it: nothing is written', () => {
    const items = [anItem({ tags: ['x'], importedAsOf: 100, givenTitle: 'A' })];
    const row = aRow({ status: 1, tags: [tag('X')], title: 'A' });
    expect(imported(row, { items })).toMatchObject({
      outcome: became('unchanged'),
      item: undefined,
    });
  });

  it('what the person has changed since: nothing is written', () => {
    const items = [anItem({ importedAsOf: null, timeUpdated: 100 })];
    const row = aRow({ status: 1, tags: [tag('x')], title: 'A' });
    expect(imported(row, { items })).toMatchObject({
      outcome: became('unchanged'),
      item: undefined,
    });
  });

  it('what the person changed before the row was so: the row wins, and the item stays the own one', () => {
    const items = [anItem({ importedAsOf: null, timeUpdated: 99, tags: ['x'] })];
    expect(imported(aRow({ status: 1 }), { items })).toMatchObject({
      outcome: became('changed'),
      item: expect.objectContaining({ status: 1, tags: ['x'], timeUpdated: 100, asOf: null }),
    });
  });

  it.each([
    ['its deletion after it: it stays deleted', 100, false, 'deleted'],
    ['its deletion before it: it is added', 99, false, 'added'],
    ['its deletion after it, but is to be restored: it is added', 100, true, 'added'],
  ])('%s', (_, deletedAt, restoresDeleted, expected) => {
    const tombstones = [{ itemId: address.itemId, deletedAt }];
    const { outcome, item } = imported(aRow(), { tombstones }, restoresDeleted);
    expect(outcome).toEqual(became(expected));
    expect(item === undefined).toBe(expected === 'deleted');
  });

  const noteOf = (row: Partial<ImportedItem>, stored?: Partial<StoredItem>): unknown => {
    const items = stored === undefined ? [] : [anItem(stored)];
    return imported(aRow(row), { items }).written?.note;
  };

  it('no note: the note of the row is stored', () => {
    expect(noteOf({ note: 'mine' })).toBe('mine');
    expect(noteOf({ note: 'mine' }, { importedAsOf: 200, timeUpdated: 200 })).toBe('mine');
  });

  it('another note: both are kept, also if the row is newer', () => {
    expect(noteOf({ note: 'new' }, { note: 'old' })).toBe('old\n\nnew');
    expect(noteOf({ note: 'new' }, { note: 'old', importedAsOf: 200 })).toBe('old\n\nnew');
  });

  it('a note that contains that of the row: nothing is written', () => {
    const items = [anItem({ note: 'old\n\nnew', importedAsOf: 100 })];

    expect(imported(aRow({ note: 'new' }), { items })).toEqual({
      outcome: became('unchanged'),
      item: undefined,
      written: undefined,
    });
  });

  it('a note without room for another: it stays, and the report says so', () => {
    const items = [anItem({ note: 'o'.repeat(10_230) })];

    const { outcome, written } = imported(aRow({ note: 'n'.repeat(10) }), { items });

    expect(outcome).toEqual({
      became: 'changed',
      leftOut: ['the note, which does not fit beside the note of the item'],
      mergedInto: 'https://example.com/a',
    });
    expect(written?.note).toBe('o'.repeat(10_230));
  });

  it('a note that the user has changed since: it stays', () => {
    expect(
      noteOf({ note: 'new' }, { note: 'old', importedAsOf: null, timeUpdated: 100 }),
    ).toBeUndefined();
  });

  it('fifty tags on it: the others are left out, and said', () => {
    const tags = Array.from({ length: 49 }, (_, n) => `t${n}`);
    const row = aRow({ tags: ['t0', 'u', 'v', 'w'].map(tag) });
    const { outcome, item } = imported(row, { items: [anItem({ tags })] });
    expect(outcome).toEqual({
      became: 'changed',
      leftOut: ['2 tags, of which an item has at most 50'],
      mergedInto: 'https://example.com/a',
    });
    expect(item).toMatchObject({ tags: [...tags, 'u'] });
  });
});
