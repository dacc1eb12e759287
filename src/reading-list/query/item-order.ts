import type { ItemsWanted } from './items-wanted.js';

/** The time by which the orders `newest` and `oldest` sort (docs/decisions/0016). */
export type TimeOrder = 'time_added' | 'time_read' | 'time_favorited';

/**
 * The columns by which items are sorted. `type` is the PostgreSQL type of the column, and `indexed` shows which index
 * is sorted by the column. `inSearch` is true if the table `item_search` has a copy of the column.
 */
export const SORT_COLUMNS = {
  added_order: { type: 'bigint', indexed: 'added', inSearch: true },
  time_read: { type: 'bigint', indexed: 'archived', inSearch: false },
  time_favorited: { type: 'bigint', indexed: 'favorites', inSearch: false },
  title_key: { type: 'text', indexed: 'all', inSearch: true },
  url_key: { type: 'text', indexed: 'all', inSearch: true },
  word_count: { type: 'bigint', indexed: 'none', inSearch: false },
} as const;

export type SortColumn = keyof typeof SORT_COLUMNS;

interface Order {
  readonly column: SortColumn | 'time';
  readonly direction: 'ASC' | 'DESC';
}

/** The sort orders of `/v3/get`, by parameter value. `time` stands for the column that `TimeOrder` selects. */
const API_ORDERS = {
  newest: { column: 'time', direction: 'DESC' },
  oldest: { column: 'time', direction: 'ASC' },
  title: { column: 'title_key', direction: 'ASC' },
  site: { column: 'url_key', direction: 'ASC' },
} as const satisfies Readonly<Record<string, Order>>;

/** The sort orders by reading time, which only the reader has. They need the filter `words`. */
export const READING_TIME_ORDERS = {
  shortest: { column: 'word_count', direction: 'ASC' },
  longest: { column: 'word_count', direction: 'DESC' },
} as const satisfies Readonly<Record<string, Order>>;

/** All sort orders of items. Their names are parameter values, and the keys of the UI texts in `list.sorts`. */
const ITEM_ORDERS = { ...API_ORDERS, ...READING_TIME_ORDERS };

type ApiOrder = keyof typeof API_ORDERS;
export type ReadingTimeOrder = keyof typeof READING_TIME_ORDERS;
export type ItemOrder = ApiOrder | ReadingTimeOrder;

const isApiOrder = (name: string): name is ApiOrder => Object.hasOwn(API_ORDERS, name);

export const isReadingTimeOrder = (name: string): name is ReadingTimeOrder =>
  Object.hasOwn(READING_TIME_ORDERS, name);

/** The names of the sort orders of `/v3/get`. The reader has them too. */
export const ITEM_ORDER_NAMES: readonly ApiOrder[] = Object.keys(API_ORDERS).filter(isApiOrder);

/**
 * The column and the direction to sort by. Items with equal values in this column are sorted by id, in the same
 * direction.
 */
export interface SortKey {
  readonly column: SortColumn;
  readonly direction: 'ASC' | 'DESC';
}

export function sortKeyOf({
  order,
  timeOrder = 'time_added',
  isReversed,
}: Pick<ItemsWanted, 'order'> & Partial<ItemsWanted>): SortKey {
  const { column, direction } = ITEM_ORDERS[order];
  const time = timeOrder === 'time_added' ? 'added_order' : timeOrder;
  const isAscending = (direction === 'ASC') !== (isReversed === true);
  return { column: column === 'time' ? time : column, direction: isAscending ? 'ASC' : 'DESC' };
}

/**
 * The position of the last row of a page, which is an item or the record of a deleted item. The
 * next page begins after this row.
 */
export type PagePosition =
  | { readonly kind: 'item'; readonly key: string; readonly itemId: string }
  | { readonly kind: 'tombstone'; readonly version: string; readonly itemId: string };

const ITEM = 0;
const TOMBSTONE = 1;
/** The byte 0, which marks the end of an encoded text. A text from PostgreSQL never contains this byte. */
const END_OF_TEXT = Buffer.of(0);
const NUMBER_BYTES = 8;

export const sortType = (column: SortColumn): 'bigint' | 'text' => SORT_COLUMNS[column].type;

const isTextKey = (column: SortColumn): boolean => sortType(column) === 'text';

/**
 * Returns the position as bytes. Sorting the encoded positions as byte strings gives the order in which a list with
 * this sort key is read.
 */
export function encodePosition(position: PagePosition, sortKey: SortKey): Buffer {
  if (position.kind === 'tombstone') {
    return Buffer.concat([
      Buffer.of(TOMBSTONE),
      encodeNumber(position.version),
      encodeNumber(position.itemId),
    ]);
  }
  const key = isTextKey(sortKey.column)
    ? Buffer.concat([Buffer.from(position.key), END_OF_TEXT])
    : encodeNumber(position.key);
  const body = Buffer.concat([key, encodeNumber(position.itemId)]);
  return Buffer.concat([Buffer.of(ITEM), directed(body, sortKey)]);
}

/** Returns the position that `encodePosition` has encoded with this sort key. */
export function decodePosition(bytes: Buffer, sortKey: SortKey): PagePosition {
  const isTombstone = bytes[0] === TOMBSTONE;
  const body = isTombstone ? bytes.subarray(1) : directed(bytes.subarray(1), sortKey);
  const itemId = decodeNumber(body.subarray(-NUMBER_BYTES));
  const key = body.subarray(0, -NUMBER_BYTES);
  if (isTombstone) {
    return { kind: 'tombstone', version: decodeNumber(key), itemId };
  }
  const text = isTextKey(sortKey.column);
  return { kind: 'item', key: text ? key.subarray(0, -1).toString() : decodeNumber(key), itemId };
}

const directed = (body: Buffer, { direction }: SortKey): Buffer =>
  direction === 'ASC' ? body : Buffer.from(body.map((byte) => ~byte));

/**
 * An offset that is added to each number before it is encoded. It makes negative numbers sort before positive numbers.
 */
const HALF = 2n ** 63n;

function encodeNumber(text: string): Buffer {
  const bytes = Buffer.alloc(NUMBER_BYTES);
  bytes.writeBigUInt64BE(BigInt(text) + HALF);
  return bytes;
}

const decodeNumber = (bytes: Buffer): string => String(bytes.readBigUInt64BE() - HALF);
