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

/** What was archived last stands first in the archive, and so for favorites. */
const TIMES: Readonly<Record<StateName, TimeOrder>> = {
  unread: 'time_added',
  archive: 'time_read',
  favorites: 'time_favorited',
  all: 'time_added',
};

/** What a view asks the list for; the only place where it becomes a filter. */
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

/** True where the list keeps the number, so that it costs next to nothing. */
const isCounted = ({ state, tag, site, search }: ListView): boolean =>
  site === undefined &&
  search === undefined &&
  (tag === undefined || tag.filter === 'untagged' || state === 'all');

/** A position in the order of the view, as an address has it. */
export const positionText = (view: ListView, position: PagePosition): string =>
  textOfPosition(position, keyOf(view));

/** Throws ValidationFailedError for what no page has named. */
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

/** Ranked items have no positions: they are counted. Throws ValidationFailedError. */
export function rankedBefore(text: string): number {
  if (!COUNTED.test(text)) {
    throw notComplete();
  }
  return Number(text);
}

/** The nearest items up to a position, itself among them, against the order: one more than a page tells where that begins. */
export function wantedUntil(view: ListView, position: ItemPosition): ItemsWanted {
  const step = keyOf(view).direction === 'ASC' ? 1n : -1n;
  const after = { ...position, itemId: String(BigInt(position.itemId) + step) };
  const wanted = wantedOf(view, { count: PAGE_SIZE + 1, offset: 0, after });
  return { ...wanted, withTotal: false, isReversed: true };
}

const keyOf = (view: ListView): SortKey => sortKeyOf(wantedOf(view, { count: 0, offset: 0 }));
