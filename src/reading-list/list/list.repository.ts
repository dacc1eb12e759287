import { Repository } from 'typeorm';

import type { ListSummary } from '../../auth/consumers/caller-lists.js';
import { allowLongStatements, queryRows } from '../../platform/database/query-rows.js';
import { beginList } from '../begin-list.js';
import { ItemDetailsRepository } from '../details/item-details.repository.js';
import { Annotation } from '../entities/annotation.entity.js';
import { Item, type ItemRow } from '../entities/item.entity.js';
import { ItemDetails } from '../entities/item-details.entity.js';
import type { List } from '../entities/list.entity.js';
import { Tag } from '../entities/tag.entity.js';
import { TagMove } from '../entities/tag-move.entity.js';
import { Tombstone } from '../entities/tombstone.entity.js';
import { addedMoves, itemsMoved, untaggedMoves } from '../facet.js';
import { readSummary } from '../list-summaries.js';
import { OwnerGoneError } from '../reading-list.errors.js';
import { type KnownStorage, type StorageMove, StorageRoom } from '../storage/storage-room.js';
import { TagMoveRepository } from '../tag-moves/tag-move.repository.js';
import { markTextsDue } from '../texts/item-text.repository.js';
import { AnnotationRepository } from './annotation.repository.js';
import { ItemRepository, LONGEST_STATEMENT_SECONDS, needsSearchIndex } from './item.repository.js';
import { IS_LIST_LOCKED, LOCK_LIST, MOVE_COUNTERS, MOVE_STORAGE } from './list.sql.js';
import { changesOf, isLarge, isNothing, type ListChanges } from './list-changes.js';
import { Additions, type LoadedState, type TouchedIds } from './list-state.js';
import { ListUnitOfWork } from './list-unit-of-work.js';
import { forgetPages, PagePriority, requestPages } from './page-requests.js';
import { type BulkMoves, TagRepository } from './tag.repository.js';
import { TombstoneRepository } from './tombstone.repository.js';

/** On more items a tag changes piece by piece; a piece takes a tenth of a second, for which other writers wait. */
export const TAGGED_AT_ONCE = 1000;

/** A list whose row is locked until the transaction ends. */
export interface LockedList extends KnownStorage {
  /** Of everything that this transaction changes. */
  readonly nextVersion: string;
  readonly itemCount: number;
  /** How many times items were added so far. */
  readonly additions: number;
  /** How many numbers were given so far. */
  readonly numbers: number;
  readonly hasSearchIndex: boolean;
}

/** A part of a list that stays locked until the transaction ends. */
interface LockedUnitOfWork {
  readonly list: LockedList;
  readonly unit: ListUnitOfWork;
}

interface FlushOptions {
  /** The ids of the items whose rows are returned. */
  readonly returned?: readonly string[];
  /** How many pages the user may have fetched in an hour; 0 for no limit. */
  readonly pagesPerHour?: number | undefined;
  /** How many items a tag changes on at once. */
  readonly taggedAtOnce?: number | undefined;
}

/** What is absent does not move. */
interface CounterMoves {
  /** How many items have come, less those that went. */
  readonly itemCount?: number;
  /** How many times items were added. */
  readonly additions?: number;
  /** How many numbers were given. */
  readonly numbers?: number;
  readonly hasSearchIndex: boolean;
  readonly facetMoves: readonly number[];
  readonly storage?: StorageMove;
}

interface LoadOptions {
  /** In unix seconds. */
  readonly now: number;
  /** How many bytes the user may store; absent or 0 for no limit. */
  readonly storageLimit?: number | undefined;
}

const SAME_STORAGE: StorageMove = { storedBytes: 0, mayStoreLess: false };

/** The lists of users. What actions and imports change is written here alone, as a unit of work. */
export class ListRepository extends Repository<List> {
  /** Makes the list, unless it is there. Throws OwnerGoneError. */
  begin(userId: string): Promise<void> {
    return beginList(this.manager, userId);
  }

  /** Locks the list, as every writer does first; a list begins with its first change. Throws OwnerGoneError. */
  async lock(userId: string): Promise<LockedList> {
    return (await this.lockBegun(userId)) ?? this.beginAndLock(userId);
  }

  /** Whether another transaction has the list locked at this moment. Does not wait, and outside a transaction locks nothing. */
  async isLocked(userId: string): Promise<boolean> {
    const [row] = await queryRows<{ isLocked: boolean }>(this.manager, IS_LIST_LOCKED, [userId]);
    return row?.isLocked === true;
  }

  /** Reads the summary by itself, where it was not read with the caller. */
  summary(userId: string): Promise<ListSummary> {
    return readSummary(this.manager, userId);
  }

  /**
   * Locks the list and loads what is touched; the lock is requested first, so the rows are those under the lock.
   * Throws TagsMovingError if one of the tags is being moved.
   */
  async load(userId: string, touched: TouchedIds, options: LoadOptions): Promise<LockedUnitOfWork> {
    if (this.manager.queryRunner?.isTransactionActive !== true) {
      throw new Error('a list is changed in a transaction only');
    }
    const [locked, state] = await Promise.all([
      this.lockBegun(userId),
      this.read(userId, touched),
      this.tagMoves.requireNoneOf(userId, touched.tagIds),
    ]);
    if (locked !== undefined) {
      return { list: locked, unit: unitOf(locked, state, options) };
    }
    const list = await this.beginAndLock(userId);
    return { list, unit: unitOf(list, await this.read(userId, touched), options) };
  }

  /** Throws TagsMovingError while any tag of the list is being moved: the move may free a place among an item's tags. */
  requireNoTagMoves(userId: string): Promise<void> {
    return this.tagMoves.requireNone(userId);
  }

  /** What a batch touches, as it is now; without the lock of the list it may change at once. */
  async read(userId: string, touched: TouchedIds): Promise<LoadedState> {
    const [rows, tags, annotations, details] = await Promise.all([
      this.items.load(userId, touched),
      this.tags.load(userId, touched.tagIds),
      this.annotations.places(userId, touched.annotations),
      this.details.ofItems(userId, touched.detailedItemIds),
    ]);
    return { ...rows, tags, annotations, details };
  }

  /**
   * Writes what became of the unit of work: sets of rows, all with one version, and no new version when nothing
   * changed. Gives the rows of `returned`, by id.
   */
  async flush(
    userId: string,
    { list, unit }: LockedUnitOfWork,
    { returned = [], pagesPerHour = 0, taggedAtOnce = TAGGED_AT_ONCE }: FlushOptions = {},
  ): Promise<ReadonlyMap<string, ItemRow>> {
    const changes = changesOf(unit, taggedAtOnce);
    const bulk = await this.tags.retagAll([userId, list.nextVersion], changes);
    const written = isNothing(changes)
      ? []
      : this.writes(userId, list, { changes, bulk, pagesPerHour });
    // The writes are sent already: the rows are read behind them.
    const [rows] = await Promise.all([this.items.rowsById(userId, returned), ...written]);
    return rows;
  }

  /** Gives the list its new version, and moves its counters. */
  async moveCounters(
    userId: string,
    { nextVersion }: LockedList,
    { itemCount = 0, additions = 0, numbers = 0, ...moved }: CounterMoves,
  ): Promise<void> {
    const { hasSearchIndex, facetMoves, storage = SAME_STORAGE } = moved;
    const moves = [additions, itemCount, hasSearchIndex, facetMoves, numbers];
    const bytes = [storage.storedBytes, storage.mayStoreLess];
    await queryRows(this.manager, MOVE_COUNTERS, [userId, nextVersion, ...moves, ...bytes]);
  }

  /** Counts bytes of which clients see nothing in the list. */
  async moveStorage(userId: string, { storedBytes, mayStoreLess }: StorageMove): Promise<void> {
    await queryRows(this.manager, MOVE_STORAGE, [userId, storedBytes, mayStoreLess]);
  }

  // No fields: `withRepository` copies them, and these would stay on the manager that the list has left.
  private get items(): ItemRepository {
    return new ItemRepository(Item, this.manager);
  }

  private get tags(): TagRepository {
    return new TagRepository(Tag, this.manager);
  }

  private get tagMoves(): TagMoveRepository {
    return new TagMoveRepository(TagMove, this.manager);
  }

  private get tombstones(): TombstoneRepository {
    return new TombstoneRepository(Tombstone, this.manager);
  }

  private get annotations(): AnnotationRepository {
    return new AnnotationRepository(Annotation, this.manager);
  }

  private get details(): ItemDetailsRepository {
    return new ItemDetailsRepository(ItemDetails, this.manager);
  }

  private async lockBegun(userId: string): Promise<LockedList | undefined> {
    const [list] = await queryRows<LockedList>(this.manager, LOCK_LIST, [userId]);
    return list;
  }

  /** Creates the list; another transaction may create it at the same moment. Throws OwnerGoneError. */
  private async beginAndLock(userId: string): Promise<LockedList> {
    await this.begin(userId);
    const list = await this.lockBegun(userId);
    if (list === undefined) {
      throw new OwnerGoneError();
    }
    return list;
  }

  /** All statements travel together, in this order, but for the building of a search index, which comes last. */
  private writes(
    userId: string,
    list: LockedList,
    { changes, bulk, pagesPerHour: perHour }: Writing,
  ): readonly Promise<unknown>[] {
    const owner = [userId, list.nextVersion] as const;
    const facetMoves = addedMoves(changes.facetMoves, untaggedMoves(bulk.untagged));
    const itemCount = itemsMoved(facetMoves);
    const grown = { ...list, itemCount: list.itemCount + itemCount };
    const moves = { ...changes, itemCount, facetMoves, hasSearchIndex: needsSearchIndex(grown) };
    return [
      ...(isLarge(changes) ? [allowLongStatements(this.manager, LONGEST_STATEMENT_SECONDS)] : []),
      this.items.write(owner, changes),
      this.writeBesideItems(userId, changes),
      this.tombstones.write(owner, changes),
      forgetPages(this.manager, userId, changes.deleted),
      requestPages(this.manager, userId, changes.requested, {
        perHour,
        priority: PagePriority.Saved,
      }),
      requestPages(this.manager, userId, changes.requestedInBulk, {
        perHour,
        priority: PagePriority.Imported,
      }),
      this.tags.write(owner, changes, bulk.tags),
      this.tagMoves.begin(userId, changes.moving),
      this.writeForSearch(userId, grown, changes),
      this.moveCounters(userId, list, moves),
    ];
  }

  private async writeBesideItems(
    userId: string,
    { annotations, details }: ListChanges,
  ): Promise<void> {
    await Promise.all([
      this.annotations.write(userId, annotations),
      this.details.write(userId, details),
    ]);
  }

  private async writeForSearch(
    userId: string,
    list: Parameters<typeof needsSearchIndex>[0],
    changes: ListChanges,
  ): Promise<void> {
    await Promise.all([
      // The language of the details decides how the words are stemmed.
      markTextsDue(this.manager, userId, [
        ...new Set([...changes.reindexed, ...changes.details.map(({ itemId }) => itemId)]),
      ]),
      this.items.writeSearchIndex(userId, list, changes),
    ]);
  }
}

interface Writing {
  readonly changes: ListChanges;
  readonly bulk: BulkMoves;
  readonly pagesPerHour: number;
}

const unitOf = (
  list: LockedList,
  state: LoadedState,
  { now, storageLimit = 0 }: LoadOptions,
): ListUnitOfWork =>
  new ListUnitOfWork(state, now, {
    additions: new Additions(list.additions),
    numbers: list.numbers,
    room: StorageRoom.in(list, storageLimit),
  });
