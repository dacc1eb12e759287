import { type Message, message } from '../../../platform/i18n/message.js';
import type { ItemOrder } from '../../../reading-list/query/item-order.js';
import type { ItemsWanted } from '../../../reading-list/query/items-wanted.js';

type SortName = ItemOrder | 'relevance';

/** An order in which the list can be shown. */
export interface ListSort<Name extends SortName = SortName> {
  /** The value of the parameter `sort`. */
  readonly name: Name;
  readonly label: Message;
  readonly wanted: Pick<ItemsWanted, 'order' | 'isRanked'>;
}

/** The orders by name, in the order of their links. `relevance` is possible only with a search in texts. */
export const SORTS: { readonly [Name in SortName]: ListSort<Name> } = {
  relevance: {
    name: 'relevance',
    label: message('list.sorts.relevance'),
    wanted: { order: 'newest', isRanked: true },
  },
  newest: { name: 'newest', label: message('list.sorts.newest'), wanted: { order: 'newest' } },
  oldest: { name: 'oldest', label: message('list.sorts.oldest'), wanted: { order: 'oldest' } },
  title: { name: 'title', label: message('list.sorts.title'), wanted: { order: 'title' } },
  site: { name: 'site', label: message('list.sorts.site'), wanted: { order: 'site' } },
};
