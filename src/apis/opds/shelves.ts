import { cut } from '../../lib/util/clean-text.js';
import { type Message, message } from '../../platform/i18n/message.js';
import { parseTagName } from '../../reading-list/list/tag-name.js';
import type { ItemOrder, TimeOrder } from '../../reading-list/query/item-order.js';
import type { ItemFilter, ItemsWanted } from '../../reading-list/query/items-wanted.js';
import { SEARCH_PATH } from './catalogue-feed.js';

/** The number of books on one page of the catalogue. */
export const PAGE_SIZE = 30;
/** The maximum length of a search text. The web UI has the same maximum. */
const MAX_SEARCH_LENGTH = 256;

/** A list of books in the catalogue. */
export interface Shelf {
  readonly title: Message;
  /** The path of the list of books. It can include a query string. */
  readonly path: string;
  /** The filter that selects the items. Undefined for a search without words, which finds no items. */
  readonly filter: ItemFilter | undefined;
  /** The time by which the items are sorted. */
  readonly time: TimeOrder;
  /** The order of the books. The default is `newest`. */
  readonly order?: ItemOrder;
  /** True if the catalogue always shows the list of books on one page. */
  readonly isOnePage?: true;
}

/** A list of books to which the start feed or the feed of the tags links. */
export interface LinkedShelf extends Shelf {
  /** Describes the list of books to the user. */
  readonly text: Message;
  /** The link relation of the list in the start feed of the catalogue. The default is `subsection`. */
  readonly rel?: string;
}

/** The lists of books in every catalogue, keyed by the last part of their paths. */
export const SHELVES: ReadonlyMap<string, LinkedShelf> = new Map<string, LinkedShelf>([
  [
    'unread',
    {
      title: message('list.states.unread'),
      text: message('opds.shelves.unread.text'),
      path: '/opds/unread',
      filter: { state: 'unread' },
      time: 'time_added',
      rel: 'http://opds-spec.org/sort/new',
    },
  ],
  [
    'newest',
    {
      title: message('opds.shelves.newest.title'),
      text: message('opds.shelves.newest.text'),
      path: '/opds/newest',
      filter: {},
      time: 'time_added',
      isOnePage: true,
    },
  ],
  [
    'favorites',
    {
      title: message('list.states.favorites'),
      text: message('opds.shelves.favorites.text'),
      path: '/opds/favorites',
      filter: { favorite: true },
      time: 'time_favorited',
    },
  ],
  [
    'archive',
    {
      title: message('list.states.archive'),
      text: message('opds.shelves.archive.text'),
      path: '/opds/archive',
      filter: { state: 'archive' },
      time: 'time_read',
    },
  ],
  [
    'all',
    {
      title: message('opds.shelves.all.title'),
      text: message('opds.shelves.all.text'),
      path: '/opds/all',
      filter: {},
      time: 'time_added',
    },
  ],
]);

/**
 * Returns the list of books with a tag, or undefined if the text is not a valid tag name. A tag without items has an
 * empty list.
 */
export function shelfOfTag(text: string): LinkedShelf | undefined {
  const tag = parseTagName(text);
  return (
    tag && {
      title: message('list.book.tag', { value: tag.name }),
      text: message('opds.tag.text', { tag: tag.name }),
      path: `/opds/tag?name=${encodeURIComponent(tag.name)}`,
      filter: { tag: { key: tag.key } },
      time: 'time_added',
    }
  );
}

/**
 * Returns the list of books whose title, address or article matches the search. A search without words finds nothing.
 */
export function shelfOfSearch(terms: string): Shelf {
  const words = cut(terms.trim(), MAX_SEARCH_LENGTH);
  return {
    title: message('opds.search.title', { words }),
    path: `${SEARCH_PATH}?q=${encodeURIComponent(words.toWellFormed())}`,
    filter: words === '' ? undefined : { text: words },
    time: 'time_added',
  };
}

/** Returns the filter and order of the items in a list of books. The caller adds the size and the start of the page. */
export const orderOf = (
  filter: ItemFilter,
  { time, order = 'newest' }: Pick<Shelf, 'time' | 'order'>,
): Omit<ItemsWanted, 'page'> => ({
  filter,
  order,
  timeOrder: time,
});

/** Returns the path of one page: the path of the list, and the position after which the page begins. */
export const pagePath = (path: string, after: string | undefined): string =>
  after === undefined ? path : `${path}${path.includes('?') ? '&' : '?'}after=${after}`;
