import { defined } from '../../lib/util/defined.js';
import type { ItemFilter } from '../query/items-wanted.js';

/** The id in a filter that selects no items. No item has this id. */
export const NO_ITEM = '0';

/** The filters of which an item can match only one value. */
const EXCLUSIVE = ['state', 'favorite', 'annotated', 'itemId'] as const;

/**
 * Narrows the filter of a saved list by the filter of a request. Returns a filter for the items that match both. A
 * query has room for only one search, text and content type. If both filters have one, that of the request wins.
 */
export function narrowedFilter(list: ItemFilter, request: ItemFilter): ItemFilter {
  const domain = commonDomain(list.domain, request.domain);
  const tags = tagsOfBoth(list, request);
  const filter = defined<ItemFilter>({ ...list, ...request, domain, tags });
  return areApart(list, request) ? { ...filter, itemId: NO_ITEM } : filter;
}

/** Returns the tags that items must have in addition to the tag of the request, or of the list if there is none. */
const tagsOfBoth = (list: ItemFilter, request: ItemFilter): readonly string[] | undefined =>
  typeof list.tag === 'object' && typeof request.tag === 'object'
    ? [list.tag.key, ...(list.tags ?? [])]
    : list.tags;

/** Returns true if no item can match both filters. */
const areApart = (list: ItemFilter, request: ItemFilter): boolean =>
  EXCLUSIVE.some((name) => differ(list[name], request[name])) ||
  (differ(list.tag, request.tag) && [list.tag, request.tag].includes('untagged')) ||
  (differ(list.domain, request.domain) && commonDomain(list.domain, request.domain) === undefined);

const differ = (one: unknown, other: unknown): boolean =>
  one !== undefined && other !== undefined && one !== other;

/** Returns the domain whose hosts belong to both domains. Undefined if no host belongs to both. */
function commonDomain(one: string | undefined, other: string | undefined): string | undefined {
  if (one === undefined || other === undefined) {
    return one ?? other;
  }
  const isLonger = one.length > other.length;
  const narrow = isLonger ? one : other;
  const wide = isLonger ? other : one;
  return narrow === wide || narrow.endsWith(`.${wide}`) ? narrow : undefined;
}
