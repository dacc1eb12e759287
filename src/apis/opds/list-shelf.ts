import { message, plainText } from '../../platform/i18n/message.js';
import type { SavedList } from '../../reading-list/entities/saved-list.entity.js';
import { viewOf } from '../../reading-list/saved-lists/saved-list-view.js';
import { itemsOf } from '../../reading-list/views/view-query.js';
import type { LinkedShelf } from './shelves.js';

/**
 * Returns the list of books of a saved list. Returns undefined if the list is not in the catalogue, or if this version of
 * Satchel does not understand its conditions. A search that is sorted by relevance is sorted by time instead, because
 * its pages have no positions.
 */
export function shelfOfList(list: SavedList, now: Date): LinkedShelf | undefined {
  const view = list.isShelf ? viewOf(list) : undefined;
  if (view === undefined) {
    return undefined;
  }
  const { filter, order } = itemsOf(view, now);
  return {
    title: plainText(list.name),
    text: message('listFeeds.shelfText'),
    path: `/opds/list?name=${encodeURIComponent(list.name)}`,
    filter,
    order,
    time: view.state.timeOrder,
  };
}
