import type { ItemsWanted, TimeOrder } from './item-filter.js';

/** The column that decides; the id decides between equals, in the same direction. */
export interface SortKey {
  readonly column: TimeOrder | 'title_key' | 'url_key';
  readonly direction: 'ASC' | 'DESC';
}

export function sortKeyOf({ order, timeOrder = 'time_added' }: ItemsWanted): SortKey {
  switch (order) {
    case 'newest':
      return { column: timeOrder, direction: 'DESC' };
    case 'oldest':
      return { column: timeOrder, direction: 'ASC' };
    case 'title':
      return { column: 'title_key', direction: 'ASC' };
    case 'site':
      return { column: 'url_key', direction: 'ASC' };
  }
}
