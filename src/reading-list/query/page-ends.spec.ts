import { conditionsOf, type PageQuery } from './conditions.js';
import type { ItemFilter } from './items-wanted.js';
import { listSizes } from './list-sizes.js';
import { areExclusive, fromNearerEnd } from './page-ends.js';
import { tagIdsOf } from './tagged-counts.js';

const ITEMS = 10_000;
const ARCHIVED = 4000;

function turned(filter: ItemFilter, page: PageQuery['page'], isLate = true) {
  const conditions = conditionsOf(filter);
  const query: PageQuery = {
    userId: '1',
    conditions,
    page,
    isLate,
    columns: 'items',
    withTotal: false,
    hasTexts: true,
    sortKey: { column: 'title_key', direction: 'ASC' },
  };
  const list = {
    item_count: ITEMS,
    facet_counts: [ITEMS - ARCHIVED, ARCHIVED, ...Array<number>(62).fill(0)].join(','),
    has_search_index: true,
  };
  const tagged = new Map(tagIdsOf(conditions).map((id) => [id, 3000]));
  const {
    sortKey,
    page: read,
    fromEnd,
  } = fromNearerEnd(query, listSizes({ list, tagged }, conditions));
  return fromEnd && { ...sortKey, ...read, fromEnd };
}

const OTHER_END = { column: 'title_key', direction: 'DESC' };

describe('fromNearerEnd', () => {
  it.each<[string, ItemFilter, number, number]>([
    ['all items', {}, 9000, 970],
    ['a facet', { state: 'archive' }, 3000, 970],
    ['a tag', { tag: { key: 'later' } }, 2000, 970],
    ['the last page of all items', {}, 9990, 0],
  ])('reads a page of %s from the end that is nearer', (_what, filter, offset, fromEnd) => {
    expect(turned(filter, { offset, count: 30 })).toEqual({
      ...OTHER_END,
      offset: fromEnd,
      count: 30,
      fromEnd: { offset, direction: 'ASC' },
    });
  });

  it.each<[string, ItemFilter, PageQuery['page']]>([
    ['the other end is not nearer', {}, { offset: 4000, count: 30 }],
    ['nothing is left', {}, { offset: 10_000, count: 30 }],
    ['the list counts not what passes', { search: 'the' }, { offset: 9000, count: 30 }],
    [
      'two are counted, each alone',
      { state: 'archive', tag: { key: 'a' } },
      { offset: 2900, count: 30 },
    ],
    [
      'the page before is known',
      {},
      { offset: 9000, count: 30, after: { kind: 'item', key: 'a', itemId: '1' } },
    ],
  ])('reads it from the beginning where %s', (_why, filter, page) => {
    expect(turned(filter, page)).toBeUndefined();
  });

  it('reads a page that does not begin late from the beginning', () => {
    expect(turned({}, { offset: 9000, count: 30 }, false)).toBeUndefined();
  });
});

describe('areExclusive', () => {
  it.each<[ItemFilter, boolean]>([
    [{ state: 'unread', read: { from: 1 } }, true],
    [{ state: 'unread', favorite: true, read: {} }, true],
    [{ state: 'archive', read: { from: 1 } }, false],
    [{ read: { from: 1 } }, false],
    [{ state: 'unread' }, false],
    [{ tag: { key: 'a' }, noTag: ['b', 'a'] }, true],
    [{ tags: ['a', 'b'], noTag: ['b'] }, true],
    [{ anyTag: ['a', 'b'], noTag: ['b', 'a', 'c'] }, true],
    [{ anyTag: ['a', 'b'], noTag: ['b'] }, false],
    [{ tag: { key: 'a' }, noTag: ['b'] }, false],
    [{ tag: 'untagged', noTag: ['b'] }, false],
  ])('of %j returns %s', (filter, isEmpty) => {
    expect(areExclusive(conditionsOf(filter))).toBe(isEmpty);
  });
});
