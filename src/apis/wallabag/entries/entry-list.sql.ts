import type { Statement } from '../../../platform/database/query-rows.js';
import { ITEM_COLUMNS } from '../../../reading-list/entities/item.entity.js';
import { Bound } from '../../../reading-list/query/bound-values.js';
import { conditionsOf } from '../../../reading-list/query/conditions.js';
import { tested } from '../../../reading-list/query/conditions.sql.js';
import type { ItemFilter } from '../../../reading-list/query/items-wanted.js';
import { keptTotal } from '../../../reading-list/query/total.sql.js';
import type { EntryDirection, EntrySort } from './entries.request.js';

/** The columns that a query for entries selects. */
export const ENTRY_COLUMNS: readonly string[] = [...ITEM_COLUMNS, 'number', 'stamp AS version'];

/** The filter of a query for entries. An undefined property does not filter. */
export interface EntryFilter extends Pick<
  ItemFilter,
  'state' | 'favorite' | 'annotated' | 'since'
> {
  /** The ids of tags. An entry must have all of these tags. */
  readonly tagIds?: readonly string[];
  /** The number of items with the rarest of the tags in `tagIds`. */
  readonly tagged?: number;
  /** True to select only entries with a page, false to select only entries without. */
  readonly isFetched?: boolean;
  /** The host in the URLs of the entries, in lower case and ASCII. */
  readonly host?: string;
  /** True to select only entries with a public link. */
  readonly isPublic?: boolean;
  /** Selects only entries whose fetch ended with a given HTTP status. */
  readonly withStatus?: WithStatus;
}

/**
 * The stored pages that have one HTTP status, and the items whose last fetch failed with this
 * status.
 */
export interface WithStatus {
  readonly pageIds: readonly string[];
  readonly itemIds: readonly string[];
}

/** The position of an entry in a sorted list: the sort key and the numeric id of the entry. */
export interface EntryPosition {
  readonly key: string;
  readonly number: string;
}

/** A query for one page of entries. */
export interface EntriesWanted {
  readonly userId: string;
  readonly filter: EntryFilter;
  readonly sort: EntrySort;
  readonly order: EntryDirection;
  readonly limit: number;
  readonly offset: number;
  /**
   * The position after which the query skips `offset` entries. If the position is undefined, the query skips the first
   * `offset` entries of the list.
   */
  readonly after?: EntryPosition;
}

/** Selects the items that have all of the tags, with one index lookup for each tag. */
const withTags = (
  tagIds: string,
): string => `SELECT g.item_id FROM unnest(${tagIds}::bigint[]) one (id)
    CROSS JOIN LATERAL (SELECT item_id FROM item_tags
      WHERE user_id = $1 AND tag_id = one.id OFFSET 0) g
    GROUP BY g.item_id HAVING count(*) = cardinality(${tagIds})`;

/**
 * The maximum number of tagged items that the query looks up one by one. If more items have the
 * rarest requested tag, the query scans the list in the requested order instead. This scan soon
 * finds enough items for a page.
 */
const FEW = 5000;

const walksTags = ({ tagIds, tagged = 0 }: EntryFilter): boolean =>
  tagIds !== undefined && tagged > FEW;

const hasFewTagged = (filter: EntryFilter): boolean =>
  filter.tagIds !== undefined && !walksTags(filter);

/**
 * True if the query finds the items by the index on hosts, and so needs no separate condition on
 * the host.
 */
const readsHost = (filter: EntryFilter): boolean =>
  filter.host !== undefined && !hasFewTagged(filter);

/** Selects the items with a public link. */
const PUBLIC = `SELECT item_id FROM shared_items
  WHERE user_id = $1 AND (expires_at IS NULL OR expires_at > now())`;

const itemsIn = (ids: string): string => `(${ids}) s CROSS JOIN LATERAL (
      SELECT * FROM items WHERE user_id = $1 AND item_id = s.item_id OFFSET 0) i`;

/**
 * True if the query finds the items by their public links, and so needs no separate condition on
 * public links.
 */
const readsPublic = (filter: EntryFilter): boolean =>
  filter.isPublic === true && !hasFewTagged(filter) && filter.host === undefined;

/**
 * Returns the FROM clause for the table `items`, with the alias `i`. The subquery with OFFSET 0
 * makes the planner apply the most selective filter first. The planner does not know the parameter
 * values, so it would otherwise scan the whole list in page order.
 */
function source({ filter, sort }: EntriesWanted, bound: Bound): string {
  const { since, tagIds, host } = filter;
  if (hasFewTagged(filter)) {
    return itemsIn(withTags(bound.bind(tagIds, 'text[]')));
  }
  if (readsPublic(filter)) {
    return itemsIn(PUBLIC);
  }
  if (host !== undefined) {
    return `(SELECT * FROM items WHERE user_id = $1 AND ${hasHost(host, bound)} OFFSET 0) i`;
  }
  return since === undefined || sort === 'updated'
    ? 'items i'
    : `(SELECT * FROM items WHERE user_id = $1 AND stamp > ${bound.bind(since, 'bigint')} OFFSET 0) i`;
}

/** The host of an entry's URL, in lower case. The index on hosts is on exactly this expression. */
const HOST = String.raw`left(substring(lower(coalesce(nullif(resolved_url, ''), given_url) COLLATE "C")
  from '^(?:https?://)?(?:[^/?#]*@)?(\[[^]]*\]|[^:/?#]*)'), 253)`;

function tests(wanted: EntriesWanted, bound: Bound): string {
  const { filter, sort } = wanted;
  const all = [
    'i.user_id = $1',
    ...conditionsOf(filter).map((condition) => tested(condition, bound, 'i')),
    // Without this redundant condition, the planner does not use the partial index on archived items.
    sort === 'archived' && filter.state === 'archive' && 'i.status = 1',
    ...testsOfPages(filter, bound),
    ...(walksTags(filter) ? [isInSet(withTags(bound.bind(filter.tagIds, 'text[]')))] : []),
  ];
  return all.filter((test) => test !== false).join(' AND ');
}

/**
 * Returns a condition that the item is in a set. The array makes PostgreSQL use a hash table, even
 * if its estimate of the set's size is wrong.
 */
const isInSet = (set: string, expected = true): string =>
  `(i.item_id IN (SELECT unnest(ARRAY(${set})))) IS ${expected ? 'TRUE' : 'FALSE'}`;

function testsOfPages(filter: EntryFilter, bound: Bound): string[] {
  const { isFetched, host, withStatus, isPublic } = filter;
  return [
    ...(isFetched === undefined ? [] : [`(i.resolved_id <> 0) = ${isFetched ? 'true' : 'false'}`]),
    ...(withStatus === undefined ? [] : [hasStatus(withStatus, bound)]),
    ...(isPublic === undefined || readsPublic(filter) ? [] : [isInSet(PUBLIC, isPublic)]),
    ...(host === undefined || readsHost(filter) ? [] : [hasHost(host, bound)]),
  ];
}

const hasStatus = ({ pageIds, itemIds }: WithStatus, bound: Bound): string =>
  `(i.resolved_id = ANY (${bound.bind(pageIds, 'text[]')}::bigint[])
    OR i.item_id = ANY (${bound.bind(itemIds, 'text[]')}::bigint[]))`;

const hasHost = (host: string, bound: Bound): string => `${HOST} = ${bound.bind(host, 'text')}`;

/**
 * Returns the SQL expression of the sort key. If entries are sorted by the time of archiving, the key of an entry that
 * is not archived is 0.
 */
function keyOf({ sort, filter }: EntriesWanted): string {
  switch (sort) {
    case 'created':
      return 'i.number';
    case 'updated':
      return 'i.stamp';
    case 'archived':
      return filter.state === 'archive'
        ? 'i.time_read'
        : 'CASE WHEN i.status = 1 THEN i.time_read ELSE 0 END';
  }
}

/**
 * Returns the condition for entries after a position. The additional condition on the sort key lets
 * PostgreSQL find the start of the page in an index.
 */
function behind(wanted: EntriesWanted, bound: Bound): string {
  const { after, order } = wanted;
  if (after === undefined) {
    return '';
  }
  const past = order === 'asc' ? '>' : '<';
  const [key, number] = [bound.bind(after.key, 'bigint'), bound.bind(after.number, 'bigint')];
  return ` AND ${keyOf(wanted)} ${past}= ${key} AND (${keyOf(wanted)}, i.number) ${past} (${key}, ${number})`;
}

/**
 * Returns SQL for the number of all entries that match the filter. Uses a stored number if there is
 * one, for example for one tag or for all archived entries.
 */
function total(wanted: EntriesWanted, bound: Bound): string {
  const { filter } = wanted;
  const kept = needsRows(filter) ? undefined : keptOf(filter, bound);
  if (kept !== undefined) {
    return kept;
  }
  // Count without the subquery for `since`. The subquery reads whole rows, but the count needs only
  // an index.
  const isFound = hasFewTagged(filter) || readsHost(filter) || readsPublic(filter);
  const from = isFound ? source(wanted, bound) : 'items i';
  return `(SELECT count(*) FROM ${from} WHERE ${tests(wanted, bound)})`;
}

const needsRows = ({ isFetched, host, withStatus, isPublic }: EntryFilter): boolean =>
  [isFetched, host, withStatus, isPublic].some((one) => one !== undefined);

function keptOf(filter: EntryFilter, bound: Bound): string | undefined {
  const { tagIds, tagged = 0 } = filter;
  const conditions = conditionsOf(filter);
  if (tagIds === undefined) {
    return keptTotal(conditions, bound);
  }
  const isOneTag = tagIds.length === 1 && conditions.length === 0;
  return isOneTag ? bound.bind(tagged, 'int') : undefined;
}

/**
 * Returns a statement for one page of entries and the number of all entries. The statement also
 * returns the first entry of the next page, if there is one. OFFSET 0 makes the planner look up
 * each row of the page by an index.
 */
export function entryPage(wanted: EntriesWanted): Statement {
  const bound = new Bound(wanted.userId);
  const direction = wanted.order === 'asc' ? 'ASC' : 'DESC';
  const limits = `LIMIT ${bound.bind(wanted.limit + 1, 'bigint')} OFFSET ${bound.bind(wanted.offset, 'bigint')}`;
  const text = `
    WITH page AS MATERIALIZED (
      SELECT i.item_id, i.number, ${keyOf(wanted)} AS key FROM ${source(wanted, bound)}
      WHERE ${tests(wanted, bound)}${behind(wanted, bound)} ORDER BY key ${direction}, i.number ${direction} ${limits})
    SELECT head.total, row.* FROM (SELECT ${total(wanted, bound)}::int AS total) head
      LEFT JOIN page ON true LEFT JOIN LATERAL (
        SELECT ${ENTRY_COLUMNS.map((column) => `o.${column}`).join(', ')}
        FROM items o WHERE o.user_id = $1 AND o.item_id = page.item_id OFFSET 0) row ON true
    ORDER BY page.key ${direction}, page.number ${direction}`;
  return { text, values: bound.values };
}
