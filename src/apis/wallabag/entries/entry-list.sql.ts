import type { Statement } from '../../../platform/database/query-rows.js';
import { ITEM_COLUMNS } from '../../../reading-list/entities/item.entity.js';
import { conditionsOf } from '../../../reading-list/query/conditions.js';
import { Bound, tested } from '../../../reading-list/query/conditions.sql.js';
import type { ItemFilter } from '../../../reading-list/query/items-wanted.js';
import { keptTotal } from '../../../reading-list/query/total.sql.js';
import type { EntryDirection, EntrySort } from './entries.request.js';

/** The columns of an EntryRow. */
export const ENTRY_COLUMNS: readonly string[] = [...ITEM_COLUMNS, 'number', 'stamp AS version'];

/** What a list of entries is narrowed by; an absent property narrows nothing. */
export interface EntryFilter extends Pick<
  ItemFilter,
  'state' | 'favorite' | 'annotated' | 'since'
> {
  /** All of these, by their ids. */
  readonly tagIds?: readonly string[];
  /** The least number of items that one of the tags has. */
  readonly tagged?: number;
  readonly isRead?: boolean;
  /** In lower case and ASCII. */
  readonly host?: string;
  /** True: those with a public link. */
  readonly isPublic?: boolean;
  /** Those whose fetch was answered with one HTTP status. */
  readonly withStatus?: WithStatus;
}

/** What has one HTTP status: fetched pages, and items whose page could not be fetched. */
export interface WithStatus {
  readonly pageIds: readonly string[];
  readonly itemIds: readonly string[];
}

/** The last entry of a page, by what it is sorted by. */
export interface EntryPosition {
  readonly key: string;
  readonly number: string;
}

/** A page of a list of entries. */
export interface EntriesWanted {
  readonly userId: string;
  readonly filter: EntryFilter;
  readonly sort: EntrySort;
  readonly order: EntryDirection;
  readonly limit: number;
  readonly offset: number;
  /** From where `offset` is counted; absent: from the beginning of the list. */
  readonly after?: EntryPosition;
}

/** The items that have all of the tags: one descent of the key for each tag. */
const withTags = (
  tagIds: string,
): string => `SELECT g.item_id FROM unnest(${tagIds}::bigint[]) one (id)
    CROSS JOIN LATERAL (SELECT item_id FROM item_tags
      WHERE user_id = $1 AND tag_id = one.id OFFSET 0) g
    GROUP BY g.item_id HAVING count(*) = cardinality(${tagIds})`;

/** So few items are looked up one by one; among more, those of a page are soon found in the order of the list. */
const FEW = 5000;

const walksTags = ({ tagIds, tagged = 0 }: EntryFilter): boolean =>
  tagIds !== undefined && tagged > FEW;

const hasFewTagged = (filter: EntryFilter): boolean =>
  filter.tagIds !== undefined && !walksTags(filter);

/** True where the items of the host are read from its index, and need not be tested. */
const readsHost = (filter: EntryFilter): boolean =>
  filter.host !== undefined && !hasFewTagged(filter);

/** The index has only items with a public link. */
const PUBLIC = 'SELECT item_id FROM item_details WHERE user_id = $1 AND uid IS NOT NULL';

const itemsIn = (ids: string): string => `(${ids}) s CROSS JOIN LATERAL (
      SELECT * FROM items WHERE user_id = $1 AND item_id = s.item_id OFFSET 0) i`;

/** True where the public items are read from their index, and need not be tested. */
const readsPublic = (filter: EntryFilter): boolean =>
  filter.isPublic === true && !hasFewTagged(filter) && filter.host === undefined;

/**
 * Rows of `items` under the name `i`. What narrows most is read first, behind a fence: the planner knows no values, and
 * reads the whole list in the order of the page to find three changes.
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

/** The host of the address that an entry shows, in lower case; as the index on it says it. */
const HOST = String.raw`left(substring(lower(coalesce(nullif(resolved_url, ''), given_url) COLLATE "C")
  from '^(?:https?://)?(?:[^/?#]*@)?(\[[^]]*\]|[^:/?#]*)'), 253)`;

function tests(wanted: EntriesWanted, bound: Bound): string {
  const { filter, sort } = wanted;
  const all = [
    'i.user_id = $1',
    ...conditionsOf(filter).map((condition) => tested(condition, bound, 'i')),
    // The partial index of what is archived is known by this alone.
    sort === 'archived' && filter.state === 'archive' && 'i.status = 1',
    ...testsOfPages(filter, bound),
    ...(walksTags(filter) ? [isInSet(withTags(bound.bind(filter.tagIds, 'text[]')))] : []),
  ];
  return all.filter((test) => test !== false).join(' AND ');
}

/** By hashing, whatever the planner believes of the size of the set. */
const isInSet = (set: string, expected = true): string =>
  `(i.item_id IN (SELECT unnest(ARRAY(${set})))) IS ${expected ? 'TRUE' : 'FALSE'}`;

function testsOfPages(filter: EntryFilter, bound: Bound): string[] {
  const { isRead, host, withStatus, isPublic } = filter;
  return [
    ...(isRead === undefined ? [] : [`(i.resolved_id <> 0) = ${isRead ? 'true' : 'false'}`]),
    ...(withStatus === undefined ? [] : [hasStatus(withStatus, bound)]),
    ...(isPublic === undefined || readsPublic(filter) ? [] : [isInSet(PUBLIC, isPublic)]),
    ...(host === undefined || readsHost(filter) ? [] : [hasHost(host, bound)]),
  ];
}

const hasStatus = ({ pageIds, itemIds }: WithStatus, bound: Bound): string =>
  `(i.resolved_id = ANY (${bound.bind(pageIds, 'text[]')}::bigint[])
    OR i.item_id = ANY (${bound.bind(itemIds, 'text[]')}::bigint[]))`;

const hasHost = (host: string, bound: Bound): string => `${HOST} = ${bound.bind(host, 'text')}`;

/** What is not archived has no time of that. */
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

/** What comes behind the position. The condition on the key alone finds the place in an index of it. */
function behind(wanted: EntriesWanted, bound: Bound): string {
  const { after, order } = wanted;
  if (after === undefined) {
    return '';
  }
  const past = order === 'asc' ? '>' : '<';
  const [key, number] = [bound.bind(after.key, 'bigint'), bound.bind(after.number, 'bigint')];
  return ` AND ${keyOf(wanted)} ${past}= ${key} AND (${keyOf(wanted)}, i.number) ${past} (${key}, ${number})`;
}

/** The number of all entries of a list: kept, where the state or a tag alone narrows it. */
function total(wanted: EntriesWanted, bound: Bound): string {
  const { filter } = wanted;
  const kept = needsRows(filter) ? undefined : keptOf(filter, bound);
  if (kept !== undefined) {
    return kept;
  }
  // Without the fence, which would read the rows of all changes where the index has what is asked.
  const isFound = hasFewTagged(filter) || readsHost(filter) || readsPublic(filter);
  const from = isFound ? source(wanted, bound) : 'items i';
  return `(SELECT count(*) FROM ${from} WHERE ${tests(wanted, bound)})`;
}

const needsRows = ({ isRead, host, withStatus, isPublic }: EntryFilter): boolean =>
  [isRead, host, withStatus, isPublic].some((one) => one !== undefined);

function keptOf(filter: EntryFilter, bound: Bound): string | undefined {
  const { tagIds, tagged = 0 } = filter;
  const conditions = conditionsOf(filter);
  if (tagIds === undefined) {
    return keptTotal(conditions, bound);
  }
  const isOneTag = tagIds.length === 1 && conditions.length === 0;
  return isOneTag ? bound.bind(tagged, 'int') : undefined;
}

/** A page with one row more, and the number of all entries, at one moment. The fence keeps one descent of the key for each row. */
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
