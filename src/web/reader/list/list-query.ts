import { ValidationFailedError } from '../../../platform/common/common.errors.js';
import {
  type PagePosition,
  type SortKey,
  sortKeyOf,
} from '../../../reading-list/query/item-order.js';
import type {
  ItemFilter,
  ItemsWanted,
  PageOfItems,
  TimeOrder,
} from '../../../reading-list/query/items-wanted.js';
import {
  type ItemPosition,
  positionIn as positionInText,
  positionText as textOfPosition,
} from '../../../reading-list/query/position-text.js';
import { isOfTexts, type ListView, type StateName } from './list.request.js';

export const PAGE_SIZE = 40;

const STATE_FILTERS: Readonly<Record<StateName, ItemFilter>> = {
  unread: { state: 'unread' },
  archive: { state: 'archive' },
  favorites: { favorite: true },
  all: {},
};

/** The archive and the favorites are ordered by the time of their change, the latest first. */
const TIMES: Readonly<Record<StateName, TimeOrder>> = {
  unread: 'time_added',
  archive: 'time_read',
  favorites: 'time_favorited',
  all: 'time_added',
};

/** Converts a view to a query of the list. All filters of views are created here. */
export function wantedOf(view: ListView, page: PageOfItems): ItemsWanted {
  const { state, tag, site, search, sort } = view;
  const filter: ItemFilter = {
    ...STATE_FILTERS[state],
    ...(tag !== undefined && { tag: tag.filter }),
    ...(site !== undefined && { domain: site }),
    ...(search !== undefined && (isOfTexts(view) ? { text: search } : { search })),
  };
  return {
    filter,
    page,
    withTotal: isCounted(view),
    timeOrder: TIMES[state],
    ...(sort === 'relevance' ? { order: 'newest', isRanked: true } : { order: sort }),
  };
}

/** Returns true if the list stores the count, so that it costs almost nothing. */
const isCounted = ({ state, tag, site, search }: ListView): boolean =>
  site === undefined &&
  search === undefined &&
  (tag === undefined || tag.filter === 'untagged' || state === 'all');

/** Formats a position in the order of the view for an address. */
export const positionText = (view: ListView, position: PagePosition): string =>
  textOfPosition(position, keyOf(view));

/**
 * Parses a position from an address.
 * @throws ValidationFailedError if it is invalid
 */
export function positionIn(view: ListView, text: string): ItemPosition {
  const position = positionInText(text, keyOf(view));
  if (position === undefined) {
    throw notComplete();
  }
  return position;
}

const notComplete = (): Error =>
  new ValidationFailedError(['This address of a page of the list is incomplete.']);

const COUNTED = /^[1-9]\d{0,6}$/;

/**
 * Ranked items have no positions, so the address contains the number of items before the page.
 * @throws ValidationFailedError if the number is invalid
 */
export function rankedBefore(text: string): number {
  if (!COUNTED.test(text)) {
    throw notComplete();
  }
  return Number(text);
}

/**
 * Queries the items up to and including a position, in reverse order. One more item than a page shows where the page
 * begins.
 */
export function wantedUntil(view: ListView, position: ItemPosition): ItemsWanted {
  const step = keyOf(view).direction === 'ASC' ? 1n : -1n;
  const after = { ...position, itemId: String(BigInt(position.itemId) + step) };
  const wanted = wantedOf(view, { count: PAGE_SIZE + 1, offset: 0, after });
  return { ...wanted, withTotal: false, isReversed: true };
}

const keyOf = (view: ListView): SortKey => sortKeyOf(wantedOf(view, { count: 0, offset: 0 }));
