import type { EntityManager } from 'typeorm';

import type { Action } from '../actions/action.js';
import { applyActions } from '../actions/apply-actions.js';
import { rebuildingActions } from '../actions/rebuild-item.js';
import { DeletedItemRepository } from '../deletions/deleted-item.repository.js';
import { ItemDetailsRepository } from '../details/item-details.repository.js';
import type { StoredDetails } from '../details/tracked-details.js';
import type { Annotation } from '../entities/annotation.entity.js';
import { type ActionOutcome, UNKNOWN_ITEM } from '../list/action-outcome.js';
import { type Address, normalAddress } from '../list/address.js';
import { AnnotationRepository } from '../list/annotation.repository.js';
import { ItemRepository } from '../list/item.repository.js';
import { ListRepository } from '../list/list.repository.js';
import { candidateIds, type NewItem, type StoredItem } from '../list/list-state.js';
import { TombstoneRepository } from '../list/tombstone.repository.js';
import { AddressTakenError, ItemNotFoundError } from '../reading-list.errors.js';
import { SnapshotRepository } from '../snapshots/snapshot.repository.js';
import { annotationBytes, detailsBytes } from '../storage/stored-size.js';

/** The move of an item to another address, with the title and the tags that it has afterwards. */
interface ItemMove extends Pick<NewItem, 'title' | 'prefersGivenTitle' | 'tags'> {
  readonly item: StoredItem;
  readonly address: Address;
}

type Settings = Omit<Parameters<typeof applyActions>[2], 'actions'>;

/**
 * Replaces an item by an item with another address, in the caller's transaction. The new item has everything that
 * belongs to the user, except the reading position (docs/decisions/0113). Its page is requested as for a saved item.
 * The caller must lock the list first. Returns the id of the new item.
 * @throws AddressTakenError if the address is in the list or in the trash
 * @throws StorageFullError
 */
export async function moveItem(
  manager: EntityManager,
  userId: string,
  { item, address, ...texts }: ItemMove,
  settings: Settings,
): Promise<string> {
  await requireFree(manager, userId, address);
  const { itemId, addedSequence } = item;
  const details = await detailsToMove(manager, userId, itemId);
  const found = await AnnotationRepository.in(manager).ofItems(userId, [itemId]);
  const annotations = found.get(itemId) ?? [];
  // A deletion does not subtract the size of annotations and details. Without this subtraction, a full list would have
  // no room for those that move.
  const storedBytes = -(detailsBytes(details) + bytesOf(annotations));
  await ListRepository.in(manager).moveStorage(userId, { storedBytes, mayStoreLess: false });
  const actions: Action[] = [
    { action: 'delete', item: { itemId }, time: undefined },
    ...rebuildingActions({ address, ...texts, addedSequence, state: item }),
    ...detailActions(address, details),
    ...annotations.map((annotation) => annotationAction(address, annotation)),
  ];
  const snapshots = SnapshotRepository.in(manager);
  const snapshotIds = await snapshots.detach(userId, itemId);
  const outcomes = await applyActions(manager, userId, { ...settings, actions });
  const to = changedIdsIn(outcomes).at(-1) ?? itemId;
  await snapshots.attach(userId, snapshotIds, to);
  await TombstoneRepository.in(manager).recordMove(userId, { from: itemId, to });
  return to;
}

/** Returns the id of the changed item for each action. Throws the error of the first action that was refused. */
export const changedIdsIn = (outcomes: readonly ActionOutcome[]): (string | undefined)[] =>
  outcomes.map((outcome) => {
    if (!outcome.ok) {
      throw outcome === UNKNOWN_ITEM ? new ItemNotFoundError() : outcome.refusal.error;
    }
    return outcome.itemId;
  });

/** @throws AddressTakenError if the address is in the list or in the trash */
async function requireFree(
  manager: EntityManager,
  userId: string,
  address: Address,
): Promise<void> {
  const listed = await ItemRepository.in(manager).rowAt(userId, address);
  if (listed !== undefined) {
    throw new AddressTakenError({ itemId: listed.item_id });
  }
  const ids = candidateIds({ address });
  const trashed = await DeletedItemRepository.in(manager).rows(userId, ids);
  if (trashed.some((row) => normalAddress(row.given_url)?.normalUrl === address.normalUrl)) {
    throw new AddressTakenError('trash');
  }
}

const bytesOf = (annotations: readonly Annotation[]): number =>
  annotations.reduce(
    (sum, { annotationId, quote, patch, version, note }) =>
      sum + annotationBytes({ annotationId, quote, patch, version, note }),
    0,
  );

/** Returns the page on which the user found the item. The other details describe the old page. */
async function detailsToMove(
  manager: EntityManager,
  userId: string,
  itemId: string,
): Promise<StoredDetails | undefined> {
  const [stored] = await ItemDetailsRepository.in(manager).ofItems(userId, [itemId]);
  return stored === undefined || stored.originUrl === null
    ? undefined
    : { ...stored, publishedAt: null, authors: null, language: null, previewPicture: null };
}

function detailActions(address: Address, stored: StoredDetails | undefined): Action[] {
  const originUrl = stored?.originUrl ?? undefined;
  return originUrl === undefined
    ? []
    : [{ action: 'describe', item: { address }, details: { originUrl }, time: undefined }];
}

/** Returns the action that adds an annotation without its ranges, because they are positions in the old article. */
function annotationAction(
  address: Address,
  { annotationId, quote, patch, version, note, color, createdAt }: Annotation,
): Action {
  const annotation = { annotationId, quote, patch, version, note, color, isMoved: true };
  return { action: 'add_annotation', item: { address }, annotation, time: Number(createdAt) };
}
