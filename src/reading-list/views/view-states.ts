import { type Message, message } from '../../platform/i18n/message.js';
import type { TimeOrder } from '../query/item-order.js';
import type { ItemFilter } from '../query/items-wanted.js';

/** A state of items by which the list can be filtered, such as the archive. The list page links to each state. */
export interface ListState {
  /** The value of the parameter `state`. */
  readonly name: string;
  readonly label: Message;
  /** The text that is shown if no items have this state. */
  readonly emptyText: Message;
  readonly filter: ItemFilter;
  /**
   * The time by which the items are sorted: the time of archiving in the archive, the time of marking as a favorite in
   * the favorites, and the time of addition in the other states.
   */
  readonly timeOrder: TimeOrder;
}

/**
 * All states by which the list can be filtered, keyed by name. The list page shows the links to the states in this
 * sequence.
 */
export const STATES = {
  unread: {
    name: 'unread',
    label: message('list.states.unread'),
    emptyText: message('list.empty.unread'),
    filter: { state: 'unread' },
    timeOrder: 'time_added',
  },
  archive: {
    name: 'archive',
    label: message('list.states.archive'),
    emptyText: message('list.empty.archive'),
    filter: { state: 'archive' },
    timeOrder: 'time_read',
  },
  favorites: {
    name: 'favorites',
    label: message('list.states.favorites'),
    emptyText: message('list.empty.favorites'),
    filter: { favorite: true },
    timeOrder: 'time_favorited',
  },
  all: {
    name: 'all',
    label: message('list.states.all'),
    emptyText: message('list.empty.all'),
    filter: {},
    timeOrder: 'time_added',
  },
  failed: {
    name: 'failed',
    label: message('list.states.failed'),
    emptyText: message('list.empty.failed'),
    filter: { isFetchFailed: true },
    timeOrder: 'time_added',
  },
} satisfies Readonly<Record<string, ListState>>;
