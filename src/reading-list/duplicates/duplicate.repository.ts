import { Any } from 'typeorm';

import { CustomRepository } from '../../platform/database/custom-repository.js';
import { queryRows } from '../../platform/database/query-rows.js';
import { Item } from '../entities/item.entity.js';
import { LOCK_ITEMS } from '../imports/items-in-use.sql.js';
import { CERTAIN_GROUPS, LIKELY_GROUPS } from './duplicates.sql.js';

/** `certain`: the pages have the same address after redirects. `likely`: equal articles of one site. */
export type DuplicateKind = 'certain' | 'likely';

/** A position among the groups: the sort key of the newest item of a group, and the hash of the group. */
export interface GroupPlace {
  readonly newest: string;
  readonly key: string;
}

interface GroupRow extends GroupPlace {
  /** The ids of the items, the earliest addition first. */
  readonly itemIds: readonly string[];
}

/** A position before all groups: the largest bigint. */
const BEGINNING: GroupPlace = { newest: String(2n ** 63n - 1n), key: '0' };

/** Finds items that may be duplicates of each other. */
export class DuplicateRepository extends CustomRepository<Item> {
  static readonly entity = Item;

  /** Returns the groups after a position, the group with the newest item first. */
  groups(
    userId: string,
    kind: DuplicateKind,
    {
      after = BEGINNING,
      count,
    }: { readonly after?: GroupPlace | undefined; readonly count: number },
  ): Promise<GroupRow[]> {
    const text = kind === 'certain' ? CERTAIN_GROUPS : LIKELY_GROUPS;
    return queryRows<GroupRow>(this.manager, text, [userId, after.newest, after.key, count]);
  }

  async itemsById(userId: string, itemIds: readonly string[]): Promise<ReadonlyMap<string, Item>> {
    const items =
      itemIds.length === 0 ? [] : await this.findBy({ userId, itemId: Any([...itemIds]) });
    return new Map(items.map((item) => [item.itemId, item]));
  }

  /** Waits for reading positions of the items that are being stored, and keeps the items until the transaction ends. */
  async lockItems(userId: string, itemIds: readonly string[]): Promise<void> {
    await queryRows(this.manager, LOCK_ITEMS, [userId, itemIds]);
  }
}
