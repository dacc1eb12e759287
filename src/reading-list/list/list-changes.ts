import type { ItemAnnotation } from './annotation.js';
import { type Faceted, facetMoves } from './facet.js';
import type { ItemTexts } from './item-keys.js';
import type { ListSlice } from './list-slice.js';
import type { RequestedItem } from './page-requests.js';
import type { Origin, SliceItem } from './slice-item.js';
import type { ItemState, StoredItem } from './stored-slice.js';
import type { NamedTag } from './tag-name.js';
import { type TaggedItem, type TagRowChanges, tagRowChanges } from './tag-rows.js';

/** A tag of the database and what becomes of it on every item; without a target it is taken off. */
export interface RetaggedTag {
  readonly from: NamedTag;
  readonly to: NamedTag | undefined;
}

export interface ChangedItem extends Origin {
  readonly itemId: string;
  readonly state: ItemState;
  readonly tags: readonly string[];
  readonly texts: ItemTexts;
}

/** What a batch made of a list, as sets of rows: `retagged` comes first, the rest is what differs after it. */
export interface ListChanges {
  readonly now: number;
  /** How many times items were added. */
  readonly additions: number;
  readonly retagged: readonly RetaggedTag[];
  /** Rows that go; an item may come back in `written`, as if it had never been there. */
  readonly deleted: readonly string[];
  /** Items whose texts are new or other ones. */
  readonly written: readonly ChangedItem[];
  /** Items of which only the state changed. */
  readonly updated: readonly ChangedItem[];
  /** Items that search finds by other texts, or at another place. */
  readonly reindexed: readonly string[];
  /** Items whose pages are to be read. */
  readonly requested: readonly RequestedItem[];
  /** The same, when everything else is done. */
  readonly requestedInBulk: readonly RequestedItem[];
  readonly tombstones: readonly string[];
  /** Tombstones that go. */
  readonly revived: readonly string[];
  readonly tagRows: TagRowChanges;
  /** Tags that are new or shown otherwise. */
  readonly newNames: readonly NamedTag[];
  readonly facetMoves: readonly number[];
  /** Removals come first. */
  readonly annotations: {
    readonly removed: readonly string[];
    readonly written: readonly ItemAnnotation[];
  };
}

/** What the slice differs in from what was loaded. */
export function changesOf(slice: ListSlice): ListChanges {
  const touched = [...slice.items.all()].filter((item) => item.isTouched);
  const deleted = slice.stored.items.filter(({ itemId }) => !slice.items.keeps(itemId));
  const before = rowsBefore(slice, [...deleted, ...touched.flatMap(({ stored }) => stored ?? [])]);
  const after = touched.map((item) => rowAfter(item));
  return {
    now: slice.now,
    additions: slice.additions.count,
    retagged: retagged(slice),
    deleted: deleted.map(idOf),
    written: touched.filter((item) => item.hasOtherTexts).map((item) => changed(slice, item)),
    updated: touched.filter((item) => !item.hasOtherTexts).map((item) => changed(slice, item)),
    reindexed: touched.filter((item) => item.hasMoved || item.hasOtherTexts).map(idOf),
    requested: touched.filter((item) => item.needsPage).map(requestOf),
    requestedInBulk: touched.filter((item) => item.needsPageInBulk).map(requestOf),
    tombstones: slice.items.newTombstones(),
    revived: slice.items.revived(),
    tagRows: tagRowChanges(before, after),
    newNames: slice.tags.newNames(),
    facetMoves: facetMoves(before, after),
    annotations: slice.annotations.changes(),
  };
}

/** Actions that change nothing get no stamp. */
export const isNothing = (changes: ListChanges): boolean =>
  [
    changes.retagged,
    changes.deleted,
    changes.written,
    changes.updated,
    changes.tombstones,
    changes.revived,
  ].every((rows) => rows.length === 0);

type Row = TaggedItem & Faceted;

/** As the database has the items once the tags are changed that all items share. */
const rowsBefore = (slice: ListSlice, items: readonly StoredItem[]): Row[] =>
  items.map((item) => ({
    ...item,
    tagIds: slice.wide.applyTo(slice.tags.idsOf(item.tags)),
  }));

const rowAfter = ({ itemId, state, stored }: SliceItem): Row => ({
  ...state,
  itemId,
  kind: stored?.kind ?? 0,
});

const requestOf = ({ itemId, state }: SliceItem): RequestedItem => ({
  itemId,
  givenUrl: state.givenUrl,
});

const changed = ({ tags, now }: ListSlice, item: SliceItem): ChangedItem => ({
  itemId: item.itemId,
  state: item.state,
  tags: item.state.tagIds.map((id) => tags.nameOf(id)),
  texts: { ...item.state, ...resolvedTexts(item) },
  ...item.writtenAs(now),
});

const resolvedTexts = ({
  stored,
}: SliceItem): Pick<ItemTexts, 'resolvedUrl' | 'resolvedTitle'> => ({
  resolvedUrl: stored?.resolvedUrl ?? '',
  resolvedTitle: stored?.resolvedTitle ?? '',
});

const retagged = ({ tags, wide }: ListSlice): RetaggedTag[] =>
  wide.entries().map(([from, to]) => ({
    from: { id: from, name: tags.storedNameOf(from) },
    to: to === undefined ? undefined : { id: to, name: tags.nameOf(to) },
  }));

const idOf = ({ itemId }: { readonly itemId: string }): string => itemId;
