import type { ItemsWanted, TimeOrder } from './item-filter.js';

/** The column that decides; the id decides between equals, in the same direction. */
export interface SortKey {
  readonly column: 'added_order' | Exclude<TimeOrder, 'time_added'> | 'title_key' | 'url_key';
  readonly direction: 'ASC' | 'DESC';
}

export function sortKeyOf({ order, timeOrder = 'time_added' }: ItemsWanted): SortKey {
  const time = timeOrder === 'time_added' ? 'added_order' : timeOrder;
  switch (order) {
    case 'newest':
      return { column: time, direction: 'DESC' };
    case 'oldest':
      return { column: time, direction: 'ASC' };
    case 'title':
      return { column: 'title_key', direction: 'ASC' };
    case 'site':
      return { column: 'url_key', direction: 'ASC' };
  }
}
