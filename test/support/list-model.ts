import type { PagePosition } from '../../src/reading-list/query/item-order.js';
import type {
  ItemFilter,
  ItemsWanted,
  TimeSpan,
} from '../../src/reading-list/query/items-wanted.js';

/** The id of a saved list with a digest. Each user has one. */
export const DIGEST_LIST = '5f0c3c4e-0000-4000-8000-000000000001';

/** An item in the model, with the members that get uses. */
export interface ModelItem {
  readonly id: string;
  readonly stamp: number;
  readonly status: 0 | 1;
  readonly favorite: 0 | 1;
  readonly added: number;
  /** Order of addition within a second. Negative for items of a file that lists the newest first. */
  readonly sequence: number;
  readonly updated: number;
  readonly read: number;
  readonly favorited: number;
  readonly host: string;
  readonly path: string;
  readonly title: string;
  readonly tags: readonly string[];
  readonly isArticle: 0 | 1;
  readonly hasVideo: 0 | 1 | 2;
  readonly hasImage: 0 | 1 | 2;
  readonly annotations: number;
  readonly wordCount: number;
  readonly language: string;
  readonly isPdf: 0 | 1;
  readonly fetchFailed: 0 | 1;
  readonly goneSince: number;
  readonly note: string;
  /** True if a digest of the list DIGEST_LIST has contained the item. */
  readonly isInDigest: boolean;
  /** The part of the article that the user has read. Null if there is no reading position. */
  readonly fraction: number | null;
}

export interface ModelTombstone {
  readonly id: string;
  readonly stamp: number;
}

export const urlKey = ({ host, path }: ModelItem): string => `${host}/${path}`;
export const searchText = (item: ModelItem): string =>
  `${item.title.toLowerCase()}\nhttps://${urlKey(item).toLowerCase()}`;

/** A straightforward model of what get returns. */
export class ListModel {
  constructor(
    private readonly items: readonly ModelItem[],
    private readonly tombstones: readonly ModelTombstone[],
  ) {}

  find(wanted: ItemsWanted): { ids: string[]; tombstones: string[]; total: number } {
    const { filter, page } = wanted;
    const found = this.items.filter((item) => passes(item, filter)).sort(comparing(wanted));
    const deleted = this.tombstones
      .filter(({ stamp }) => filter.since !== undefined && stamp > filter.since)
      .filter(() => filter.wholeDelta === true || Object.keys(filter).length === 1)
      .sort((one, other) => one.stamp - other.stamp || byId(one, other));
    const all = [
      ...found.map((item) => ({ ...item, item: true as const })),
      ...deleted.map((one) => ({ ...one, item: false as const })),
    ];
    const rest = all.filter((one) => page.after === undefined || isBehind(one, page.after, wanted));
    const cut = rest.slice(page.offset, page.offset + page.count);
    return {
      ids: cut.filter(({ item }) => item).map(({ id }) => id),
      tombstones: cut.filter(({ item }) => !item).map(({ id }) => id),
      total: all.length,
    };
  }
}

const PASSES: {
  readonly [M in keyof ItemFilter]-?: (
    item: ModelItem,
    wanted: NonNullable<ItemFilter[M]>,
    filter: ItemFilter,
  ) => boolean;
} = {
  state: ({ status }, state, { since, wholeDelta = false }) =>
    (wholeDelta && since !== undefined) || (status === 1) === (state === 'archive'),
  wholeDelta: () => true,
  text: () => true,
  wholeFor: () => true,
  favorite: ({ favorite }, wanted) => (favorite === 1) === wanted,
  tag: ({ tags }, tag) => (tag === 'untagged' ? tags.length === 0 : tags.includes(tag.key)),
  contentType: (item, type) =>
    ({ article: item.isArticle === 1, video: item.hasVideo > 0, image: item.hasImage === 2 })[type],
  search: (item, text) => searchText(item).includes(text.toLowerCase()),
  domain: ({ host }, domain) => host === domain || host.endsWith(`.${domain}`),
  since: ({ stamp }, since) => stamp > since,
  updatedBefore: ({ updated }, time) => updated < time,
  annotated: ({ annotations }, wanted) => annotations > 0 === wanted,
  itemId: ({ id }, wanted) => id === wanted,
  itemIds: ({ id }, wanted) => wanted.includes(id),
  words: ({ isArticle, wordCount }, { from, below }) =>
    isArticle === 1 && wordCount >= from && wordCount < below,
  language: ({ language }, wanted) => language.split('-')[0] === wanted,
  progress: ({ fraction }, wanted) => progressAt(fraction ?? 0) === wanted,
  isPdf: ({ isPdf }) => isPdf === 1,
  isFetchFailed: ({ fetchFailed }) => fetchFailed === 1,
  tags: ({ tags }, wanted) => wanted.every((one) => tags.includes(one)),
  anyTag: ({ tags }, wanted) => wanted.some((one) => tags.includes(one)),
  noTag: ({ tags }, wanted) => !wanted.some((one) => tags.includes(one)),
  added: ({ added }, span) => isWithin(added, span),
  read: ({ status, read }, span) => status === 1 && isWithin(read, span),
  hasNote: ({ note }) => note !== '',
  isGone: ({ goneSince }) => goneSince > 0,
  notInDigestOf: ({ isInDigest }, listId) => listId !== DIGEST_LIST || !isInDigest,
};

const isWithin = (time: number, { from = -Infinity, below = Infinity }: TimeSpan): boolean =>
  time >= from && time < below;

function progressAt(fraction: number): ItemFilter['progress'] {
  if (fraction < 0.005) {
    return 'unstarted';
  }
  return fraction < 0.945 ? 'started' : 'finished';
}

const passes = (item: ModelItem, filter: ItemFilter): boolean =>
  Object.entries(filter).every(([member, value]) =>
    (PASSES[member as keyof ItemFilter] as (...all: unknown[]) => boolean)(item, value, filter),
  );

/** Breaks ties within a second by order of addition. Only applies when sorting by time of addition. */
const bySequence = (one: ModelItem, other: ModelItem, member: keyof ModelItem): number =>
  member === 'added' ? one.sequence - other.sequence : 0;

const byId = (one: { id: string }, other: { id: string }): number =>
  Number(BigInt(one.id) - BigInt(other.id));

const bytes = (one: string, other: string): number =>
  Buffer.compare(Buffer.from(one), Buffer.from(other));

function comparing({ order, timeOrder = 'time_added' }: ItemsWanted) {
  const member = ({ time_added: 'added', time_read: 'read', time_favorited: 'favorited' } as const)[
    timeOrder
  ];
  return (one: ModelItem, other: ModelItem): number => {
    switch (order) {
      case 'newest':
        return other[member] - one[member] || bySequence(other, one, member) || byId(other, one);
      case 'oldest':
        return one[member] - other[member] || bySequence(one, other, member) || byId(one, other);
      case 'title':
        return bytes(one.title.toLowerCase(), other.title.toLowerCase()) || byId(one, other);
      case 'site':
        return bytes(urlKey(one), urlKey(other)) || byId(one, other);
      case 'shortest':
        return one.wordCount - other.wordCount || byId(one, other);
      case 'longest':
        return other.wordCount - one.wordCount || byId(other, one);
    }
  };
}

type Listed = (ModelItem & { readonly item: true }) | (ModelTombstone & { readonly item: false });

function isBehind(one: Listed, after: PagePosition, wanted: ItemsWanted): boolean {
  if (!one.item) {
    const isLater = (stamp: number): boolean =>
      one.stamp > stamp || (one.stamp === stamp && byId(one, { id: after.itemId }) > 0);
    return after.kind === 'item' || isLater(Number(after.version));
  }
  return after.kind === 'item' && comparing(wanted)(one, itemAt(one, after)) > 0;
}

const PLACES_OF_A_SECOND = 2 ** 30;

/** Returns an item at the position, for every sort order. */
function itemAt(item: ModelItem, { key, itemId }: { key: string; itemId: string }): ModelItem {
  const slash = key.indexOf('/');
  const time = Number(key);
  const added = Math.round(time / PLACES_OF_A_SECOND);
  return {
    ...item,
    ...{ id: itemId, title: key, host: key.slice(0, slash), path: key.slice(slash + 1) },
    ...{ added, sequence: time - added * PLACES_OF_A_SECOND, read: time, favorited: time },
    wordCount: time,
  };
}

/** Returns the item's position in the sort order. */
export function positionOf(item: ModelItem, { order, timeOrder }: ItemsWanted): PagePosition {
  const times = {
    time_added: item.added * PLACES_OF_A_SECOND + item.sequence,
    time_read: item.read,
    time_favorited: item.favorited,
  };
  const time = String(times[timeOrder ?? 'time_added']);
  const words = String(item.wordCount);
  const keys = {
    ...{ newest: time, oldest: time, title: item.title.toLowerCase(), site: urlKey(item) },
    ...{ shortest: words, longest: words },
  };
  return { kind: 'item', key: keys[order], itemId: item.id };
}
