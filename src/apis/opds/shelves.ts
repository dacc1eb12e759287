import { cut } from '../../lib/util/clean-text.js';
import { parseTagName } from '../../reading-list/list/tag-name.js';
import type { TimeOrder } from '../../reading-list/query/item-order.js';
import type { ItemFilter, ItemsWanted } from '../../reading-list/query/items-wanted.js';
import { SEARCH_PATH } from './catalogue-feed.js';

/** The number of books per page. */
export const PAGE_SIZE = 30;
/** The maximum length of a search, the same as in the reader. */
const MAX_SEARCH_LENGTH = 256;

/** A feed of books: selected items, newest first. */
export interface Shelf {
  readonly title: string;
  /** A description of the shelf for the user. */
  readonly text: string;
  /** The path of the shelf, possibly with a query. */
  readonly path: string;
  /** The filter that selects the items. Undefined for a search without words, which finds nothing. */
  readonly filter: ItemFilter | undefined;
  /** The time by which items are sorted. */
  readonly time: TimeOrder;
  /** True if the shelf has only one page. */
  readonly isOnePage?: true;
  /** The link relation of the shelf in the start feed. The default is `subsection`. */
  readonly rel?: string;
}

/** The shelves of every list, keyed by the last part of their paths. */
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

/**
 * Returns the shelf of a tag, or undefined if the text is not a valid tag name. The shelf of an unused tag is empty.
 */
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

/** Returns the shelf of items whose title, address or article matches. A search without words finds nothing. */
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

/** Returns the list query of a shelf. The query does not select a page. */
export const orderOf = (
  filter: ItemFilter,
  time: TimeOrder,
): Omit<ItemsWanted, 'page'> & { readonly order: 'newest' } => ({
  filter,
  order: 'newest',
  timeOrder: time,
});

/** Returns the path of a page: the path of its shelf, and the position after which the page begins. */
export const pagePath = (path: string, after: string | undefined): string =>
  after === undefined ? path : `${path}${path.includes('?') ? '&' : '?'}after=${after}`;
