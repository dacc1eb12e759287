import type { EntityManager } from 'typeorm';

import { Additions } from './added-order.js';
import { writeAnnotations } from './annotation-writer.js';
import { addedMoves, itemsMoved, untaggedMoves } from './facet.js';
import { findItems } from './find-items.js';
import type { ItemRow } from './item-row.js';
import { writeItems } from './item-writer.js';
import { loadSlice } from './list.loader.js';
import { beginList, lockBegunList, type LockedList } from './list.lock.js';
import { changesOf, isNothing, type ListChanges } from './list-changes.js';
import { writeList } from './list-counters.js';
import { ListSlice } from './list-slice.js';
import { allowLongStatement } from './long-statement.js';
import { forgetPages, PagePriority, type RequestedItem, requestPages } from './page-requests.js';
import { needsSearchIndex, writeSearchIndex } from './search-writer.js';
import type { StoredSlice } from './stored-slice.js';
import { writeTags } from './tag-writer.js';
import { writeTombstones } from './tombstone-writer.js';
import type { Wanted } from './wanted.js';
import { retagAll, type WideMoves } from './wide-writer.js';

/** A call may carry 5,000 actions, each of which may cost a millisecond on a slow disk with a search index. */
const LARGE_BATCH = 1000;

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
    /** How many pages the user may have fetched in an hour; 0 for no limit. */
    private readonly pagesPerHour = 0,
  ) {
    if (manager.queryRunner?.isTransactionActive !== true) {
      throw new Error('a list is changed in a transaction only');
    }
  }

  /** What is read is as it is under the lock, which is asked for first. `now` is in unix seconds. */
  async load(wanted: Wanted, now: number): Promise<LockedSlice> {
    const [locked, stored] = await Promise.all([
      lockBegunList(this.manager, this.userId),
      loadSlice(this.manager, this.userId, wanted),
    ]);
    if (locked !== undefined) {
      return { list: locked, slice: sliceOf(locked, stored, now) };
    }
    const list = await beginList(this.manager, this.userId);
    const begun = await loadSlice(this.manager, this.userId, wanted);
    return { list, slice: sliceOf(list, begun, now) };
  }

  /**
   * Writes what became of the slice: sets of rows, all with one stamp, and no stamp when nothing changed. Gives
   * the rows of the items to be shown, by id.
   */
  async store(
    { list, slice }: LockedSlice,
    shown: readonly string[] = [],
  ): Promise<ReadonlyMap<string, ItemRow>> {
    const changes = changesOf(slice);
    const wide = await retagAll(this.manager, [this.userId, list.nextStamp], changes);
    const written = isNothing(changes) ? undefined : this.write(list, changes, wide);
    const shownRows = findItems(this.manager, this.userId, shown);
    const [rows] = await Promise.all([shownRows, written]);
    return rows;
  }

  /** All statements travel together, in this order. */
  private write(list: LockedList, changes: ListChanges, wide: WideMoves): Promise<unknown> {
    const owner = [this.userId, list.nextStamp] as const;
    const facetMoves = addedMoves(changes.facetMoves, untaggedMoves(wide.untagged));
    const itemCount = itemsMoved(facetMoves);
    const grown = { ...list, itemCount: list.itemCount + itemCount };
    const hasSearchIndex = needsSearchIndex(grown);
    return Promise.all([
      isLarge(changes) && allowLongStatement(this.manager),
      writeItems(this.manager, owner, changes),
      writeAnnotations(this.manager, this.userId, changes),
      writeTombstones(this.manager, owner, changes),
      forgetPages(this.manager, this.userId, changes.deleted),
      this.requestPages(changes.requested, PagePriority.Saved),
      this.requestPages(changes.requestedInBulk, PagePriority.Imported),
      writeTags(this.manager, owner, changes, wide.tags),
      writeSearchIndex(this.manager, this.userId, grown, changes),
      writeList(this.manager, this.userId, list, {
        ...{ itemCount, hasSearchIndex, facetMoves },
        additions: changes.additions,
      }),
    ]);
  }

  private requestPages(items: readonly RequestedItem[], priority: number): Promise<void> {
    const terms = { priority, perHour: this.pagesPerHour };
    return requestPages(this.manager, this.userId, items, terms);
  }
}

const sliceOf = ({ additions }: LockedList, stored: StoredSlice, now: number): ListSlice =>
  new ListSlice(stored, now, new Additions(additions));

const isLarge = ({ updated, written, deleted }: ListChanges): boolean =>
  updated.length + written.length + deleted.length > LARGE_BATCH;
