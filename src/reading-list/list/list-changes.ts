import { defined } from '../../lib/util/defined.js';
import type { StoredDetails } from '../details/tracked-details.js';
import { type Faceted, facetMoves } from '../facet.js';
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
import type { RequestedItem } from './page-requests.js';
import type { NamedTag } from './tag-name.js';
import type { ItemAnnotation } from './tracked-annotations.js';
import type { TrackedItem } from './tracked-items.js';

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

/** What is new in a list has a number. */
interface Numbered {
  readonly number: number;
}

/** What a batch does to the tags of items that it does not load. */
interface BulkChanges {
  /** In the transaction of the batch, before all else. */
  readonly retagged: readonly RetaggedTag[];
  /** On so many items that these follow in transactions of their own (docs/decisions/0085). */
  readonly moving: readonly RetaggedTag[];
}

/** What a batch made of a list, as sets of rows: `retagged` comes first, the rest is what differs after it. */
export interface ListChanges extends BulkChanges {
  readonly now: number;
  /** How many times items were added. */
  readonly additions: number;
  /** How many numbers were given. */
  readonly numbers: number;
  /** Rows to delete; an item may be in `upserted` again, as a new one. */
  readonly deleted: readonly string[];
  /** New items, and items whose texts changed. */
  readonly upserted: readonly (ChangedItem & Numbered)[];
  /** Items of which only the state changed. */
  readonly stateChanged: readonly ChangedItem[];
  /** Items that search finds by other texts, or at another place. */
  readonly reindexed: readonly string[];
  /** Items with a page to be read. */
  readonly requested: readonly RequestedItem[];
  /** The same, after the pages that a user waits for. */
  readonly requestedInBulk: readonly RequestedItem[];
  readonly tombstones: readonly BuriedItem[];
  /** Tombstones to delete. */
  readonly revived: readonly string[];
  readonly tagRows: TagRowChanges;
  /** Tags that are new or shown otherwise. */
  readonly newNames: readonly (NamedTag & Numbered)[];
  readonly facetMoves: readonly number[];
  readonly details: readonly StoredDetails[];
  /** The change of the stored size of the list. */
  readonly storage: StorageMove;
  /** Removals come first. */
  readonly annotations: {
    readonly removed: readonly string[];
    readonly written: readonly (ItemAnnotation & Numbered)[];
  };
}

/**
 * The difference between the unit of work and what was loaded. Tag changes on more than `taggedAtOnce` items are left to
 * tag-moves/ where possible.
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
    requested: touched.filter((item) => item.needsPage).map(requestOf),
    requestedInBulk: touched.filter((item) => item.needsPageInBulk).map(requestOf),
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

/** Tag changes made at once, or left to tag-moves/ if more than `atOnce` items carry the tags. */
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
 * A move can be deferred only if none of its old tags exists at the end: otherwise items still to be moved could not be
 * told from items that have the tag again.
 */
const canFollow = ({ tags }: ListUnitOfWork, retagged: readonly RetaggedTag[]): boolean =>
  retagged.every(({ from }) => !tags.exists(from.id));

/** Numbers new rows. Rows that exist are counted too, and keep theirs: a small gap costs less than reading them first. */
class Numbers {
  static of({ numbersGiven }: ListUnitOfWork, touched: readonly TrackedItem[]): Numbers {
    const imported = touched.flatMap(({ number }) => number ?? []);
    return new Numbers(numbersGiven, imported);
  }

  private given: number;

  /** Those of imported items may be beyond what the list has given. */
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
      return { ...row, number: number ?? this.next() };
    });
  }

  private next(): number {
    this.given += 1;
    return this.before + this.given;
  }
}

/** Actions that change nothing give the list no new version. */
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

/** A call may carry 5,000 actions, each of which may cost a millisecond on a slow disk with a search index. */
const LARGE_BATCH = 1000;

/** True for changes that may take longer than a statement usually has. */
export const isLarge = ({ stateChanged, upserted, deleted }: ListChanges): boolean =>
  stateChanged.length + upserted.length + deleted.length > LARGE_BATCH;

type Row = TaggedItem & Faceted;

/** The items as the database has them after `retagged` was written; tags in `moving` are still the old ones. */
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
  ...state,
  itemId,
  kind: stored?.kind ?? 0,
});

const storedOf = (items: readonly TrackedItem[]): StoredItem[] =>
  items.flatMap(({ stored }) => stored ?? []);

const withNumber = (unit: ListUnitOfWork, item: TrackedItem): ChangedItem & Partial<Numbered> => ({
  ...changed(unit, item),
  ...defined({ number: item.number }),
});

const requestOf = ({ itemId, state }: TrackedItem): RequestedItem => ({
  itemId,
  givenUrl: state.givenUrl,
});

const changed = ({ tags, now }: ListUnitOfWork, item: TrackedItem): ChangedItem => ({
  itemId: item.itemId,
  state: item.state,
  tags: item.state.tagIds.map((id) => tags.nameOf(id)),
  texts: { ...item.state, ...resolvedTexts(item) },
  ...item.writtenAs(now),
});

const resolvedTexts = ({
  stored,
}: TrackedItem): Pick<ItemTexts, 'resolvedUrl' | 'resolvedTitle'> => ({
  resolvedUrl: stored?.resolvedUrl ?? '',
  resolvedTitle: stored?.resolvedTitle ?? '',
});

const idOf = ({ itemId }: { readonly itemId: string }): string => itemId;

/** A row of `item_tags`. */
export interface ItemTagRow {
  readonly tagId: string;
  readonly addedOrder: string;
  readonly itemId: string;
}

/** What makes the tag rows of an item. */
interface TaggedItem extends AddedAt {
  readonly itemId: string;
  readonly tagIds: readonly string[];
}

interface TagRowChanges {
  readonly removed: readonly ItemTagRow[];
  readonly inserted: readonly ItemTagRow[];
}

/** The rows that differ. An item that moves to the top takes all of its rows along: they carry its place in the order. */
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
