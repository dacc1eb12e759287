import type { StoredDetails } from '../details/tracked-details.js';
import { type Faceted, facetMoves } from '../facet.js';
import { type PageChanges, pageChangesOf } from '../pages/page-changes.js';
import type { StorageMove } from '../storage/storage-room.js';
import type { ItemTexts } from './item-texts.js';
import {
  type AddedAt,
  addedOrder,
  type BuriedItem,
  type ItemState,
  type Origin,
  type StoredItem,
} from './list-state.js';
import type { ListUnitOfWork } from './list-unit-of-work.js';
import type { NamedTag } from './tag-name.js';
import type { ItemAnnotation } from './tracked-annotations.js';
import type { TrackedItem } from './tracked-items.js';

/** A stored tag that is renamed or removed on every item. If `to` is undefined, the tag is removed. */
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

interface Numbered {
  readonly number: number;
}

/**
 * The renames and deletions of tags in one transaction. They also apply to items that are not
 * loaded.
 */
interface BulkChanges {
  /** Tags to rename or delete in this transaction, before all other changes. */
  readonly retagged: readonly RetaggedTag[];
  /** Tags with too many items for this transaction. Later transactions rename or delete them (docs/decisions/0085). */
  readonly moving: readonly RetaggedTag[];
}

/**
 * The changes of one transaction. The renames and deletions of tags in `retagged` are written
 * first, and the other properties do not repeat them.
 */
export interface ListChanges extends BulkChanges, PageChanges {
  readonly now: number;
  /** The number of additions of items to the list, including items that were added again. */
  readonly additions: number;
  /** The number of 31-bit ids that were assigned. */
  readonly numbers: number;
  /** Items to delete. An item that was deleted and added again is also in `upserted`. */
  readonly deleted: readonly string[];
  /** New items, and items whose titles or URLs have changed. */
  readonly upserted: readonly (ChangedItem & Numbered)[];
  /** Items with a changed state, such as archived, but unchanged titles and URLs. */
  readonly stateChanged: readonly ChangedItem[];
  /** Items whose search text or position in the list changed. */
  readonly reindexed: readonly string[];
  readonly tombstones: readonly BuriedItem[];
  /** Ids of deleted items that were added again. The records of their deletion must be removed. */
  readonly revived: readonly string[];
  readonly tagRows: TagRowChanges;
  /** New tags, and tags whose spelling changed. */
  readonly newNames: readonly (NamedTag & Numbered)[];
  readonly facetMoves: readonly number[];
  readonly details: readonly StoredDetails[];
  /** The change of the stored size of the list. */
  readonly storage: StorageMove;
  readonly annotations: {
    readonly removed: readonly string[];
    readonly written: readonly (ItemAnnotation & Numbered)[];
  };
}

/**
 * Returns the differences between the loaded and the changed state of a list. If tags to rename or
 * delete have more than `taggedAtOnce` items, later transactions change these items if possible.
 */
export function changesOf(unit: ListUnitOfWork, taggedAtOnce = Infinity): ListChanges {
  const touched = [...unit.items.all()].filter((item) => item.isTouched);
  const deleted = unit.stored.items.filter(({ itemId }) => !unit.items.keeps(itemId));
  const bulk = bulkChanges(unit, taggedAtOnce);
  const before = rowsBefore(unit, [...deleted, ...storedOf(touched)], bulk);
  const after = touched.map((item) => rowAfter(item));
  const upserted = touched.filter((item) => item.hasOtherTexts);
  const numbers = Numbers.of(unit, touched);
  const { removed, written: marked } = unit.annotations.changes();
  return {
    now: unit.now,
    additions: unit.additions.count,
    ...bulk,
    deleted: deleted.map(idOf),
    upserted: numbers.giveTo(upserted.map((item) => withNumber(unit, item))),
    stateChanged: touched.filter((item) => !item.hasOtherTexts).map((item) => changed(unit, item)),
    reindexed: touched.filter((item) => item.hasMoved || item.hasOtherTexts).map(idOf),
    ...pageChangesOf(touched),
    tombstones: unit.items.newTombstones(),
    revived: unit.items.revived(),
    tagRows: tagRowChanges(before, after),
    newNames: numbers.giveTo(unit.tags.newNames()),
    facetMoves: facetMoves(before, after),
    annotations: { removed, written: numbers.giveTo(marked) },
    details: unit.details.changes(),
    storage: unit.room.move,
    numbers: numbers.count,
  };
}

/**
 * Returns the tags to rename or delete. They are in `moving` if later transactions can change their
 * items and there are more than `atOnce` items. Otherwise, they are in `retagged`.
 */
function bulkChanges(unit: ListUnitOfWork, atOnce: number): BulkChanges {
  const all = retaggedBy(unit);
  return carriersOf(unit, all) > atOnce && canFollow(unit, all)
    ? { retagged: [], moving: all }
    : { retagged: all, moving: [] };
}

const retaggedBy = ({ tags, bulkTags }: ListUnitOfWork): RetaggedTag[] =>
  bulkTags.entries().map(([from, to]) => ({
    from: { id: from, name: tags.storedNameOf(from) },
    to: to === undefined ? undefined : { id: to, name: tags.nameOf(to) },
  }));

const carriersOf = ({ tags }: ListUnitOfWork, retagged: readonly RetaggedTag[]): number =>
  retagged.reduce((sum, { from }) => sum + tags.storedCountOf(from.id), 0);

/**
 * Returns true if later transactions can rename or delete the tags. They cannot if an action has
 * added an old tag to an item again, because they would change this item too.
 */
const canFollow = ({ tags }: ListUnitOfWork, retagged: readonly RetaggedTag[]): boolean =>
  retagged.every(({ from }) => !tags.exists(from.id));

/**
 * Assigns a number (31-bit id) to each row without one. A stored row keeps its stored number, and the assigned number
 * stays unused: a gap in the numbers costs less than reading the stored number first.
 */
class Numbers {
  static of({ numbersGiven }: ListUnitOfWork, touched: readonly TrackedItem[]): Numbers {
    const imported = touched.flatMap(({ number }) => number ?? []);
    return new Numbers(numbersGiven, imported);
  }

  private given: number;

  /** New numbers must exceed `before` and the numbers of imported items, which may be higher than `before`. */
  private constructor(
    private readonly before: number,
    imported: readonly number[],
  ) {
    this.given = Math.max(before, ...imported) - before;
  }

  get count(): number {
    return this.given;
  }

  giveTo<T extends object>(rows: readonly (T & Partial<Numbered>)[]): (T & Numbered)[] {
    return rows.map((row) => {
      const { number }: Partial<Numbered> = row;
      return { number: number ?? this.next(), ...row };
    });
  }

  private next(): number {
    this.given += 1;
    return this.before + this.given;
  }
}

/** Returns true if nothing changed. In that case, the list gets no new version. */
export const isNothing = (changes: ListChanges): boolean =>
  [
    changes.retagged,
    changes.moving,
    changes.deleted,
    changes.upserted,
    changes.stateChanged,
    changes.tombstones,
    changes.revived,
  ].every((rows) => rows.length === 0) && changes.storage.storedBytes === 0;

/**
 * The number of changed items above which a transaction gets a longer time limit. One call may contain 5,000 actions,
 * and each action may take a millisecond on a slow disk.
 */
const LARGE_BATCH = 1000;

/** Returns true if the changes may take longer than the usual time limit of a statement. */
export const isLarge = ({ stateChanged, upserted, deleted }: ListChanges): boolean =>
  stateChanged.length + upserted.length + deleted.length > LARGE_BATCH;

type Row = TaggedItem & Faceted;

/**
 * Returns the stored items as they are after the changes in `retagged`. The tags in `moving` still have their old
 * names, because later transactions rename or delete them.
 */
const rowsBefore = (
  { tags, bulkTags }: ListUnitOfWork,
  items: readonly StoredItem[],
  { moving }: BulkChanges,
): Row[] =>
  items.map((item) => {
    const tagIds = tags.idsOf(item.tags);
    return { ...item, tagIds: moving.length > 0 ? tagIds : bulkTags.applyTo(tagIds) };
  });

const rowAfter = ({ itemId, state, stored }: TrackedItem): Row => ({
  itemId,
  kind: stored?.kind ?? 0,
  ...state,
});

const storedOf = (items: readonly TrackedItem[]): StoredItem[] =>
  items.flatMap(({ stored }) => stored ?? []);

const withNumber = (unit: ListUnitOfWork, item: TrackedItem): ChangedItem & Partial<Numbered> => ({
  ...(item.number !== undefined && { number: item.number }),
  ...changed(unit, item),
});

const changed = ({ tags, now }: ListUnitOfWork, item: TrackedItem): ChangedItem => ({
  itemId: item.itemId,
  state: item.state,
  tags: item.state.tagIds.map((id) => tags.nameOf(id)),
  texts: {
    resolvedUrl: item.stored?.resolvedUrl ?? '',
    resolvedTitle: item.stored?.resolvedTitle ?? '',
    ...item.state,
  },
  ...item.writtenAs(now),
});

const idOf = ({ itemId }: { readonly itemId: string }): string => itemId;

/** One tag of one item, as a row of the table `item_tags`. */
export interface ItemTagRow {
  readonly tagId: string;
  readonly addedOrder: string;
  readonly itemId: string;
}

interface TaggedItem extends AddedAt {
  readonly itemId: string;
  readonly tagIds: readonly string[];
}

interface TagRowChanges {
  readonly removed: readonly ItemTagRow[];
  readonly inserted: readonly ItemTagRow[];
}

/**
 * Returns the `item_tags` rows to remove and to insert. If an item moves in the list, all its rows change, because each
 * row contains the position of the item.
 */
function tagRowChanges(before: readonly TaggedItem[], after: readonly TaggedItem[]): TagRowChanges {
  const old = rowsOf(before);
  const next = rowsOf(after);
  return {
    removed: [...old].filter(([key]) => !next.has(key)).map(([, row]) => row),
    inserted: [...next].filter(([key]) => !old.has(key)).map(([, row]) => row),
  };
}

const rowsOf = (items: readonly TaggedItem[]): Map<string, ItemTagRow> =>
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
