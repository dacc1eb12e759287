import type { ItemsWanted, TimeOrder } from '../list/item-filter.js';
import type { ItemDetail } from './item-detail.js';

/** What a call of get wants: of the list, and of each item. */
export interface GetQuery extends ItemsWanted {
  readonly timeOrder: TimeOrder;
  readonly withTotal: boolean;
  readonly detail: ItemDetail;
  readonly withAnnotations: boolean;
  /** The names of all tags: always, or when one changed since `filter.since`. */
  readonly wantsTagList: 'changed' | 'always' | undefined;
}

/** A delta also brings what has another state than the one asked for, and every deletion. */
export const withWholeDelta = (query: GetQuery): GetQuery => ({
  ...query,
  filter: { ...query.filter, wholeDelta: true },
});
