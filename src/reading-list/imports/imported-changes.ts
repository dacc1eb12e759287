import { defined } from '../../lib/util/defined.js';
import type { StoredDetails } from '../details/tracked-details.js';
import type { ItemState, Origin, StoredItem } from '../list/list-state.js';
import type { ListUnitOfWork } from '../list/list-unit-of-work.js';
import type { TrackedItem } from '../list/tracked-items.js';
import { fingerprintOf } from './item-fingerprint.js';

type ImportedState = Omit<ItemState, 'givenUrl' | 'tagIds'>;

/** The values of an item before an import has changed it. */
export interface EarlierItem extends Origin {
  /** The values that the import has changed. */
  readonly state: Partial<ImportedState>;
  /** The names of the tags. Undefined if the import has not changed the tags. */
  readonly tags?: readonly string[];
  /** The annotations that the import has added. */
  readonly annotationIds?: readonly string[];
  /** The data about the page. Null if there were none, and undefined if the import has not changed them. */
  readonly details?: StoredDetails | null;
}

/** The changes that a batch of imported rows has made to the items of a list. */
export interface ImportedChanges {
  /** The items that were added or changed. */
  readonly itemIds: readonly string[];
  /** The fingerprint of each item after the changes, in the order of `itemIds`. */
  readonly fingerprints: readonly string[];
  /** The earlier values of the changed items by item id. Added items are missing here. */
  readonly earlier: Readonly<Record<string, EarlierItem>>;
  /** Added items that the user had deleted before. */
  readonly restoredIds: readonly string[];
}

/** Returns the changes that imported rows have made to the loaded part of a list. */
export function importedChanges(unit: ListUnitOfWork): ImportedChanges {
  const touched = [...unit.items.all()].filter((item) => item.isTouched);
  const others = otherChanges(unit);
  const earlier = touched.flatMap((item) =>
    item.stored === undefined
      ? []
      : [[item.itemId, earlierItem(unit, item, item.stored, others)] as const],
  );
  const undone = new Set(
    unit.stored.tombstones.flatMap((one) => (one.deletedAt === null ? one.itemId : [])),
  );
  return {
    itemIds: touched.map(({ itemId }) => itemId),
    fingerprints: touched.map((item) => fingerprintOf(item.state, item.writtenAs(unit.now))),
    earlier: Object.fromEntries(earlier),
    restoredIds: unit.items.revived().filter((id) => !undone.has(id)),
  };
}

/** Changes that are not in the rows of the items. */
interface OtherChanges {
  /** The ids of the new annotations by item id. */
  readonly annotationIds: ReadonlyMap<string, readonly string[]>;
  /** The earlier data about pages by item id, only for items whose data have changed. */
  readonly details: ReadonlyMap<string, StoredDetails | null>;
}

function otherChanges(unit: ListUnitOfWork): OtherChanges {
  const stored = new Map(unit.stored.details?.map((details) => [details.itemId, details]));
  const changed = unit.details.changes().map(({ itemId }) => itemId);
  const annotationIds = new Map<string, string[]>();
  for (const { itemId, annotationId } of unit.annotations.changes().written) {
    annotationIds.set(itemId, [...(annotationIds.get(itemId) ?? []), annotationId]);
  }
  return {
    annotationIds,
    details: new Map(changed.map((itemId) => [itemId, stored.get(itemId) ?? null])),
  };
}

function earlierItem(
  unit: ListUnitOfWork,
  { itemId, state }: TrackedItem,
  stored: StoredItem,
  { annotationIds, details }: OtherChanges,
): EarlierItem {
  const tagIds = unit.tags.idsOf(stored.tags);
  const hasSameTags =
    tagIds.length === state.tagIds.length && tagIds.every((id) => state.tagIds.includes(id));
  return defined<EarlierItem>({
    timeUpdated: stored.timeUpdated,
    importedAsOf: stored.importedAsOf,
    state: earlierState(stored, state),
    tags: hasSameTags ? undefined : stored.tags,
    annotationIds: annotationIds.get(itemId),
    details: details.get(itemId),
  });
}

/** Returns the stored values that differ from the values after the import. */
function earlierState(stored: StoredItem, state: ItemState): Partial<ImportedState> {
  const unless = <T>(before: T, after: T): T | undefined => (before === after ? undefined : before);
  return defined<Partial<ImportedState>>({
    status: unless(stored.status, state.status),
    favorite: unless(stored.favorite, state.favorite),
    timeRead: unless(stored.timeRead, state.timeRead),
    timeFavorited: unless(stored.timeFavorited, state.timeFavorited),
    timeAdded: unless(stored.timeAdded, state.timeAdded),
    addedSequence: unless(stored.addedSequence, state.addedSequence),
    givenTitle: unless(stored.givenTitle, state.givenTitle),
    prefersGivenTitle: unless(stored.prefersGivenTitle, state.prefersGivenTitle),
    note: unless(stored.note, state.note),
  });
}
