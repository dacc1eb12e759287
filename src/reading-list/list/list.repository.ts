import type { ListSummary } from '../../auth/consumers/caller-lists.js';
import { CustomRepository } from '../../platform/database/custom-repository.js';
import { commitTogether } from '../../platform/database/database.js';
import { allowLongStatements, queryRows } from '../../platform/database/query-rows.js';
import { beginList } from '../begin-list.js';
import { ItemDetailsRepository } from '../details/item-details.repository.js';
import type { ItemRow } from '../entities/item.entity.js';
import { List } from '../entities/list.entity.js';
import { ListEventRepository, type NewEvent } from '../events/list-event.repository.js';
import { eventsOf } from '../events/unit-events.js';
import { addedMoves, itemsMoved, untaggedMoves } from '../facet.js';
import { readSummary } from '../list-summaries.js';
import { writePageChanges } from '../pages/page-changes.js';
import { OwnerGoneError } from '../reading-list.errors.js';
import { type KnownStorage, type StorageMove, StorageRoom } from '../storage/storage-room.js';
import { TagMoveRepository } from '../tag-moves/tag-move.repository.js';
import { markTextsDue } from '../texts/due-text.repository.js';
import { AnnotationRepository } from './annotation.repository.js';
import { ItemRepository, LONGEST_STATEMENT_SECONDS, needsSearchIndex } from './item.repository.js';
import { IS_LIST_LOCKED, LOCK_LIST, MOVE_COUNTERS, MOVE_STORAGE } from './list.sql.js';
import { changesOf, isLarge, isNothing, type ListChanges } from './list-changes.js';
import { Additions, type LoadedState, type TouchedIds } from './list-state.js';
import { ListUnitOfWork } from './list-unit-of-work.js';
import { type BulkMoves, TagRepository } from './tag.repository.js';
import { TombstoneRepository } from './tombstone.repository.js';

/**
 * The maximum number of items whose tags a call renames or deletes in its own transaction. Such a transaction takes
 * about 0.1 s, and other changes of the list wait for it.
 */
export const TAGGED_AT_ONCE = 1000;

/** A list that is locked until the transaction ends. */
export interface LockedList extends KnownStorage {
  /** The list version that all changes of this transaction get. */
  readonly nextVersion: string;
  readonly itemCount: number;
  /** How many times an item was added to the list so far. */
  readonly additions: number;
  /** The number of 31-bit ids that the list has assigned so far. */
  readonly numbers: number;
  readonly hasSearchIndex: boolean;
  /** True if a change of the list must write events. */
  readonly hasSubscribers: boolean;
}

interface LockedUnitOfWork {
  readonly list: LockedList;
  readonly unit: ListUnitOfWork;
}

interface FlushOptions {
  /** The ids of the items that `flush` returns. */
  readonly returned?: readonly string[];
  /** The maximum number of pages that are fetched for the user per hour. 0 means no limit. */
  readonly pagesPerHour?: number | undefined;
  /** The maximum number of items whose tags are renamed or deleted in this transaction. */
  readonly taggedAtOnce?: number | undefined;
  /** True if events count the changed items even if they are few. */
  readonly isBulk?: boolean;
}

/** Changes to the counters of a list, and their events. An undefined counter stays unchanged. */
interface CounterMoves {
  /** Returns the events of the change. Called only if the user has a subscriber. */
  readonly events: () => readonly NewEvent[];
  /** The number of added items minus the number of deleted items. */
  readonly itemCount?: number;
  /** How many times an item was added, including items that were added again. */
  readonly additions?: number;
  /** The number of 31-bit ids that were assigned. */
  readonly numbers?: number;
  readonly hasSearchIndex: boolean;
  readonly facetMoves: readonly number[];
  readonly storage?: StorageMove;
}

interface LoadOptions {
  /** The current time in Unix seconds. */
  readonly now: number;
  /** The maximum number of bytes that the user may store. Undefined or 0 means no limit. */
  readonly storageLimit?: number | undefined;
}

const SAME_STORAGE: StorageMove = { storedBytes: 0, mayStoreLess: false };

/**
 * Stores the lists of users. Actions and imports write items with `flush`, and new-item.ts adds most new items. The
 * following code changes the table `items` otherwise, and only the last two entries add or delete items:
 * - pages/record-pages.ts writes the pages that were fetched, that clients have sent, and that an undo restores. It also
 *   writes a new version to items whose page could not be fetched.
 * - tag-moves/move-tags.ts renames and deletes tags with many items.
 * - deletions/deleted-item.repository.ts restores the numbers and details of items that an undo has added with `flush`.
 * - transfer/backup/restore-backup.ts replaces the rows of all tables.
 * - auth/user.repository.ts deletes the list of a deleted account. A foreign key then deletes the items.
 */
export class ListRepository extends CustomRepository<List> {
  static readonly entity = List;

  private readonly items = ItemRepository.in(this.manager);
  private readonly tags = TagRepository.in(this.manager);
  private readonly tagMoves = TagMoveRepository.in(this.manager);
  private readonly tombstones = TombstoneRepository.in(this.manager);
  private readonly annotations = AnnotationRepository.in(this.manager);
  private readonly details = ItemDetailsRepository.in(this.manager);
  private readonly events = ListEventRepository.in(this.manager);

  /**
   * Creates the list if it does not exist.
   * @throws OwnerGoneError if the account was deleted
   */
  begin(userId: string): Promise<void> {
    return beginList(this.manager, userId);
  }

  /**
   * Locks the list. Creates the list if it does not exist. The caller must lock the list before any other write.
   * @throws OwnerGoneError if the account was deleted
   */
  async lock(userId: string): Promise<LockedList> {
    return (await this.lockBegun(userId)) ?? this.beginAndLock(userId);
  }

  /** Returns true if another transaction has locked the list. Does not wait for the lock. */
  async isLocked(userId: string): Promise<boolean> {
    const [row] = await queryRows<{ isLocked: boolean }>(this.manager, IS_LIST_LOCKED, [userId]);
    return row?.isLocked === true;
  }

  /** Reads the version and the item counts of a list. */
  summary(userId: string): Promise<ListSummary> {
    return readSummary(this.manager, userId);
  }

  /**
   * Locks the list and loads the rows that a batch of changes concerns. The lock comes first, so that no other
   * transaction can change the loaded rows.
   * @throws TagsMovingError if a tag in `touched` is being renamed or deleted
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

  /**
   * Checks that no rename or deletion of a tag is pending. A change that exceeds the maximum number of tags must wait
   * for pending renames and deletions, because they may reduce the number of tags of an item.
   * @throws TagsMovingError if any tag of the list is being renamed or deleted
   */
  requireNoTagMoves(userId: string): Promise<void> {
    return this.tagMoves.requireNone(userId);
  }

  /** Reads the rows that a batch concerns. If the list is not locked, other transactions may change these rows. */
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
   * If anything changed, writes the changes and a new list version. Returns the items in `returned`, keyed by item id.
   * The section "Events" of docs/develop/architecture.md describes how other code reacts to a change.
   */
  async flush(
    userId: string,
    { list, unit }: LockedUnitOfWork,
    { returned = [], taggedAtOnce = TAGGED_AT_ONCE, ...options }: FlushOptions = {},
  ): Promise<ReadonlyMap<string, ItemRow>> {
    const changes = changesOf(unit, taggedAtOnce);
    const bulk = await this.tags.retagAll([userId, list.nextVersion], changes);
    const written = isNothing(changes)
      ? []
      : this.writes(userId, list, { unit, changes, bulk, ...options });
    // The statements in `written` are already sent, so this query reads the written rows.
    const [rows] = await Promise.all([this.items.rowsById(userId, returned), ...written]);
    return rows;
  }

  /** Sets the new version of the list, adds the changes to the counters of the list, and writes their events. */
  async moveCounters(
    userId: string,
    { nextVersion, hasSubscribers }: LockedList,
    { events, itemCount = 0, additions = 0, numbers = 0, ...moved }: CounterMoves,
  ): Promise<void> {
    const { hasSearchIndex, facetMoves, storage = SAME_STORAGE } = moved;
    const moves = [additions, itemCount, hasSearchIndex, facetMoves, numbers];
    const bytes = [storage.storedBytes, storage.mayStoreLess];
    await Promise.all([
      queryRows(this.manager, MOVE_COUNTERS, [userId, nextVersion, ...moves, ...bytes]),
      hasSubscribers && this.events.write([userId, nextVersion], events()),
    ]);
  }

  /** Changes the stored size of the list, but not its version, because clients cannot see the size. */
  async moveStorage(userId: string, { storedBytes, mayStoreLess }: StorageMove): Promise<void> {
    await queryRows(this.manager, MOVE_STORAGE, [userId, storedBytes, mayStoreLess]);
  }

  private async lockBegun(userId: string): Promise<LockedList | undefined> {
    const [[list]] = await Promise.all([
      queryRows<LockedList>(this.manager, LOCK_LIST, [userId]),
      commitTogether(this.manager),
    ]);
    return list;
  }

  /** Creates the list and locks it. If another transaction has just created the list, only locks it. */
  private async beginAndLock(userId: string): Promise<LockedList> {
    await this.begin(userId);
    const list = await this.lockBegun(userId);
    if (list === undefined) {
      throw new OwnerGoneError();
    }
    return list;
  }

  /**
   * Sends all statements together, in a fixed order. The statement that builds a new search index
   * is sent last.
   */
  private writes(
    userId: string,
    list: LockedList,
    { unit, changes, bulk, pagesPerHour = 0, isBulk = false }: Writing,
  ): readonly Promise<unknown>[] {
    const owner = [userId, list.nextVersion] as const;
    const facetMoves = addedMoves(changes.facetMoves, untaggedMoves(bulk.untagged));
    const itemCount = itemsMoved(facetMoves);
    const grown = { ...list, itemCount: list.itemCount + itemCount };
    const events = (): readonly NewEvent[] =>
      eventsOf(unit, changes, { isBulk, retagged: bulk.items });
    const hasSearchIndex = needsSearchIndex(grown);
    const moves = { ...changes, itemCount, facetMoves, hasSearchIndex, events };
    return [
      ...(isLarge(changes) ? [allowLongStatements(this.manager, LONGEST_STATEMENT_SECONDS)] : []),
      this.items.write(owner, changes),
      this.annotations.write(userId, changes.annotations),
      this.details.write(userId, changes.details),
      this.tombstones.write(owner, changes),
      writePageChanges(this.manager, userId, changes, pagesPerHour),
      this.tags.write(owner, changes, bulk.tags),
      this.tagMoves.begin(userId, changes),
      this.writeForSearch(userId, grown, changes),
      this.moveCounters(userId, list, moves),
    ];
  }

  private async writeForSearch(
    userId: string,
    list: Parameters<typeof needsSearchIndex>[0],
    changes: ListChanges,
  ): Promise<void> {
    await Promise.all([
      // Data from clients may change the language by which words are stemmed, so these items are
      // indexed again.
      markTextsDue(this.manager, userId, [
        ...new Set([...changes.reindexed, ...changes.details.map(({ itemId }) => itemId)]),
      ]),
      this.items.writeSearchIndex(userId, list, changes),
    ]);
  }
}

interface Writing extends Pick<FlushOptions, 'pagesPerHour' | 'isBulk'> {
  readonly unit: ListUnitOfWork;
  readonly changes: ListChanges;
  readonly bulk: BulkMoves;
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
