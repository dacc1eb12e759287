import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

import { propertiesOf } from '../../platform/database/entity-columns.js';
import type { Action } from '../actions/action.js';
import { applyActions } from '../actions/apply-actions.js';
import { rebuildingActions } from '../actions/rebuild-item.js';
import type { ItemRow } from '../entities/item.entity.js';
import { NOT_FETCHED, PageColumns } from '../entities/page-columns.js';
import { mediaOf } from '../get/page.presenter.js';
import { type ActionOutcome, DONE } from '../list/action-outcome.js';
import { normalAddress } from '../list/address.js';
import { ListRepository } from '../list/list.repository.js';
import { parseTagNames } from '../list/tag-name.js';
import { TombstoneRepository } from '../list/tombstone.repository.js';
import { ListTransactions } from '../list-transactions.js';
import { type ItemPage, recordPages } from '../pages/record-pages.js';
import { TagMoveRepository } from '../tag-moves/tag-move.repository.js';
import { DeletedItemRepository } from './deleted-item.repository.js';

/** Moves items to the trash, and restores them from there (docs/decisions/0107). */
@Injectable()
export class DeletionsService {
  constructor(private readonly lists: ListTransactions) {}

  /**
   * Moves items to the trash, even if the user has no storage left, because an item counts the same
   * in the trash. Ids of items in the trash are ignored, also if a merge has moved them to another item
   * (docs/decisions/0141). Returns one outcome per item, in the order of the ids.
   */
  delete(userId: string, givenIds: readonly string[]): Promise<ActionOutcome[]> {
    return this.lists.run(userId, async (manager, now) => {
      // Locks the list first, so that no other transaction changes the rows between the copy and the deletion.
      // Inserting rows first would take a weaker lock on the list, and two such transactions could
      // deadlock.
      const lists = ListRepository.in(manager);
      await lists.lock(userId);
      const itemIds = await presentIds(manager, userId, givenIds);
      // Throws while a tag of these items is being renamed or deleted, because the copies would
      // keep the old tag.
      await TagMoveRepository.in(manager).requireNoneOn(userId, itemIds);
      const storedBytes = await DeletedItemRepository.in(manager).keep(userId, itemIds);
      await lists.moveStorage(userId, { storedBytes, mayStoreLess: false });
      const actions = itemIds.map((itemId) => onItem('delete', itemId));
      return applyActions(manager, userId, { actions, now });
    });
  }

  /**
   * Restores deleted items, even if the user has no storage left. Skips items that are in the list again. Returns the
   * ids of the restored items.
   */
  restore(userId: string, itemIds: readonly string[]): Promise<string[]> {
    return this.lists.run(userId, (manager, now) =>
      restoreItems(manager, userId, { itemIds, now }),
    );
  }

  /** Restores deleted items like `restore`. Returns one outcome per item, in the order of the ids. */
  undo(userId: string, deletedIds: readonly string[]): Promise<ActionOutcome[]> {
    return this.lists.run(userId, async (manager, now) => {
      const itemIds = await presentIds(manager, userId, deletedIds);
      await restoreItems(manager, userId, { itemIds, now });
      const actions = itemIds.map((itemId) => onItem('undo_delete', itemId));
      return applyActions(manager, userId, { actions, now });
    });
  }
}

/**
 * Returns the present ids of items. An item may have been moved to another address (docs/decisions/0113). An id with a
 * copy in the trash stays, because this copy is meant.
 */
async function presentIds(
  manager: EntityManager,
  userId: string,
  itemIds: readonly string[],
): Promise<string[]> {
  const rows = await DeletedItemRepository.in(manager).rows(userId, itemIds);
  const inTrash = new Set(rows.map(({ item_id: itemId }) => itemId));
  const others = itemIds.filter((id) => !inTrash.has(id));
  const moves = await TombstoneRepository.in(manager).movesOf(userId, others);
  return itemIds.map((id) => moves.get(id) ?? id);
}

/** Restores deleted items in the caller's transaction. Returns the ids of the restored items. */
async function restoreItems(
  manager: EntityManager,
  userId: string,
  { itemIds, now }: { readonly itemIds: readonly string[]; readonly now: number },
): Promise<string[]> {
  const lists = ListRepository.in(manager);
  // Locks the list first, so that no other transaction deletes the copies while they are restored.
  await lists.lock(userId);
  const deleted = DeletedItemRepository.in(manager);
  const rows = await deleted.rows(userId, itemIds);
  const back = await broughtBack(manager, userId, { rows, now });
  const storedBytes = await deleted.giveBack(userId, back);
  await lists.moveStorage(userId, { storedBytes, mayStoreLess: true });
  return back;
}

interface Deleted {
  readonly rows: readonly ItemRow[];
  /** The current time in Unix seconds. */
  readonly now: number;
}

/** Adds the deleted items to the list again. Returns the ids of the restored items. */
async function broughtBack(
  manager: EntityManager,
  userId: string,
  { rows, now }: Deleted,
): Promise<string[]> {
  const groups = rows.map((row) => ({ row, actions: restoring(row) }));
  const actions = groups.flatMap((group) => group.actions);
  const outcomes = await applyActions(manager, userId, { actions, now });
  const back = new Set(outcomes.flatMap((one) => (one.ok && one !== DONE ? [one.itemId] : [])));
  const found = rows.filter(({ item_id: itemId }) => back.has(itemId));
  const resolved = found.filter(({ resolved_id: pageId }) => pageId !== NOT_FETCHED);
  if (resolved.length > 0) {
    const pages = resolved.map((row) => [row.item_id, pageOf(row)] as const);
    await recordPages(manager, userId, new Map(pages), { isRestored: true });
  }
  return found.map(({ item_id: itemId }) => itemId);
}

const onItem = (action: 'delete' | 'undo_delete', itemId: string): Action => ({
  action,
  item: { itemId },
  time: undefined,
});

/** Returns the actions that restore the item. A page that was fetched before is not fetched again. */
function restoring(row: ItemRow): Action[] {
  const address = normalAddress(row.given_url);
  if (address === undefined) {
    return [];
  }
  return rebuildingActions({
    address,
    title: row.given_title || undefined,
    prefersGivenTitle: row.prefers_given_title,
    tags: parseTagNames(row.tags) ?? [],
    bringsPage: row.resolved_id !== NOT_FETCHED,
    state: {
      status: row.status,
      favorite: row.favorite,
      timeAdded: Number(row.time_added),
      timeRead: Number(row.time_read),
      timeFavorited: Number(row.time_favorited),
      note: row.note ?? '',
    },
  });
}

function pageOf(row: ItemRow): ItemPage {
  const page = propertiesOf(PageColumns, row);
  return {
    ...page,
    isArticle: page.isArticle === 1,
    isIndex: page.isIndex === 1,
    isPdf: page.isPdf === 1,
    media: mediaOf(row),
  };
}
