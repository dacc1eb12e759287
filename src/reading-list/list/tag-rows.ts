import { type AddedAt, addedOrder } from './added-order.js';

/** A row of `item_tags`. */
export interface TagRow {
  readonly tagId: string;
  readonly addedOrder: string;
  readonly itemId: string;
}

/** What makes the tag rows of an item. */
export interface TaggedItem extends AddedAt {
  readonly itemId: string;
  readonly tagIds: readonly string[];
}

export interface TagRowChanges {
  readonly removed: readonly TagRow[];
  readonly inserted: readonly TagRow[];
}

/** The rows that differ. An item that moves to the top takes all of its rows along: they carry its place in the order. */
export function tagRowChanges(
  before: readonly TaggedItem[],
  after: readonly TaggedItem[],
): TagRowChanges {
  const old = rowsOf(before);
  const next = rowsOf(after);
  return {
    removed: [...old].filter(([key]) => !next.has(key)).map(([, row]) => row),
    inserted: [...next].filter(([key]) => !old.has(key)).map(([, row]) => row),
  };
}

const rowsOf = (items: readonly TaggedItem[]): Map<string, TagRow> =>
  new Map(
    items.flatMap((item) => {
      const { itemId } = item;
      const order = addedOrder(item);
      return item.tagIds.map((tagId) => [
        `${tagId} ${order} ${itemId}`,
        { tagId, addedOrder: order, itemId },
      ]);
    }),
  );
