import { Logger } from '@nestjs/common';
import { In, IsNull, Not } from 'typeorm';

import { CustomRepository } from '../../platform/database/custom-repository.js';
import { isTemporary } from '../../platform/database/database.errors.js';
import { usersOnLivingServers } from '../../platform/database/living-servers.js';
import { queryRows } from '../../platform/database/query-rows.js';
import { Tombstone } from '../entities/tombstone.entity.js';
import {
  DELETE_TOMBSTONES,
  LISTS_TO_PURGE,
  listsToPurgeOnOneServer,
  PURGE_BATCH,
  PURGE_TOMBSTONES,
  WRITE_TOMBSTONES,
} from './list.sql.js';
import type { ListChanges } from './list-changes.js';

const logger = new Logger('TombstoneRepository');

/** Stores the records of deleted items, with which the API reports deletions to clients. */
export class TombstoneRepository extends CustomRepository<Tombstone> {
  static readonly entity = Tombstone;

  /** Writes the records of deleted items. Removes the records of items that were added again. */
  async write(
    [userId, version]: readonly [userId: string, version: string],
    { tombstones, revived }: ListChanges,
  ): Promise<void> {
    await Promise.all([
      tombstones.length > 0 &&
        queryRows(this.manager, WRITE_TOMBSTONES, [
          userId,
          version,
          tombstones.map(({ itemId }) => itemId),
          tombstones.map(({ addressId }) => addressId),
        ]),
      revived.length > 0 && queryRows(this.manager, DELETE_TOMBSTONES, [userId, revived]),
    ]);
  }

  /** Records that an item has replaced a deleted item, because the user has changed the address or merged the items. */
  async recordMove(
    userId: string,
    { from, to }: { readonly from: string; readonly to: string },
  ): Promise<void> {
    await this.update({ userId, itemId: from }, { movedTo: to });
  }

  /** Records that not the user, but the undo of an import has removed the items. */
  async markUndone(userId: string, itemIds: readonly string[]): Promise<void> {
    if (itemIds.length > 0) {
      await this.update({ userId, itemId: In(itemIds) }, { isUndone: true });
    }
  }

  /**
   * Returns the present ids of the items that were moved. The keys of the result are the given ids. An item may have
   * moved several times, and may have been deleted after its move.
   */
  async movesOf(userId: string, itemIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const found = await this.findBy({ userId, itemId: In(itemIds), movedTo: Not(IsNull()) });
    const moves = new Map(found.map(({ itemId, movedTo }) => [itemId, movedTo ?? itemId]));
    if (moves.size === 0) {
      return moves;
    }
    // The recursion ends: an item that is in the list again has no record, so moves form no circle.
    const later = await this.movesOf(userId, [...moves.values()]);
    return new Map([...moves].map(([from, to]) => [from, later.get(to) ?? to]));
  }

  /**
   * Removes the deletion records with a lower version than `version` from all lists. Returns the number of removed
   * records. Skips lists whose server is unreachable.
   */
  async purge(version: number): Promise<number> {
    let purged = 0;
    for (let after: string | undefined = '0'; after !== undefined;) {
      const lists: readonly ListToPurge[] = await this.listsAfter(after, version);
      for (const { userId } of lists.filter(({ isDue }) => isDue)) {
        purged += await this.purgeOrWarn(userId, version);
      }
      after = lists.at(-1)?.userId;
    }
    return purged;
  }

  private async listsAfter(after: string, version: number): Promise<readonly ListToPurge[]> {
    try {
      return await queryRows<ListToPurge>(this.manager, LISTS_TO_PURGE, [after, version]);
    } catch (error) {
      const query = listsToPurgeOnOneServer(after, version);
      const userIds = await usersOnLivingServers(this.manager, error, query);
      return userIds
        .toSorted((one, other) => Number(one) - Number(other))
        .slice(0, PURGE_BATCH.lists)
        .map((userId) => ({ userId, isDue: true }));
    }
  }

  private async purgeOrWarn(userId: string, version: number): Promise<number> {
    try {
      return await this.purgeOf(userId, version);
    } catch (error) {
      if (!isTemporary(error)) {
        throw error;
      }
      logger.warn(error);
      return 0;
    }
  }

  private async purgeOf(userId: string, version: number): Promise<number> {
    const gone = await queryRows(this.manager, PURGE_TOMBSTONES, [userId, version]);
    return gone.length < PURGE_BATCH.tombstones
      ? gone.length
      : gone.length + (await this.purgeOf(userId, version));
  }
}

interface ListToPurge {
  readonly userId: string;
  /** True if the list has deletion records that must be removed. */
  readonly isDue: boolean;
}
