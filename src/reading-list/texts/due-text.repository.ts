import { Any, type EntityManager, Not } from 'typeorm';

import { CustomRepository } from '../../platform/database/custom-repository.js';
import { isDistributed } from '../../platform/database/database.js';
import { queryRows } from '../../platform/database/query-rows.js';
import { DueText } from '../entities/due-text.entity.js';
import { Item } from '../entities/item.entity.js';
import type { ItemTexts } from '../list/item-texts.js';
import {
  AWAIT_CHANGE,
  DELETE_DUE,
  LOCK_DUE,
  MARK_DUE,
  READ_TEXTS,
  READ_TEXTS_OF_USER,
} from './item-text.sql.js';

/** The key of an item whose words must be indexed. */
export interface DueKey {
  readonly userId: string;
  readonly itemId: string;
}

export interface DueItem extends DueKey, ItemTexts {
  readonly excerpt: string;
  readonly lang: string;
  /** The id of the fetched page. "0" until the page is fetched. */
  readonly pageId: string;
}

interface LockedTexts {
  readonly due: readonly DueKey[];
  readonly items: readonly DueItem[];
}

/**
 * Stores the queue of items whose words must be indexed. The items that were queued last are indexed first, so that
 * newly saved items do not wait until an import is indexed.
 */
export class DueTextRepository extends CustomRepository<DueText> {
  static readonly entity = DueText;

  /** Returns the items that were queued last, except those of `postponed` users. */
  latest(limit: number, postponed: readonly string[]): Promise<DueText[]> {
    const where = postponed.length > 0 ? { userId: Not(Any([...postponed])) } : {};
    return this.find({ where, order: { markedAt: 'DESC' }, take: limit });
  }

  /** Returns true if at least one item of the user is queued. */
  hasOf(userId: string): Promise<boolean> {
    return this.existsBy({ userId });
  }

  /** Returns true if at least one of these items is queued. */
  hasAnyOf(userId: string, itemIds: readonly string[]): Promise<boolean> {
    return this.existsBy({ userId, itemId: Any([...itemIds]) });
  }

  /**
   * Divides items into groups that one transaction can index: all items, or those of each user if lists are distributed
   * over several servers.
   */
  groupsOf(keys: readonly DueKey[]): readonly (readonly DueKey[])[] {
    return isDistributed(this.manager) ? [...byUser(keys).values()] : [keys];
  }

  /**
   * Locks the given items in the queue and reads their texts. Skips items that another process has locked. Requires a
   * transaction.
   */
  async lock(keys: readonly DueKey[]): Promise<LockedTexts> {
    const due = await queryRows<DueKey>(this.manager, LOCK_DUE, keysOf(keys));
    // Read the texts only after the lock. They then include the changes for which the items were
    // queued.
    return { due, items: await this.textsOf(due) };
  }

  private async textsOf(keys: readonly DueKey[]): Promise<readonly DueItem[]> {
    if (!isDistributed(this.manager)) {
      return queryRows<DueItem>(this.manager, READ_TEXTS, keysOf(keys));
    }
    const items: DueItem[] = [];
    for (const [userId, ofUser] of byUser(keys)) {
      items.push(
        ...(await queryRows<DueItem>(this.manager, READ_TEXTS_OF_USER, [userId, idsOf(ofUser)])),
      );
    }
    return items;
  }

  /**
   * Removes items from the indexing queue: the items in `written`, and the items in `due` that no
   * longer exist.
   */
  async finish(due: readonly DueKey[], written: readonly DueKey[]): Promise<void> {
    const isWritten = new Set(written.map(keyOf));
    const others = due.filter((key) => !isWritten.has(keyOf(key)));
    const gone = await this.goneOf(others);
    await queryRows(this.manager, DELETE_DUE, keysOf([...written, ...gone]));
  }

  /** Returns the keys of the items that do not exist. */
  private async goneOf(keys: readonly DueKey[]): Promise<DueKey[]> {
    const missing = await this.missingOf(keys);
    if (missing.length === 0 || !isDistributed(this.manager)) {
      return missing;
    }
    // The change that has queued an item may be committed here, but not yet on the server of the list. It holds the lock
    // of the list until then.
    for (const userId of byUser(missing).keys()) {
      await queryRows(this.manager, AWAIT_CHANGE, [userId]);
    }
    return this.missingOf(missing);
  }

  private async missingOf(keys: readonly DueKey[]): Promise<DueKey[]> {
    const there = await this.itemsThere(keys);
    return keys.filter((key) => !there.has(keyOf(key)));
  }

  /** Returns the keys of those items that still exist. */
  private async itemsThere(keys: readonly DueKey[]): Promise<ReadonlySet<string>> {
    const there = new Set<string>();
    for (const [userId, ofUser] of byUser(keys)) {
      const where = { userId, itemId: Any([...idsOf(ofUser)]) };
      const items = await this.manager.find(Item, {
        select: { userId: true, itemId: true },
        where,
      });
      items.map(keyOf).forEach((key) => there.add(key));
    }
    return there;
  }
}

const keyOf = ({ userId, itemId }: DueKey): string => `${userId}/${itemId}`;

/** Groups items by user, because the rows of different users may be on different database servers. */
export function byUser<T extends DueKey>(items: readonly T[]): ReadonlyMap<string, readonly T[]> {
  const users = new Set(items.map(({ userId }) => userId));
  return new Map([...users].map((user) => [user, items.filter(({ userId }) => userId === user)]));
}

const idsOf = (keys: readonly DueKey[]): readonly string[] => keys.map(({ itemId }) => itemId);

/** Returns the user ids, and the ids of their items. */
export const keysOf = (due: readonly DueKey[]): readonly string[][] => [
  due.map(({ userId }) => userId),
  due.map(({ itemId }) => itemId),
];

/** Queues items to be indexed again, in the caller's transaction. Does not check whether the items exist. */
export async function markTextsDue(
  manager: EntityManager,
  userId: string,
  itemIds: readonly string[],
): Promise<void> {
  if (itemIds.length > 0) {
    await queryRows(manager, MARK_DUE, [userId, itemIds]);
  }
}
