import fc from 'fast-check';

import {
  decodePosition,
  encodePosition,
  type PagePosition,
  type SortKey,
  sortType,
} from './item-order.js';

const ORDERS: readonly SortKey[] = [
  { column: 'added_order', direction: 'DESC' },
  { column: 'added_order', direction: 'ASC' },
  { column: 'title_key', direction: 'ASC' },
  { column: 'title_key', direction: 'DESC' },
  { column: 'word_count', direction: 'ASC' },
  { column: 'word_count', direction: 'DESC' },
];

const aNumber = fc.bigInt({ min: -(2n ** 62n), max: 2n ** 62n }).map(String);
const aText = fc
  .string({ unit: fc.constantFrom('a', 'b', 'ä', '字', '\u{1F600}'), maxLength: 4 })
  .map((text) => text);

const aPosition = ({ column }: SortKey): fc.Arbitrary<PagePosition> =>
  fc.oneof(
    fc.record({
      kind: fc.constant('item' as const),
      key: sortType(column) === 'text' ? aText : aNumber,
      itemId: aNumber,
    }),
    fc.record({ kind: fc.constant('tombstone' as const), version: aNumber, itemId: aNumber }),
  );

const compared = (one: string, other: string, isText: boolean): number =>
  isText
    ? Buffer.compare(Buffer.from(one), Buffer.from(other))
    : Number(BigInt(one) > BigInt(other)) - Number(BigInt(one) < BigInt(other));

/** Compares like PostgreSQL: items by the column and the id, and tombstones after them. */
function inReadingOrder(one: PagePosition, other: PagePosition, sortKey: SortKey): number {
  if (one.kind === 'tombstone' && other.kind === 'tombstone') {
    return compared(one.version, other.version, false) || compared(one.itemId, other.itemId, false);
  }
  if (one.kind === 'tombstone' || other.kind === 'tombstone') {
    return one.kind === 'tombstone' ? 1 : -1;
  }
  const ascending =
    compared(one.key, other.key, sortType(sortKey.column) === 'text') ||
    compared(one.itemId, other.itemId, false);
  return sortKey.direction === 'ASC' ? ascending : -ascending;
}

describe.each(ORDERS)('positions in the order $column $direction', (sortKey) => {
  it('are read back as they were written', () => {
    fc.assert(
      fc.property(aPosition(sortKey), (position) => {
        expect(decodePosition(encodePosition(position, sortKey), sortKey)).toEqual(position);
      }),
    );
  });

  it('have bytes that compare as they are read', () => {
    fc.assert(
      fc.property(aPosition(sortKey), aPosition(sortKey), (one, other) => {
        const bytes = Buffer.compare(encodePosition(one, sortKey), encodePosition(other, sortKey));

        expect(Math.sign(bytes)).toBe(Math.sign(inReadingOrder(one, other, sortKey)));
      }),
    );
  });
});
