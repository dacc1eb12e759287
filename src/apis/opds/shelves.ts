import { cut } from '../../lib/util/clean-text.js';
import { parseTagName } from '../../reading-list/list/tag-name.js';
import type { ItemFilter, ItemsWanted, TimeOrder } from '../../reading-list/query/items-wanted.js';
import { SEARCH_PATH } from './catalogue-feed.js';

/** How many books a page has. */
export const PAGE_SIZE = 30;
/** As in the reader. */
const MAX_SEARCH_LENGTH = 256;

/** Which items a feed of books has, the newest first. */
export interface Shelf {
  readonly title: string;
  /** What it has, for people. */
  readonly text: string;
  /** Its address, perhaps with a query. */
  readonly path: string;
  /** Undefined where nothing is asked for. */
  readonly filter: ItemFilter | undefined;
  /** The time that makes an item the newest. */
  readonly time: TimeOrder;
  /** There is no page behind the first. */
  readonly isOnePage?: true;
  /** How the start relates to it, where it is no mere part. */
  readonly rel?: string;
}

/** The shelves that each list has, by the last part of their paths. */
export const SHELVES: ReadonlyMap<string, Shelf> = new Map<string, Shelf>([
  [
    'unread',
    {
      title: 'Unread',
      text: 'What is still to be read',
      path: '/opds/unread',
      filter: { state: 'unread' },
      time: 'time_added',
      rel: 'http://opds-spec.org/sort/new',
    },
  ],
  [
    'newest',
    {
      title: 'Newest',
      text: 'What was saved last, read or not',
      path: '/opds/newest',
      filter: {},
      time: 'time_added',
      isOnePage: true,
    },
  ],
  [
    'favorites',
    {
      title: 'Favorites',
      text: 'What is a favorite',
      path: '/opds/favorites',
      filter: { favorite: true },
      time: 'time_favorited',
    },
  ],
  [
    'archive',
    {
      title: 'Archive',
      text: 'What was read',
      path: '/opds/archive',
      filter: { state: 'archive' },
      time: 'time_read',
    },
  ],
  [
    'all',
    {
      title: 'All',
      text: 'The whole list',
      path: '/opds/all',
      filter: {},
      time: 'time_added',
    },
  ],
]);

/** Undefined for what can be no tag. A tag that no item has is an empty feed. */
export function shelfOfTag(text: string): Shelf | undefined {
  const tag = parseTagName(text);
  return (
    tag && {
      title: `Tag ${tag.name}`,
      text: `What has the tag ${tag.name}`,
      path: `/opds/tag?name=${encodeURIComponent(tag.name)}`,
      filter: { tag: { key: tag.key } },
      time: 'time_added',
    }
  );
}

/** What is in titles, addresses and articles; nothing for a search without words. */
export function shelfOfSearch(terms: string): Shelf {
  const words = cut(terms.trim(), MAX_SEARCH_LENGTH);
  return {
    title: `Search: ${words}`,
    text: 'What was found',
    path: `${SEARCH_PATH}?q=${encodeURIComponent(words.toWellFormed())}`,
    filter: words === '' ? undefined : { text: words },
    time: 'time_added',
  };
}

/** A shelf as the list is asked for it, without the page. */
export const orderOf = (
  filter: ItemFilter,
  time: TimeOrder,
): Omit<ItemsWanted, 'page'> & { readonly order: 'newest' } => ({
  filter,
  order: 'newest',
  timeOrder: time,
});

/** The path of a page: that of its shelf, and the position that it begins behind. */
export const pagePath = (path: string, after: string | undefined): string =>
  after === undefined ? path : `${path}${path.includes('?') ? '&' : '?'}after=${after}`;
