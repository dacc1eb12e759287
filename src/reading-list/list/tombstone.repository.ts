import { In, IsNull, Not } from 'typeorm';

import { CustomRepository } from '../../platform/database/custom-repository.js';
import { queryRows } from '../../platform/database/query-rows.js';
import { Tombstone } from '../entities/tombstone.entity.js';
import {
  DELETE_TOMBSTONES,
  LISTS_TO_PURGE,
  PURGE_BATCH,
  PURGE_TOMBSTONES,
  WRITE_TOMBSTONES,
} from './list.sql.js';
import type { ListChanges } from './list-changes.js';

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

  /** Records that an item has replaced a deleted item, because the user has changed the address. */
  async recordMove(
    userId: string,
    { from, to }: { readonly from: string; readonly to: string },
  ): Promise<void> {
    await this.update({ userId, itemId: from }, { movedTo: to });
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
   * records.
   */
  async purge(version: number): Promise<number> {
    let purged = 0;
    for (let after: string | undefined = '0'; after !== undefined;) {
      const lists: ListToPurge[] = await queryRows(this.manager, LISTS_TO_PURGE, [after, version]);
      for (const { userId } of lists.filter(({ isDue }) => isDue)) {
        purged += await this.purgeOf(userId, version);
      }
      after = lists.at(-1)?.userId;
    }
    return purged;
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
