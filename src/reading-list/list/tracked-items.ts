import { type Address, normalAddress } from './address.js';
import {
  addedOrder,
  type BuriedItem,
  candidateIds,
  idsOfNewItem,
  type ItemReference,
  type ItemState,
  type Origin,
  type StoredItem,
  type StoredTombstone,
} from './list-state.js';

const FRESH: Omit<ItemState, 'givenUrl'> = {
  status: 0,
  favorite: 0,
  timeAdded: 0,
  addedSequence: 0,
  timeRead: 0,
  timeFavorited: 0,
  givenTitle: '',
  prefersGivenTitle: false,
  note: '',
  tagIds: [],
};

/**
 * An item while a batch of actions is applied: its stored state, and its state after the actions that were applied so
 * far.
 */
export class TrackedItem {
  /** The 31-bit id that an imported file contains for the item. Undefined if the list assigns the id itself. */
  number: number | undefined;

  private current: ItemState;
  private touched = false;
  private page: 'unasked' | 'asked' | 'asked in bulk' = 'unasked';
  private imported: Origin | undefined;

  private constructor(
    readonly itemId: string,
    state: ItemState,
    /** The stored item. Undefined if the item is new, or if it was deleted and added again in this batch. */
    readonly stored?: StoredItem,
  ) {
    this.current = state;
  }

  static loaded(stored: StoredItem, tagIds: readonly string[]): TrackedItem {
    return new TrackedItem(stored.itemId, { ...stored, tagIds }, stored);
  }

  static fresh(itemId: string, givenUrl: string): TrackedItem {
    return new TrackedItem(itemId, { givenUrl, ...FRESH });
  }

  get state(): ItemState {
    return this.current;
  }

  /** True after an action has changed something, even if a later action has undone the change. */
  get isTouched(): boolean {
    return this.touched;
  }

  /** True if the page of the item must be fetched because an action has added the item. */
  get needsPage(): boolean {
    return this.page === 'asked' && this.isUnresolved;
  }

  /**
   * True if the page of the item must be fetched because an import has added the item. The pages of items that users
   * add are fetched first.
   */
  get needsPageInBulk(): boolean {
    return this.page === 'asked in bulk' && this.isUnresolved;
  }

  private get isUnresolved(): boolean {
    return (this.stored?.resolvedUrl ?? '') === '';
  }

  /**
   * Returns the origin of the state to write. It is the import if a row was imported, and otherwise
   * a change by the user at `now`.
   */
  writtenAs(now: number): Origin {
    return this.imported ?? { timeUpdated: now, importedAsOf: null };
  }

  /** The origin of the current state of the item: an import or a change by the user. Undefined for a new item. */
  get origin(): Origin | undefined {
    return this.imported ?? this.stored;
  }

  /**
   * Returns true if the item is new, or if its URL or title has changed. Its sort keys and search text must then be
   * computed again.
   */
  get hasOtherTexts(): boolean {
    const { stored, current } = this;
    return (
      stored?.givenUrl !== current.givenUrl ||
      stored.givenTitle !== current.givenTitle ||
      stored.prefersGivenTitle !== current.prefersGivenTitle
    );
  }

  /** True if the item is new or if its position in the list has changed. */
  get hasMoved(): boolean {
    const { stored, current } = this;
    return stored === undefined || addedOrder(stored) !== addedOrder(current);
  }

  /** Applies an action that adds the item. The page of the item is then fetched, unless the client sends the page. */
  add(changes: Partial<ItemState>, bringsPage: boolean): void {
    this.page = bringsPage ? 'unasked' : 'asked';
    this.change(changes);
  }

  /** Applies the changes that an action makes to the item. */
  change(changes: Partial<ItemState>): void {
    const differs = ([name, value]: [string, unknown]): boolean =>
      Reflect.get(this.current, name) !== value;
    this.touched ||= Object.entries(changes).some(differs);
    this.current = { ...this.current, ...changes };
  }

  /** Applies a row of an imported file. The changes do not count as changes by the user. */
  import(changes: Partial<ItemState>, origin: Origin): void {
    this.page = this.stored === undefined ? 'asked in bulk' : this.page;
    this.change(changes);
    this.touched ||= origin.importedAsOf !== this.origin?.importedAsOf;
    this.imported = origin;
  }

  /** Marks the item as changed. Used if the change is not in the row of the item, such as a new annotation. */
  touch(): void {
    this.touched = true;
  }

  /**
   * Sets the tags after a rename or deletion of a tag. Does not mark the item as changed, because another statement
   * changes the tags of all items in the database.
   */
  retag(tagIds: readonly string[]): void {
    this.current = { ...this.current, tagIds };
  }
}

/** The items and deletion records that a batch of changes concerns. Items are found by id or by URL. */
export class TrackedItems {
  private readonly live: Map<string, TrackedItem>;
  private readonly buried = new Set<string>();
  /** Maps the id of each deleted item to the id that is computed from its address. */
  private readonly tombstones: Map<string, string>;

  constructor(
    items: readonly TrackedItem[],
    private readonly storedTombstones: readonly StoredTombstone[],
  ) {
    this.live = new Map(items.map((item) => [item.itemId, item]));
    this.tombstones = new Map(storedTombstones.map((one) => [one.itemId, addressIdOf(one)]));
  }

  all(): Iterable<TrackedItem> {
    return this.live.values();
  }

  /**
   * Returns false if this batch has deleted the stored item, even if it has then added an item with
   * the same URL.
   */
  keeps(itemId: string): boolean {
    return this.live.get(itemId)?.stored !== undefined;
  }

  find(reference: ItemReference): TrackedItem | undefined {
    return 'itemId' in reference ? this.live.get(reference.itemId) : this.at(reference.address);
  }

  wasDeleted(reference: ItemReference): boolean {
    return candidateIds(reference).some((id) => this.tombstones.has(id));
  }

  /**
   * Returns the time at which the user has deleted the item with this address. Returns undefined if no deletion by the
   * user is recorded.
   */
  deletedAt({ itemId }: Address): number | undefined {
    const tombstone = this.storedTombstones.find((one) => addressIdOf(one) === itemId);
    return tombstone?.deletedAt ?? undefined;
  }

  /** Creates an item. Returns undefined if all possible ids for its address belong to other addresses. */
  create(address: Address): TrackedItem | undefined {
    const itemId = this.idOfNewItem(address);
    if (itemId === undefined) {
      return undefined;
    }
    const item = TrackedItem.fresh(itemId, address.givenUrl);
    this.live.set(itemId, item);
    this.tombstones.delete(itemId);
    return item;
  }

  /** Deletes the item and creates the record of its deletion. */
  delete({ itemId, state }: TrackedItem): void {
    this.live.delete(itemId);
    this.tombstones.set(itemId, normalAddress(state.givenUrl)?.itemId ?? itemId);
    this.buried.add(itemId);
  }

  /** Returns the deletion records that the batch creates. */
  newTombstones(): readonly BuriedItem[] {
    return [...this.buried].flatMap((itemId) => {
      const addressId = this.tombstones.get(itemId);
      return addressId === undefined
        ? []
        : [{ itemId, ...(addressId !== itemId && { addressId }) }];
    });
  }

  /** Returns the ids of deleted items that were added again. */
  revived(): readonly string[] {
    return this.storedTombstones
      .map(({ itemId }) => itemId)
      .filter((id) => !this.tombstones.has(id));
  }

  /**
   * Returns the id for a new item. If an item with this address was deleted, the new item gets the id of the deleted
   * item. The ids of other deleted items are used only if no other id is free, because clients may still know them.
   */
  private idOfNewItem(address: Address): string | undefined {
    const isFree = (id: string): boolean => !this.live.has(id);
    const deleted = candidateIds({ address }).filter(
      (id) => this.tombstones.get(id) === address.itemId,
    );
    const ids = idsOfNewItem(address);
    const unknown = ids.filter((id) => !this.tombstones.has(id));
    return [...deleted, ...unknown, ...ids].find(isFree);
  }

  /**
   * Returns the item with this normalized URL. Compares the URL in addition to the id, because two URLs can have the
   * same hash.
   */
  private at(address: Address): TrackedItem | undefined {
    return candidateIds({ address })
      .map((id) => this.live.get(id))
      .find(
        (item) =>
          item !== undefined && normalAddress(item.state.givenUrl)?.normalUrl === address.normalUrl,
      );
  }
}

const addressIdOf = ({ itemId, addressId }: BuriedItem): string => addressId ?? itemId;
