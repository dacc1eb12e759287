import { type Message, message } from '../../platform/i18n/message.js';
import {
  isReadingTimeOrder,
  ITEM_ORDER_NAMES,
  type ItemOrder,
  READING_TIME_ORDERS,
} from '../query/item-order.js';
import type { ItemsWanted } from '../query/items-wanted.js';

/** An order in which the list can be shown. */
export interface ListSort {
  /** The value of the parameter `sort`. */
  readonly name: string;
  readonly label: Message;
  readonly wanted: Pick<ItemsWanted, 'order' | 'isRanked'>;
}

/** The sort order by relevance: the best matches come first. Only full-text searches can have this sort order. */
export const RELEVANCE: ListSort = {
  name: 'relevance',
  label: message('list.sorts.relevance'),
  wanted: { order: 'newest', isRanked: true },
};

const sortBy = (order: ItemOrder): ListSort => ({
  name: order,
  label: message(`list.sorts.${order}`),
  wanted: { order },
});

/** The default sort order of views without a full-text search. */
export const NEWEST = sortBy('newest');

/** All sort orders of the list, keyed by name. The list page shows the links to the sort orders in this sequence. */
export const SORTS: Readonly<Record<string, ListSort>> = {
  relevance: RELEVANCE,
  ...Object.fromEntries(ITEM_ORDER_NAMES.map((order) => [order, sortBy(order)])),
  newest: NEWEST,
  ...Object.fromEntries(
    Object.keys(READING_TIME_ORDERS)
      .filter(isReadingTimeOrder)
      .map((order) => [order, sortBy(order)]),
  ),
};

/** Returns true for the sort orders by reading time. Only articles have a reading time. */
export const isByReadingTime = ({ name }: ListSort): boolean => isReadingTimeOrder(name);
