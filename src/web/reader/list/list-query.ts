import { message } from '../../../platform/i18n/message.js';
import type { PagePosition } from '../../../reading-list/query/item-order.js';
import type { ItemsWanted } from '../../../reading-list/query/items-wanted.js';
import {
  type ItemPosition,
  positionIn as positionInText,
  positionText as textOfPosition,
} from '../../../reading-list/query/position-text.js';
import { type ListView } from '../../../reading-list/views/list-view.js';
import { keyOf, wantedOf } from '../../../reading-list/views/view-query.js';
import { InvalidPageRequestError } from '../../pages.errors.js';

export const PAGE_SIZE = 40;

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
export function wantedUntil(view: ListView, position: ItemPosition, now: Date): ItemsWanted {
  const step = keyOf(view).direction === 'ASC' ? 1n : -1n;
  const after = { ...position, itemId: String(BigInt(position.itemId) + step) };
  const wanted = wantedOf(view, { count: PAGE_SIZE + 1, offset: 0, after }, now);
  return { ...wanted, withTotal: false, isReversed: true };
}
