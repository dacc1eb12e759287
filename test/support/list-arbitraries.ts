import fc from 'fast-check';

import { isReadingTimeOrder } from '../../src/reading-list/query/item-order.js';
import type { ItemFilter, ItemsWanted } from '../../src/reading-list/query/items-wanted.js';
import { DIGEST_LIST, type ModelItem, type ModelTombstone, positionOf } from './list-model.js';

// Few distinct values, so that ties, empty results and full results are all common.
const time = fc.integer({ min: 1, max: 12 });
const host = fc.constantFrom(
  'example.com',
  'a.example.com',
  'b.a.example.com',
  'ample.com',
  'example.com.au',
  'example.co',
  'example-a.com',
  'localhost',
);
const text = fc.string({
  unit: fc.constantFrom('a', 'B', 'é', 'É', '%', '_', '\\', ' ', '𝒳', '-', '.', '0'),
  maxLength: 6,
});
const tag = fc.constantFrom('red', 'green', 'blue');
const flag = fc.constantFrom(0 as const, 1 as const);
const media = fc.constantFrom(0 as const, 1 as const, 2 as const);
const words = fc.integer({ min: 0, max: 9 });
const id = fc.integer({ min: 1, max: 200 }).map((n) => String(2 ** 52 + n));

export const anItem: fc.Arbitrary<ModelItem> = fc.record({
  id,
  stamp: time,
  status: flag,
  favorite: flag,
  added: time,
  sequence: fc.integer({ min: -3, max: 3 }),
  updated: time,
  read: time,
  favorited: time,
  host,
  path: text,
  title: text,
  tags: fc.uniqueArray(tag, { maxLength: 2 }),
  isArticle: flag,
  hasVideo: media,
  hasImage: media,
  annotations: fc.integer({ min: 0, max: 2 }),
  wordCount: words,
  language: fc.constantFrom('', 'de', 'de-AT', 'den', 'en'),
  isPdf: flag,
  fetchFailed: flag,
  goneSince: fc.constantFrom(0, 0, 1_700_000_000),
  note: fc.constantFrom('', '', 'a note'),
  isInDigest: fc.boolean(),
  fraction: fc.constantFrom(null, 0, 0.004, 0.01, 0.5, 0.9, 0.95, 1),
});

export const aList: fc.Arbitrary<{ items: ModelItem[]; tombstones: ModelTombstone[] }> = fc
  .record({
    items: fc.uniqueArray(anItem, { selector: (one) => one.id, maxLength: 60, size: 'max' }),
    tombstones: fc.uniqueArray(fc.record({ id, stamp: time }), {
      selector: (one) => one.id,
      maxLength: 8,
    }),
  })
  .map(({ items, tombstones }) => ({
    items,
    tombstones: tombstones.filter((one) => !items.some((other) => other.id === one.id)),
  }));

/** Sometimes a tag that no item has. */
const someTags = fc.uniqueArray(fc.oneof(tag, fc.constant('none')), { minLength: 1, maxLength: 3 });
const span = fc.record({ from: time, below: time }, { requiredKeys: [] });

const narrowings = {
  state: fc.constantFrom('unread' as const, 'archive' as const),
  favorite: fc.boolean(),
  tag: fc.oneof(
    tag.map((key) => ({ key })),
    fc.constant('untagged' as const),
    fc.constant({ key: 'none' }),
  ),
  contentType: fc.constantFrom('article' as const, 'video' as const, 'image' as const),
  search: fc.oneof(
    text.filter((one) => one !== ''),
    fc.constantFrom('example', 'com/', 'a.'),
  ),
  domain: fc.oneof(host, fc.constantFrom('com', 'nowhere.org')),
  since: time,
  updatedBefore: time,
  annotated: fc.boolean(),
  wholeDelta: fc.constant(true as const),
  itemId: id,
  words: fc.record({ from: words, below: words }),
  language: fc.constantFrom('de', 'en', 'fr'),
  progress: fc.constantFrom('unstarted' as const, 'started' as const, 'finished' as const),
  isPdf: fc.constant(true as const),
  isFetchFailed: fc.constant(true as const),
  tags: someTags,
  anyTag: someTags,
  noTag: someTags,
  added: span,
  read: span,
  hasNote: fc.constant(true as const),
  isGone: fc.constant(true as const),
  notInDigestOf: fc.constant(DIGEST_LIST),
};
const MEMBERS = Object.keys(narrowings) as (keyof typeof narrowings)[];

/** At most three conditions. With more, hardly any item would match. */
const aFilter: fc.Arbitrary<ItemFilter> = fc
  .tuple(fc.record(narrowings), fc.subarray(MEMBERS, { maxLength: 3 }))
  .map(([all, members]) => Object.fromEntries(members.map((name) => [name, all[name]])));

const aFirstQuestion: fc.Arbitrary<ItemsWanted> = fc.record(
  {
    filter: aFilter,
    order: fc.constantFrom('newest', 'oldest', 'title', 'site', 'shortest', 'longest'),
    timeOrder: fc.constantFrom('time_added', 'time_read', 'time_favorited'),
    page: fc.record({
      count: fc.integer({ min: 1, max: 12 }),
      offset: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 70 }), fc.constant(2 ** 31)),
    }),
    withTotal: fc.boolean(),
  },
  { requiredKeys: ['filter', 'order', 'page'] },
);

const aTombstonePosition = fc.record({
  kind: fc.constant('tombstone' as const),
  version: time.map(String),
  itemId: id,
});

/** The orders by reading time need a filter by the number of words. */
const withWords = (wanted: ItemsWanted): ItemsWanted =>
  isReadingTimeOrder(wanted.order)
    ? { ...wanted, filter: { words: { from: 0, below: 2 ** 31 - 1 }, ...wanted.filter } }
    : wanted;

/** Half of the queries start after a position, which may or may not hold an item. */
export const aQuestion: fc.Arbitrary<ItemsWanted> = fc
  .tuple(aFirstQuestion, fc.option(fc.oneof(anItem, aTombstonePosition), { freq: 1 }))
  .map(([given, place]) => {
    const wanted = withWords(given);
    if (place === null) {
      return wanted;
    }
    const after = 'kind' in place ? place : positionOf(place, wanted);
    return { ...wanted, page: { ...wanted.page, after } };
  });
