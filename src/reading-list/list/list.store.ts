import type { EntityManager } from 'typeorm';

import { addedMoves, itemsMoved, untaggedMoves } from './facet.js';
import { writeItems } from './item-writer.js';
import { ChangeTooSlowError } from './list.errors.js';
import { loadSlice } from './list.loader.js';
import { type LockedList, lockList } from './list.lock.js';
import { changesOf, isNothing } from './list-changes.js';
import { writeList } from './list-counters.js';
import { ListSlice } from './list-slice.js';
import { allowLongStatement } from './long-statement.js';
import { forgetPages, requestPages } from './page-requests.js';
import { writeSearchIndex } from './search-writer.js';
import { writeTags } from './tag-writer.js';
import { writeTombstones } from './tombstone-writer.js';
import type { Wanted } from './wanted.js';
import { retagAll } from './wide-writer.js';

/** A call may carry 5,000 actions, each of which may cost a millisecond on a slow disk with a search index. */
const LARGE_BATCH = 1000;

/**
 * From the lock to the last statement. That one may take 20 seconds and the pause before the commit 10: together
 * less than the 60 by which the `since` that readers get stays behind the clock (docs/decisions/0015).
 */
const LONGEST_CHANGE_MS = 25_000;

/** A part of a list that stays locked until the transaction ends. */
export interface LockedSlice {
  readonly list: LockedList;
  readonly slice: ListSlice;
}

/** The list of one user, through the connection of one transaction; what actions change is written here alone. */
export class ListStore {
  constructor(
    private readonly manager: EntityManager,
    private readonly userId: string,
  ) {
    if (manager.queryRunner?.isTransactionActive !== true) {
      throw new Error('a list is changed in a transaction only');
    }
  }

  /** The lock comes first: what is read before it may be out of date. `now` is in unix seconds. */
  async load(wanted: Wanted, now: number): Promise<LockedSlice> {
    const list = await lockList(this.manager, this.userId);
    const stored = await loadSlice(this.manager, this.userId, wanted);
    return { list, slice: new ListSlice(stored, now) };
  }

  /**
   * Writes what became of the slice: sets of rows, all with one stamp, and no stamp when nothing changed.
   * Throws ChangeTooSlowError.
   */
  async store({ list, slice }: LockedSlice): Promise<void> {
    const changes = changesOf(slice);
    if (isNothing(changes)) {
      return;
    }
    const owner = [this.userId, list.nextStamp] as const;
    if (changes.updated.length + changes.written.length + changes.deleted.length > LARGE_BATCH) {
      await allowLongStatement(this.manager);
    }
    const wide = await retagAll(this.manager, owner, changes);
    await writeItems(this.manager, owner, changes);
    await writeTombstones(this.manager, owner, changes);
    await forgetPages(this.manager, this.userId, changes.deleted);
    await requestPages(this.manager, this.userId, changes.requested);
    const hasNewTags = await writeTags(this.manager, this.userId, changes, wide.tags);
    const facetMoves = addedMoves(changes.facetMoves, untaggedMoves(wide.untagged));
    const itemCount = itemsMoved(facetMoves);
    const grown = { ...list, itemCount: list.itemCount + itemCount };
    const hasSearchIndex = await writeSearchIndex(this.manager, this.userId, grown, changes);
    if (performance.now() - list.lockedAtMs > LONGEST_CHANGE_MS) {
      throw new ChangeTooSlowError();
    }
    const moves = { hasNewTags, itemCount, hasSearchIndex, facetMoves };
    await writeList(this.manager, this.userId, list, moves);
  }
}
