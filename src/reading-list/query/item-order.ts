import type { ItemsWanted, TimeOrder } from './items-wanted.js';

/** The column and direction to sort by. Items with equal values are sorted by id, in the same direction. */
export interface SortKey {
  readonly column: 'added_order' | Exclude<TimeOrder, 'time_added'> | 'title_key' | 'url_key';
  readonly direction: 'ASC' | 'DESC';
}

export function sortKeyOf(wanted: ItemsWanted): SortKey {
  const { column, direction } = forwardKeyOf(wanted);
  const isAscending = (direction === 'ASC') !== (wanted.isReversed === true);
  return { column, direction: isAscending ? 'ASC' : 'DESC' };
}

function forwardKeyOf({ order, timeOrder = 'time_added' }: ItemsWanted): SortKey {
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

/** The position of the last row of a page. The next page begins after it. Tombstones follow the items. */
export type PagePosition =
  | { readonly kind: 'item'; readonly key: string; readonly itemId: string }
  | { readonly kind: 'tombstone'; readonly version: string; readonly itemId: string };

const TEXTS: ReadonlySet<SortKey['column']> = new Set<SortKey['column']>(['title_key', 'url_key']);
const ITEM = 0;
const TOMBSTONE = 1;
/** The byte 0, which PostgreSQL never allows in texts. It marks the end of a text. */
const END_OF_TEXT = Buffer.of(0);
const NUMBER_BYTES = 8;

export const isTextKey = (column: SortKey['column']): boolean => TEXTS.has(column);

/** Returns the position as bytes. Byte strings sort like the positions in this order, so the smallest is read first. */
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

/** Returns the position from its bytes in this order. */
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

/** An offset that is added to each number, so that negative numbers sort before positive numbers. */
const HALF = 2n ** 63n;

function encodeNumber(text: string): Buffer {
  const bytes = Buffer.alloc(NUMBER_BYTES);
  bytes.writeBigUInt64BE(BigInt(text) + HALF);
  return bytes;
}

const decodeNumber = (bytes: Buffer): string => String(bytes.readBigUInt64BE() - HALF);
