import type { EntityManager } from 'typeorm';

import { NO_DETAILS } from '../details/tracked-details.js';
import { ListRepository } from '../list/list.repository.js';
import type { TouchedIds } from '../list/list-state.js';
import { type ListUnitOfWork } from '../list/list-unit-of-work.js';
import { parseTagNames } from '../list/tag-name.js';
import { TombstoneRepository } from '../list/tombstone.repository.js';
import type { TrackedItem } from '../list/tracked-items.js';
import { itemBytes } from '../storage/stored-size.js';
import { TagMoveRepository } from '../tag-moves/tag-move.repository.js';
import type { EarlierItem, ImportedChanges } from './imported-changes.js';
import { fingerprintOf } from './item-fingerprint.js';
import { itemsInUse } from './items-in-use.js';

/**
 * What an undo does with an item of an import. `undone`: the item is removed or gets its earlier values. `kept`: the
 * item was changed after the import, or is in use. `missing`: the user has deleted the item.
 */
type UndoVerdict = 'undone' | 'kept' | 'missing';

export interface UndoneItems {
  readonly removed: readonly string[];
  readonly restored: readonly string[];
  readonly kept: readonly string[];
}

interface Undo {
  readonly changes: ImportedChanges;
  /** Items that later imports have changed. */
  readonly laterIds: ReadonlySet<string>;
  /** The current time in Unix seconds. */
  readonly now: number;
}

/**
 * Undoes the changes of a batch of imported rows, in the caller's transaction. Works without free storage too. Does not
 * change items that the user or a later import has changed. Does not remove items that are in use.
 * @throws TagsMovingError if a tag of the items is being renamed or deleted
 */
export async function undoItems(
  manager: EntityManager,
  userId: string,
  undo: Undo,
): Promise<UndoneItems> {
  const { changes } = undo;
  const lists = ListRepository.in(manager);
  const locked = await lists.load(userId, touchedBy(changes), { now: undo.now });
  await TagMoveRepository.in(manager).requireNoneOn(userId, changes.itemIds);
  const keptIds = await keptBesides(manager, userId, undo);
  const moved = await TombstoneRepository.in(manager).movesOf(userId, changes.itemIds);
  const verdicts = verdictsOf(locked.unit, changes, { keptIds, moved });
  const idsWith = (wanted: UndoVerdict): string[] =>
    changes.itemIds.filter((id) => verdicts.get(id) === wanted);
  const [removed, restored] = partition(idsWith('undone'), changes);
  removed.forEach((itemId) => locked.unit.delete({ itemId }));
  restored.forEach((itemId) => {
    restore(locked.unit, itemId, changes.earlier[itemId]);
  });
  await lists.flush(userId, locked, { isBulk: true });
  const undone = removed.filter((id) => !changes.restoredIds.includes(id));
  await TombstoneRepository.in(manager).markUndone(userId, undone);
  return { removed, restored, kept: idsWith('kept') };
}

function touchedBy(changes: ImportedChanges): TouchedIds {
  const earlier = Object.entries(changes.earlier);
  const tags = earlier.flatMap(([, item]) => parseTagNames(item.tags ?? []) ?? []);
  return {
    itemIds: changes.itemIds,
    tagIds: unique(tags.map(({ id }) => id)),
    annotations: {
      itemIds: [],
      ids: unique(earlier.flatMap(([, item]) => item.annotationIds ?? [])),
    },
    detailedItemIds: earlier.flatMap(([itemId, item]) =>
      item.details === undefined ? [] : itemId,
    ),
  };
}

const unique = (ids: readonly string[]): readonly string[] => [...new Set(ids)];

/** Returns the items that the undo keeps, in addition to those with another fingerprint. */
async function keptBesides(
  manager: EntityManager,
  userId: string,
  { changes, laterIds }: Undo,
): Promise<ReadonlySet<string>> {
  const [added] = partition(changes.itemIds, changes);
  return new Set([...laterIds, ...(await itemsInUse(manager, userId, added))]);
}

interface KeptItems {
  readonly keptIds: ReadonlySet<string>;
  /** The items that the user has moved to another address. */
  readonly moved: ReadonlyMap<string, string>;
}

function verdictsOf(
  unit: ListUnitOfWork,
  { itemIds, fingerprints }: ImportedChanges,
  { keptIds, moved }: KeptItems,
): ReadonlyMap<string, UndoVerdict> {
  const verdictOf = (itemId: string, fingerprint: string | undefined): UndoVerdict => {
    const item = unit.items.find({ itemId });
    if (item?.stored === undefined) {
      return moved.has(itemId) ? 'kept' : 'missing';
    }
    const isSame = fingerprintOf(item.state, item.stored) === fingerprint;
    return isSame && !keptIds.has(itemId) ? 'undone' : 'kept';
  };
  return new Map(itemIds.map((itemId, at) => [itemId, verdictOf(itemId, fingerprints[at])]));
}

/** Divides items of an import into those that it has added, and those that it has changed. */
function partition(
  itemIds: readonly string[],
  { earlier }: ImportedChanges,
): readonly [added: string[], changed: string[]] {
  return [
    itemIds.filter((id) => earlier[id] === undefined),
    itemIds.filter((id) => earlier[id] !== undefined),
  ];
}

/** Gives an item the values that it had before the import. */
function restore(unit: ListUnitOfWork, itemId: string, earlier: EarlierItem | undefined): void {
  const item = unit.items.find({ itemId });
  if (item === undefined || earlier === undefined) {
    return;
  }
  const before = itemBytes(item.state);
  restoreState(unit, item, earlier);
  unit.room.count(itemBytes(item.state) - before);
  // The sizes of removed highlights and of data about the page are not known here.
  unit.room.countRemoved();
  for (const annotationId of earlier.annotationIds ?? []) {
    if (unit.annotations.itemOf(annotationId) === itemId) {
      unit.annotations.remove(annotationId);
    }
  }
  if (earlier.details !== undefined) {
    unit.details.set(earlier.details ?? { ...NO_DETAILS, itemId });
  }
}

function restoreState(unit: ListUnitOfWork, item: TrackedItem, earlier: EarlierItem): void {
  const { state, tags, timeUpdated, importedAsOf } = earlier;
  if (tags !== undefined) {
    unit.itemTags.set(item, parseTagNames(tags));
  }
  item.import(state, { timeUpdated, importedAsOf });
  item.touch();
}
