/** A row of `item_tags`. */
export interface TagRow {
  readonly tagId: string;
  readonly timeAdded: number;
  readonly itemId: string;
}

/** What makes the tag rows of an item. */
export interface TaggedItem {
  readonly itemId: string;
  readonly timeAdded: number;
  readonly tagIds: readonly string[];
}

export interface TagRowChanges {
  readonly removed: readonly TagRow[];
  readonly inserted: readonly TagRow[];
}

/** The rows that differ. An item that moves to the top takes all of its rows along: they carry its time. */
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
    items.flatMap(({ itemId, timeAdded, tagIds }) =>
      tagIds.map((tagId) => [`${tagId} ${timeAdded} ${itemId}`, { tagId, timeAdded, itemId }]),
    ),
  );
