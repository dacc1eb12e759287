import { message } from '../../../platform/i18n/message.js';
import {
  type PagePosition,
  type SortKey,
  sortKeyOf,
} from '../../../reading-list/query/item-order.js';
import type {
  ItemFilter,
  ItemsWanted,
  PageOfItems,
} from '../../../reading-list/query/items-wanted.js';
import {
  type ItemPosition,
  positionIn as positionInText,
  positionText as textOfPosition,
} from '../../../reading-list/query/position-text.js';
import { InvalidPageRequestError } from '../../pages.errors.js';
import { isOfTexts, type ListView } from './list.request.js';
import { ANY_LENGTH, FILTER_NAMES } from './list-filters.js';
import { isByReadingTime } from './list-sorts.js';
import { STATES } from './list-states.js';

export const PAGE_SIZE = 40;

/** Converts a view of the list to a query for items. */
export function wantedOf(view: ListView, page: PageOfItems): ItemsWanted {
  const { state, tag, site, language, search, sort } = view;
  const filter: ItemFilter = {
    ...(isByReadingTime(sort) && { words: ANY_LENGTH }),
    ...state.filter,
    ...chosenFilters(view),
    ...(language !== undefined && { language }),
    ...(tag !== undefined && { tag: tag.filter }),
    ...(site !== undefined && { domain: site }),
    ...(search !== undefined && (isOfTexts(view) ? { text: search } : { search })),
  };
  return {
    filter,
    page,
    withTotal: isCounted(view),
    timeOrder: state.timeOrder,
    ...sort.wanted,
  };
}

/** Returns the filters of all selected choices as one filter. */
const chosenFilters = ({ choices }: ListView): ItemFilter =>
  FILTER_NAMES.reduce((filter, name) => ({ ...filter, ...choices[name]?.filter }), {});

/**
 * Returns true if the list stores the number of items of a view. For other views, the page shows no
 * number, because counting the items would take too long.
 */
const isCounted = (view: ListView): boolean =>
  view.search === undefined && !isByReadingTime(view.sort) && hasCounters(view);

const hasCounters = ({ state, tag, site, language, choices }: ListView): boolean =>
  [site, language, choices.time, choices.progress, choices.failed].every(
    (one) => one === undefined,
  ) &&
  choices.kind?.filter.isPdf !== true &&
  (tag === undefined || tag.filter === 'untagged' || (state === STATES.all && !choices.kind));

/** Formats a position for the address of a page. The format depends on the order of the view. */
export const positionText = (view: ListView, position: PagePosition): string =>
  textOfPosition(position, keyOf(view));

/**
 * Parses a position from an address.
 * @throws ValidationFailedError if the position is invalid
 */
export function positionIn(view: ListView, text: string): ItemPosition {
  const position = positionInText(text, keyOf(view));
  if (position === undefined) {
    throw notComplete();
  }
  return position;
}

const notComplete = (): Error => new InvalidPageRequestError(message('errors.listAddress'));

const COUNTED = /^[1-9]\d{0,6}$/;

/**
 * Parses the number of items before the requested page of search results. Results that are sorted
 * by relevance have no positions, so the address of their page contains this number.
 * @throws ValidationFailedError if the number is invalid
 */
export function rankedBefore(text: string): number {
  if (!COUNTED.test(text)) {
    throw notComplete();
  }
  return Number(text);
}

/**
 * Returns a query that reads items in reverse order, beginning with the item at `position`. Reads
 * one item more than a page contains. The requested page begins after the additional item.
 */
export function wantedUntil(view: ListView, position: ItemPosition): ItemsWanted {
  const step = keyOf(view).direction === 'ASC' ? 1n : -1n;
  const after = { ...position, itemId: String(BigInt(position.itemId) + step) };
  const wanted = wantedOf(view, { count: PAGE_SIZE + 1, offset: 0, after });
  return { ...wanted, withTotal: false, isReversed: true };
}

/** Returns the column and the direction by which a view is sorted. */
export const keyOf = (view: ListView): SortKey =>
  sortKeyOf(wantedOf(view, { count: 0, offset: 0 }));
