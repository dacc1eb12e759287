import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

import { Clock } from '../../platform/common/clock.js';
import { Config } from '../../platform/config/config.js';
import { propertiesOf } from '../../platform/database/entity-columns.js';
import { Every } from '../../platform/jobs/every.js';
import type { Action } from '../actions/action.js';
import { applyActions } from '../actions/apply-actions.js';
import type { ItemRow } from '../entities/item.entity.js';
import { NOT_FETCHED, PageColumns } from '../entities/page-columns.js';
import { mediaOf } from '../get/page.presenter.js';
import { type ActionOutcome, DONE } from '../list/action-outcome.js';
import { normalAddress } from '../list/address.js';
import { ListRepository } from '../list/list.repository.js';
import { parseTagNames } from '../list/tag-name.js';
import { ListTransactions } from '../list-transactions.js';
import { type ItemPage, recordPages } from '../pages/record-pages.js';
import { TagMoveRepository } from '../tag-moves/tag-move.repository.js';
import { DeletedItemRepository } from './deleted-item.repository.js';

const EVERY_MS = 60 * 60 * 1000;
const KEPT_MS = 7 * 24 * 60 * 60 * 1000;

/** Deletes items and stores copies, so that the user can restore them (docs/decisions/0056). */
@Injectable()
export class DeletionsService {
  constructor(
    private readonly lists: ListTransactions,
    private readonly deleted: DeletedItemRepository,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  /** Deletes items. Returns one outcome per item, in the order of the ids. */
  delete(userId: string, itemIds: readonly string[]): Promise<ActionOutcome[]> {
    return this.lists.run(userId, async (manager, now) => {
      // Locks the list first, so that no other transaction changes the rows between the copy and the deletion.
      // Inserting rows first would take a weaker lock on the list, and two such transactions could
      // deadlock.
      await ListRepository.in(manager).lock(userId);
      // Throws while a tag of these items is being renamed or deleted, because the copies would
      // keep the old tag.
      await TagMoveRepository.in(manager).requireNoneOn(userId, itemIds);
      await this.keep(manager, userId, itemIds);
      const actions = itemIds.map((itemId) => onItem('delete', itemId));
      return applyActions(manager, userId, { actions, now });
    });
  }

  /**
   * Restores deleted items, even if the user has no storage left. Skips items that are in the list again. Returns one
   * outcome per item, in the order of the ids.
   */
  undo(userId: string, itemIds: readonly string[]): Promise<ActionOutcome[]> {
    return this.lists.run(userId, async (manager, now) => {
      const deleted = DeletedItemRepository.in(manager);
      const rows = await deleted.rows(userId, itemIds);
      const back = await broughtBack(manager, userId, { rows, now });
      const storedBytes = await deleted.giveBack(userId, back);
      const lists = ListRepository.in(manager);
      await lists.moveStorage(userId, { storedBytes, mayStoreLess: true });
      const actions = itemIds.map((itemId) => onItem('undo_delete', itemId));
      return applyActions(manager, userId, { actions, now });
    });
  }

  /**
   * Stores copies of the items. If all copies together are larger than the storage limit of the user, deletes the
   * oldest ones.
   */
  private async keep(
    manager: EntityManager,
    userId: string,
    itemIds: readonly string[],
  ): Promise<void> {
    const deleted = DeletedItemRepository.in(manager);
    await deleted.keep(userId, itemIds);
    if (this.config.storageLimitBytes > 0) {
      await deleted.cut(userId, this.config.storageLimitBytes);
    }
  }

  @Every(EVERY_MS)
  async sweep(): Promise<void> {
    await this.deleted.forget(new Date(this.clock.now().getTime() - KEPT_MS));
  }
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
    await recordPages(manager, userId, new Map(pages));
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
  const item = { itemId: row.item_id };
  const archived: Action = { action: 'archive', item, time: Number(row.time_read) };
  const favorited: Action = { action: 'favorite', item, time: Number(row.time_favorited) };
  const { note = '' } = row;
  const noted: Action = { action: 'set_note', item, note, time: undefined };
  return [
    {
      action: 'add',
      item: { address },
      title: row.given_title || undefined,
      prefersGivenTitle: row.prefers_given_title,
      tags: parseTagNames(row.tags) ?? [],
      bringsPage: row.resolved_id !== NOT_FETCHED,
      time: Number(row.time_added),
    },
    ...(row.status === 1 ? [archived] : []),
    ...(row.favorite === 1 ? [favorited] : []),
    ...(note === '' ? [] : [noted]),
  ];
}

function pageOf(row: ItemRow): ItemPage {
  const page = propertiesOf(PageColumns, row);
  return {
    ...page,
    isArticle: page.isArticle === 1,
    isIndex: page.isIndex === 1,
    media: mediaOf(row),
  };
}
