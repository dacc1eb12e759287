import type { PageOfItems } from '../item-filter.js';
import type { SortKey } from '../item-order.js';
import type { Condition } from '../narrowing.js';

/** What every plan serves: a page of one list, narrowed and ordered. */
export interface PageQuery {
  readonly userId: string;
  readonly conditions: readonly Condition[];
  readonly sortKey: SortKey;
  readonly page: PageOfItems;
  readonly withTotal: boolean;
  /** True when `item_search` has the texts of the list. */
  readonly hasTexts: boolean;
}
