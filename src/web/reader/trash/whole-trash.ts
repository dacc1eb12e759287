import { Injectable } from '@nestjs/common';

import type { TrashPlace } from '../../../reading-list/deletions/deleted-item.repository.js';
import { DeletionsService } from '../../../reading-list/deletions/deletions.service.js';
import { Trash } from '../../../reading-list/deletions/trash.service.js';

interface Restored {
  readonly itemIds: readonly string[];
  /** True if the trash had more items than one call restores. */
  readonly hasMore: boolean;
}

/** Restores all items in the trash of a user, not only the items of one page. */
@Injectable()
export class WholeTrash {
  /** The maximum number of items that one call restores. The rest needs another call. */
  readonly mostItems: number = 5000;
  /** The number of items that one transaction restores. Other changes of the list wait for its end. */
  readonly batch: number = 100;

  constructor(
    private readonly trash: Trash,
    private readonly deletions: DeletionsService,
  ) {}

  /** Restores the items, the latest deletion first. Skips items that are in the list again. */
  async restore(userId: string): Promise<Restored> {
    const itemIds: string[] = [];
    for (let place: TrashPlace | undefined; itemIds.length < this.mostItems;) {
      const rows = await this.trash.older(userId, place, this.batch);
      const last = rows.at(-1);
      if (last === undefined) {
        return { itemIds, hasMore: false };
      }
      const found = rows.filter((row) => !row.is_in_list).map((row) => row.item_id);
      itemIds.push(...(await this.deletions.restore(userId, found)));
      place = { microseconds: last.deleted_microseconds, itemId: last.item_id };
    }
    return { itemIds, hasMore: true };
  }
}
